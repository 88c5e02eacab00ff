import type { Table } from '../../../shared/db/table.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable, startTable } from '../../../tests/support/table.ts';
import type { GroupQuery } from '../../domain/groups/groups.ts';
import { itemOf } from '../entities/entity.ts';
import { countGroups } from './count-groups.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let table: Table;
let stop: () => Promise<void>;
const [member, other] = [node({}), node({})];
beforeAll(async () => {
  ({ table, stop } = await startTable(/"(NODE|HEARTBEATS)#/));
  await addAll(table, member, other);
  await addAll(table, service([member], { cluster: 'own' }), service([member, other], { cluster: 'shared' }));
});
afterAll(() => stop());

test.each([
  ['every caller', undefined, ['own 1', 'shared 2']],
  [
    'a caller that is bound to a node, without the clusters of services that it may not see',
    member.object.node_id,
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

describe('an inventory with reports', () => {
  let groupsTable: Table;
  let end: () => Promise<void>;
  const now = testTime();
  const [live, silent, bare] = [
    node({ region: 'eu', custom_labels: { team: 'a' } }),
    node({ region: 'eu', address: '10.0.0.2', custom_labels: { team: 'b' } }),
    node({ custom_labels: { team: 'b' } }),
  ];
  const agent = pmmAgent(live);
  const itself = { agent_id: agent.object.agent_id, status: 'running', version: '3.5.0' } as const;
  const db = service([live], { version: '8.0', cluster: 'c' });
  beforeAll(async () => {
    ({ table: groupsTable, stop: end } = await startTable(/"(NODE|SERVICE|AGENT|HEARTBEATS|HEARTBEAT_GROUP)#/));
    await addAll(groupsTable, live, silent, bare, agent, pmmAgent(silent), db);
    await addAll(groupsTable, service([silent], { version: '8.4' }), service([bare]));
    await addAll(groupsTable, exporter(agent, [db]), exporter(agent, [db], { disabled: true, status: 'done' }));
    await reportOf(groupsTable, agent, now, [itself]);
  });
  afterAll(() => end());

  const count = (query: Omit<GroupQuery, 'after'>) =>
    countGroups(groupsTable, query, { after: undefined, ownerLabel: 'team', reader: { scope: undefined, now } });
  const counted = async (query: Omit<GroupQuery, 'after'>) =>
    (await count(query)).groups.map(({ value, count: number }) => `${value ?? '-'} ${number}`);

  test('a group has the worst state of its objects; the largest group is first, and objects without the property form a group without a value', async () => {
    const { groups, label, next } = await count({ kind: 'node', group_by: 'region' });
    expect(groups).toEqual([
      { value: 'eu', count: 2, state: 'never_seen', by_state: { live: 1, never_seen: 1 } },
      { count: 1, state: 'never_seen', by_state: { never_seen: 1 } },
    ]);
    expect([label, next]).toEqual([undefined, undefined]);
  });

  test.each<[Omit<GroupQuery, 'after'>, string[]]>([
    [{ kind: 'node', group_by: 'state' }, ['never_seen 2', 'live 1']],
    [{ kind: 'node', group_by: 'state', state: 'live' }, ['live 1']],
    [{ kind: 'node', group_by: 'type' }, ['generic 3']],
    [{ kind: 'node', group_by: 'cluster' }, ['- 2', 'c 1']],
    [{ kind: 'node', group_by: 'region', region: 'eu' }, ['eu 2']],
    [{ kind: 'node', group_by: 'agent_version' }, ['- 2', '3.5.0 1']],
    [{ kind: 'node', group_by: 'region', agent_version: '' }, ['- 1', 'eu 1']],
    [{ kind: 'agent', group_by: 'version' }, ['- 3', '3.5.0 1']],
    [{ kind: 'agent', group_by: 'status', status_for: '1h' }, []],
    [{ kind: 'service', group_by: 'version' }, ['- 1', '8.0 1', '8.4 1']],
    [{ kind: 'service', group_by: 'version', version: '8.4' }, ['8.4 1']],
    [{ kind: 'service', group_by: 'version', version: '' }, ['- 1']],
    [{ kind: 'service', group_by: 'region' }, ['eu 2', '- 1']],
    [{ kind: 'agent', group_by: 'type' }, ['mysqld_exporter 2', 'pmm_agent 2']],
    [{ kind: 'agent', group_by: 'type', type: 'pmm_agent' }, ['pmm_agent 2']],
    [{ kind: 'agent', group_by: 'status' }, ['- 2', 'done 1', 'unknown 1']],
  ])('counts the matching objects by value for %j', async (query, expected) =>
    expect(await counted(query)).toEqual(expected),
  );

  test('groups by owner name the owner label', async () => {
    const { groups, label } = await count({ kind: 'node', group_by: 'owner' });
    expect(label).toBe('team');
    expect(groups.map(({ value, count: number }) => [value, number])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });
});

test.each([
  [50, 50],
  [51, 1],
])('grouping %d selected nodes by cluster reads their services in %d queries', async (count, expected) => {
  const Items = Array.from({ length: count }, () => itemOf(node()));
  let reads = 0;
  const fake = fakeTable((command, { ExpressionAttributeValues: values }) => {
    if (command === 'BatchGetCommand') return { Responses: {} };
    const [partition] = Object.values<string>(values);
    if (partition === 'NODES') return { Items };
    reads += 1;
    return { Items: [] };
  });
  const reader = { scope: undefined, now: testTime() };
  const query = { kind: 'node', group_by: 'cluster', selector: '!none' } as const;
  const { groups } = await countGroups(fake, query, { after: undefined, ownerLabel: 'team', reader });
  expect([groups[0]?.count, reads]).toEqual([count, expected]);
});

describe('a list of any length', () => {
  const PAGE = 1000;

  /** Counts a list without an end, whose pages all have these nodes. */
  async function counted(regionOf: (index: number) => string) {
    const Items = Array.from({ length: PAGE }, (_, index) => itemOf(node({ region: regionOf(index) })));
    const { pk, sk } = Items[0]!;
    const endless = fakeTable((_, { ExpressionAttributeValues: values }) =>
      Object.values(values).includes('NODES') ? { Items, LastEvaluatedKey: { pk, sk } } : { Items: [] },
    );
    const query = { kind: 'node', group_by: 'region' } as const;
    const reader = { scope: undefined, now: testTime() };
    const { groups, next } = await countGroups(endless, query, { after: undefined, ownerLabel: 'team', reader });
    return [groups.reduce((sum, { count }) => sum + count, 0), next !== undefined];
  }

  test('is counted for 20,000 objects at once', async () => {
    expect(await counted(() => 'eu')).toEqual([20 * PAGE, true]);
  });

  test('is counted up to the page that completes 1,000 groups', async () => {
    expect(await counted((index) => `r${index}`)).toEqual([PAGE, true]);
    expect(await counted((index) => `r${Math.max(index, 1)}`)).toEqual([20 * PAGE, true]);
  });
});
