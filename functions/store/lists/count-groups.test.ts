import type { Table } from '../../../shared/db/table.ts';
import { addAll, node, service } from '../../../tests/support/store.ts';
import { startTable } from '../../../tests/support/table.ts';
import { countGroups } from './count-groups.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let table: Table;
let stop: () => Promise<void>;
const [own, other] = [node({}), node({})];
beforeAll(async () => {
  ({ table, stop } = await startTable(/"(NODE|HEARTBEATS)#/));
  await addAll(table, own, other);
  await addAll(table, service([own], { cluster: 'own' }), service([own, other], { cluster: 'shared' }));
});
afterAll(() => stop());

test.each([
  ['every caller', undefined, ['own 1', 'shared 2']],
  [
    'a caller that is bound to a node, without the clusters of services that it may not see',
    own.object.node_id,
    ['own 1'],
  ],
])('nodes are grouped by cluster for %s', async (_, scope, expected) => {
  const reader = { scope, now: testTime() };
  const { groups } = await countGroups(
    table,
    { kind: 'node', group_by: 'cluster' },
    {
      ...{ after: undefined, ownerLabel: 'team', reader },
    },
  );
  expect(groups.map(({ value, count }) => `${value ?? '-'} ${count}`).sort()).toEqual(expected);
});
