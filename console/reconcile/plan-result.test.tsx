import { type PlanWithRequest, summaryOf } from './plan-result.tsx';

const counts = { add: 0, change: 0, remove: 0, unchanged: 0, blocked: 0 };

const told = (more: Partial<typeof counts>, isApplied = false) =>
  summaryOf({ plan: { ...counts, ...more }, isApplied } as unknown as PlanWithRequest);

test('a plan without changes counts unchanged items, another one all items', () => {
  expect(told({ unchanged: 2 })).toBe('No changes are required, 2 objects unchanged.');
  expect(told({ add: 1, unchanged: 2, blocked: 3 })).toBe(
    'To add 1, to change 0, to remove 0, unchanged 2, blocked 3.',
  );
  for (const counts of [{ change: 1 }, { remove: 1 }]) expect(told(counts)).toMatch(/^To add 0/);
  expect(told({ add: 1 }, true)).toBe('The plan was applied.');
});
