import { findingSchema, zoneSchema } from './tally-parts.ts';

const finding = { reason: 'offline', kind: 'node', count: 2, examples: [{ id: 'a' }, { id: 'b', name: 'B' }] };

test('a stored finding of an older version counts no places', () => {
  expect(findingSchema.parse(finding)).toEqual({ ...finding, places: [], located: 0 });
});

test('a stored finding keeps its places and their number', () => {
  const located = { ...finding, places: [['region', 'eu', 2]], located: 2 };
  expect(findingSchema.parse(JSON.parse(JSON.stringify(located)))).toEqual(located);
});

test.each([
  ['reason', { reason: 'broken' }],
  ['kind', { kind: 'planet' }],
  ['label of a place', { places: [['colour', 'red', 1]] }],
  ['number', { count: 1.5 }],
])('a finding with a %s that the summary does not have is refused', (_, wrong) => {
  expect(findingSchema.safeParse({ ...finding, ...wrong }).success).toBe(false);
});

test('a zone counts known states only', () => {
  expect(zoneSchema.safeParse(['eu', '', { live: 2, never_seen: 1 }]).success).toBe(true);
  expect(zoneSchema.safeParse(['eu', '', { happy: 2 }]).success).toBe(false);
});
