import { differencesBetween, differencesText } from './differences.ts';

test('values that differ are listed, those of maps one by one', () => {
  const before = {
    region: 'eu',
    port: 1,
    same: ['a'],
    custom_labels: { team: 'a', env: 'prod' },
    insights: { ids: ['a'] },
  };
  const after = { az: 'b', port: 2, same: ['a'], custom_labels: { team: 'b', env: 'prod' }, insights: { ids: [] } };
  expect(differencesBetween(before, after)).toEqual([
    { field: 'region', from: 'eu', to: undefined },
    { field: 'port', from: 1, to: 2 },
    { field: 'custom_labels.team', from: 'a', to: 'b' },
    { field: 'insights.ids', from: ['a'], to: [] },
    { field: 'az', from: undefined, to: 'b' },
  ]);
  expect(differencesText(differencesBetween(before, after))).toBe(
    'region: eu -> none; port: 1 -> 2; label.team: a -> b; insights.ids: a -> none; az: none -> b',
  );
  expect(differencesBetween({ custom_labels: { a: '1' } }, {})).toEqual([
    { field: 'custom_labels.a', from: '1', to: undefined },
  ]);
  expect(differencesBetween(before, before)).toEqual([]);
});

test.each([
  ['none', '"none"'],
  ['', '""'],
  ['a, b', '"a, b"'],
  ['a -> b', '"a -> b"'],
  ['10.0.0.1:3306', '10.0.0.1:3306'],
  [null, 'none'],
  [false, 'false'],
  [['a', 'b c'], 'a,"b c"'],
  ['a\u001b[2J', '"a\\u001b[2J"'],
])('%j is unambiguous: %s', (value, text) => {
  expect(differencesText([{ field: 'x', from: value, to: 1 }])).toBe(`x: ${text} -> 1`);
});
