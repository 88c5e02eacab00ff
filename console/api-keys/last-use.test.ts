import { lastUseText, weekOf } from './last-use.ts';

const distance = (time: string) => `at ${time}`;

test('the last use of a key that was not rotated is one sentence', () => {
  expect(lastUseText({}, distance)).toBe('The key was never used.');
  expect(lastUseText({ last_used_at: '10:00' }, distance)).toBe('It was last used at 10:00.');
  const used = { last_used_at: '10:00', last_used_from: '10.1.2.3' };
  expect(lastUseText(used, distance)).toBe('It was last used at 10:00 from 10.1.2.3.');
});

test('a week ends today in UTC, and has a zero for each unused day', () => {
  const uses = [
    { date: '2026-02-20', uses: 9 },
    { date: '2026-02-28', uses: 4 },
    { date: '2026-03-02', uses: 1 },
  ];
  const week = weekOf(uses, new Date('2026-03-03T00:30:00+02:00'));
  expect(week.map((day) => day.uses)).toEqual([0, 0, 0, 0, 4, 0, 1]);
  expect([week[0]?.date, week[6]?.date]).toEqual(['2026-02-24', '2026-03-02']);
  // Each day is as far from midnight as today.
  expect(weekOf([], new Date('2026-03-02T00:00:00Z'))[0]?.date).toBe('2026-02-24');
});

test('after a rotation the text names the last uses of the new and former secrets', () => {
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
