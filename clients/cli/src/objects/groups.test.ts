import { commandCall } from '../../../../tests/support/command-call.ts';
import { groupColumns, readGroups } from './groups.ts';

test('the groups of all parts are summed, with the largest first', async () => {
  const parts = [
    {
      groups: [
        { value: 'eu', count: 1, by_state: { live: 1 } },
        { count: 2, by_state: { stale: 2 } },
      ],
      next: 'a',
    },
    {
      groups: [
        { value: 'eu', count: 3, by_state: { live: 1, offline: 2 } },
        { value: 'us', count: 3, by_state: {} },
      ],
    },
  ];
  const call = commandCall({ answer: () => parts.shift() });
  const groups = await readGroups(await call.connect(), 'node', 'region', { node_type: 'generic', cluster: 'pxc' });
  expect(groups).toEqual([
    { value: 'eu', count: 4, live: 2, offline: 2 },
    { value: 'us', count: 3 },
    { value: undefined, count: 2, stale: 2 },
  ]);
  const queries = call.sent.map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams));
  const query = { cluster: 'pxc', kind: 'node', group_by: 'region', type: 'generic' };
  expect(queries).toEqual([query, { ...query, after: 'a' }]);
});

test('a group has a column for each state', () => {
  expect(groupColumns).toEqual(['value', 'count', 'live', 'stale', 'offline', 'never_seen']);
});
