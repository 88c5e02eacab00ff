import { hoursOf, sumOf, withoutImports } from './hours.ts';

const change = (hour: string, action: 'added' | 'changed' | 'removed', count: number) =>
  ({ hour, kind: 'node', action, count }) as const;

test('each hour up to the present is shown, also without changes, and kinds are added up', () => {
  const end = new Date('2026-03-02T09:45:00.000Z');
  const hours = hoursOf(
    [
      change('2026-03-02T07:00:00.000Z', 'added', 2),
      { ...change('2026-03-02T07:00:00.000Z', 'added', 3), kind: 'agent' },
      change('2026-03-02T09:00:00.000Z', 'removed', 1),
      change('2026-03-02T01:00:00.000Z', 'changed', 9),
    ],
    end,
    4,
  );
  expect(hours.map(({ begin }) => begin.toISOString().slice(11, 16))).toEqual(['06:00', '07:00', '08:00', '09:00']);
  expect(hours.map(({ counts }) => counts)).toEqual([
    { added: 0, changed: 0, removed: 0 },
    { added: 5, changed: 0, removed: 0 },
    { added: 0, changed: 0, removed: 0 },
    { added: 0, changed: 0, removed: 1 },
  ]);
  expect(sumOf(hours, 'added')).toBe(5);
});

const hoursWith = (...counts: readonly number[]) =>
  counts.map((added, index) => ({ begin: new Date(index * 3_600_000), counts: { added, changed: 1, removed: 0 } }));

const importsIn = (...counts: readonly number[]) =>
  withoutImports(hoursWith(...counts)).imports.map(({ counts: { added } }) => added);

test('imports that would hide other hours are separate', () => {
  expect(importsIn(3, 5000, 7, 900)).toEqual([5000, 900]);
  expect(withoutImports(hoursWith(3, 5000, 7)).hours.map(({ counts }) => counts)).toEqual([
    { added: 3, changed: 1, removed: 0 },
    { added: 0, changed: 0, removed: 0 },
    { added: 7, changed: 1, removed: 0 },
  ]);
});

test('busy hours, and few changes after quiet hours, are no import', () => {
  expect(importsIn(300, 400, 500)).toEqual([]);
  expect(importsIn(1, 60, 2)).toEqual([]);
});

test('a lone import is drawn', () => {
  expect(withoutImports([{ begin: new Date(0), counts: { added: 5000, changed: 0, removed: 0 } }]).imports).toEqual([]);
});
