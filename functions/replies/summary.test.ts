import type { KeptSummary } from '../store/summary/kept-summary.ts';
import { isComplete, toSummaryReply } from './summary.ts';

const NOON = new Date('2030-01-01T12:00:00.000Z');

const clusters = { total: 0, by_state: {}, by_type: {}, without_live_member: 0 };

const kept = (more: Partial<KeptSummary> = {}, isCut = false): KeptSummary => ({
  at: NOON.getTime(),
  count: { rows: [], silenced: [], zones: [], clusters, isCut, findings: [], dropped: 0 },
  countedAt: NOON.getTime(),
  isPartial: false,
  hasAllChanges: true,
  findings: [],
  jobs: [],
  hours: [],
  latest: [],
  ...more,
});

test.each([
  ['everything is counted', kept(), []],
  ['the first count continues', kept({ isPartial: true }), ['objects']],
  ['there are more clusters than are counted', kept({}, true), ['clusters']],
  ['the changes are not all counted', kept({ hasAllChanges: false }), ['changes']],
  ['nothing is complete', kept({ isPartial: true, hasAllChanges: false }, true), ['objects', 'clusters', 'changes']],
] as const)('%s: the reply names the incomplete numbers', (_, summary, parts) => {
  const { complete, incomplete } = toSummaryReply(summary, 'Viewer', NOON);
  expect([complete, incomplete]).toEqual([parts.length === 0, parts]);
  expect(isComplete(summary)).toBe(complete);
});
