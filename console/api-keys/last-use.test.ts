import { lastUseText } from './last-use.ts';

const distance = (time: string) => `at ${time}`;

test('the last use of a key that was not rotated is one sentence', () => {
  expect(lastUseText({}, distance)).toBe('The key was never used.');
  expect(lastUseText({ last_used_at: '10:00' }, distance)).toBe('It was last used at 10:00.');
  const used = { last_used_at: '10:00', last_used_from: '10.1.2.3' };
  expect(lastUseText(used, distance)).toBe('It was last used at 10:00 from 10.1.2.3.');
});

test('after a rotation the text names the last use of the new secret and of the former ones', () => {
  const rotated = { rotated_at: '11:00' };
  const former = { former_last_used_at: '10:59', former_last_used_from: '10.1.2.3' };
  expect(lastUseText({ ...rotated, ...former }, distance)).toBe(
    'Its new secret was never used. A former secret was last used at 10:59 from 10.1.2.3.',
  );
  expect(lastUseText({ ...rotated, ...former, last_used_at: '12:00' }, distance)).toBe(
    'Its new secret was last used at 12:00. A former secret was last used at 10:59 from 10.1.2.3.',
  );
  expect(lastUseText(rotated, distance)).toBe('Its new secret was never used. No use of a former secret is known.');
});
