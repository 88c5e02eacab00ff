import { cutParts } from './breakable-text.tsx';

test('the end of a long text stays when its start is cut, and a short text has no end', () => {
  expect(cutParts('iad-crm-db-01-mysql')).toEqual(['iad-crm-db', '-01-mysql']);
  expect(cutParts('a'.repeat(250)).map(({ length }) => length)).toEqual([238, 12]);
  expect(cutParts('db-1.example.com')[1]).not.toBe('');
  expect(cutParts('ap-southeast-2a')).toEqual(['ap-southeast-2a', '']);
});

test('a text is never cut within a character of several code points', () => {
  const [start, end] = cutParts('👩‍🚀'.repeat(20));
  expect([start, end]).toEqual(['👩‍🚀'.repeat(10), '👩‍🚀'.repeat(10)]);
});
