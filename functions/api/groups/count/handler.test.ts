import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { addAgent, addNode, addService } from '../../../../tests/support/add.ts';
import { summaryKey } from '../../../store/table/keys.ts';
import { node, pmmAgent } from '../../../../tests/support/store.ts';
import { putObjectsAlone } from '../../../../tests/support/stored-objects.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

beforeAll(async () => {
  const host = async (name: string, region: string | undefined, cluster: string, team?: string) => {
    const place = region === undefined ? {} : { region, az: `${region}-a` };
    const labels = team === undefined ? {} : { custom_labels: { team, tier: 'gold' } };
    const { node_id: id } = await addNode(inventory, { node_name: name, address: name, ...place, ...labels });
    const { agent_id: process } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: id });
    const version = name === 'n1' ? {} : { version: '8.4' };
    const service = await addService(inventory, { node_ids: [id], cluster, environment: 'prod', ...version });
    const insights = { service_ids: [service.service_id] };
    const { agent_id: exporter } = await addAgent(inventory, {
      agent_type: 'mysqld_exporter',
      pmm_agent_id: process,
      insights,
    });
    return { id, process, exporter };
  };
  const [first, second] = [await host('n1', 'eu', 'a', 'dba'), await host('n2', 'eu', 'b', 'dba')];
  const third = await host('n3', 'us', 'b');
  await host('n4', undefined, 'b', 'web');
  for (const [{ process, exporter }, status, version] of [
    [first, 'waiting', '1.0'],
    [second, 'running', '1.1'],
    [third, 'waiting', '1.1'],
  ] as const)
    await inventory.request('POST', `/v1/agents/${process}/report`, {
      body: { agents: [{ agent_id: exporter, status, version }] },
    });
});

interface GroupRow {
  value?: string;
  count: number;
  state: string;
  by_state: Record<string, number>;
}

async function groupsOf(query: string): Promise<{ groups: GroupRow[]; next?: string; label?: string }> {
  const reply = await inventory.request('GET', `/v1/groups?${query}`, { as: 'Viewer' });
  expect([query, reply.status]).toEqual([query, 200]);
  return reply.body;
}

/** `eu 2 live`; the group without a value is `- 1 never_seen`. */
const shown = async (query: string) =>
  (await groupsOf(query)).groups.map(({ value = '-', count, state }) => `${value} ${count} ${state}`).sort();

test.each<[query: string, expected: string[]]>([
  ['', ['live 3 live', 'never_seen 1 never_seen']],
  ['kind=node&group_by=region', ['- 1 never_seen', 'eu 2 live', 'us 1 live']],
  ['kind=node&group_by=owner', ['- 1 live', 'dba 2 live', 'web 1 never_seen']],
  ['kind=node&group_by=labels.tier', ['- 1 live', 'gold 3 never_seen']],
  ['kind=node&group_by=type&cluster=b', ['generic 3 never_seen']],
  ['kind=node&group_by=cluster', ['a 1 live', 'b 3 never_seen']],
  ['kind=node&group_by=cluster&region=us', ['b 1 live']],
  ['kind=service&group_by=cluster', ['a 1 live', 'b 3 never_seen']],
  ['kind=service&group_by=region&cluster=b', ['- 1 never_seen', 'eu 1 live', 'us 1 live']],
  ['kind=service&group_by=version', ['- 1 live', '8.4 3 never_seen']],
  ['kind=service&group_by=labels.environment&state=live', ['prod 3 live']],
  ['kind=service&group_by=cluster&version=', ['a 1 live']],
  ['kind=agent&group_by=type', ['mysqld_exporter 4 never_seen', 'pmm_agent 4 never_seen']],
  ['kind=agent&group_by=region&status=waiting', ['eu 1 live', 'us 1 live']],
  ['kind=agent&group_by=az', ['- 2 never_seen', 'eu-a 4 live', 'us-a 2 live']],
  ['kind=agent&group_by=cluster', ['- 4 never_seen', 'a 1 live', 'b 3 never_seen']],
  ['kind=agent&group_by=version&type=mysqld_exporter', ['- 1 never_seen', '1.0 1 live', '1.1 2 live']],
  ['kind=agent&group_by=status&version=1.1', ['running 1 live', 'waiting 1 live']],
  ['kind=agent&group_by=environment&region=us', ['- 1 live', 'prod 1 live']],
  ['kind=service&group_by=type&selector=cluster%3Dnowhere', []],
])('groups of %s', async (query, expected) => {
  expect(await shown(query)).toEqual(expected);
});

test("a group has the number of objects in each state and the label's name", async () => {
  expect(await groupsOf('kind=node&group_by=owner')).toEqual({
    label: 'team',
    counted_at: expect.any(String),
    groups: [
      { value: 'dba', count: 2, state: 'live', by_state: { live: 2 } },
      { count: 1, state: 'live', by_state: { live: 1 } },
      { value: 'web', count: 1, state: 'never_seen', by_state: { never_seen: 1 } },
    ],
  });
});

test('the summary provides the groups of all objects, with its time, and other groups are counted now', async () => {
  const kept = ['', 'kind=node&group_by=region', 'kind=node&group_by=type', 'kind=agent&group_by=state&type=pmm_agent'];
  const values = ['group_by=az', 'kind=service&group_by=region', 'kind=agent&group_by=cluster', 'group_by=labels.tier'];
  const ofTypes = ['group_by=az&type=generic', 'kind=agent&group_by=version&type=mysqld_exporter', 'group_by=cluster'];
  for (const query of [...kept, ...values, ...ofTypes, 'kind=service&group_by=version&type=mongodb&state=live'])
    expect([query, await groupsOf(query)]).toEqual([
      query,
      expect.objectContaining({ counted_at: expect.any(String) }),
    ]);
  for (const query of [
    'group_by=cluster&type=generic',
    'group_by=region&az=eu-a',
    'group_by=labels.tier&type=generic',
    'group_by=labels.node_id',
  ])
    expect(await groupsOf(query)).not.toHaveProperty('counted_at');
});

test('a group that is older than a minute is counted anew, once for all requests', async () => {
  const timeOf = async (query: string) => ((await groupsOf(query)) as { counted_at?: string }).counted_at;
  const first = await timeOf('group_by=az');
  inventory.clock.now = new Date(Date.parse(first!) + 59_000);
  expect(await timeOf('kind=service&group_by=version')).toBe(first);
  inventory.clock.now = new Date(Date.parse(first!) + 61_000);
  const later = await timeOf('group_by=az');
  expect([later === first, await timeOf('kind=agent&group_by=region')]).toEqual([false, later]);
  inventory.clock.now = undefined;
});

test.each([
  ['kind=node&group_by=version', 'group_by'],
  ['kind=node&version=1', 'version'],
  ['kind=agent&name_prefix=a', 'name_prefix'],
  ['kind=service&status=waiting', 'status'],
  ['kind=service&group_by=labels.', 'group_by'],
  ['group_by=state&after=made-up', 'after'],
])('%s is refused', async (query, field) => {
  expect(await inventory.request('GET', `/v1/groups?${query}`)).toMatchObject({
    status: 400,
    body: { details: [{ field }] },
  });
});

test('the replies to a count in several parts have the correct sum', async () => {
  await inventory.table.client.send(new DeleteCommand({ TableName: inventory.table.name, Key: summaryKey }));
  const many = Array.from({ length: 1100 }, (_, index) => node({ region: `r${index}`, address: `r${index}` }));
  await putObjectsAlone(inventory.table, [...many, ...many.slice(0, 200).map((entity) => pmmAgent(entity))]);
  const counts = new Map<string, number>();
  let parts = 0;
  for (let after = ''; ; parts += 1) {
    const { groups, next } = await groupsOf(`kind=node&group_by=region${after}`);
    for (const { value = '', count } of groups) counts.set(value, (counts.get(value) ?? 0) + count);
    if (next === undefined) break;
    after = `&after=${next}`;
  }
  expect(parts).toBe(1);
  expect([counts.size, counts.get('eu'), counts.get('r1099')]).toEqual([1103, 2, 1]);
  expect((await shown('kind=agent&group_by=region')).filter((row) => row.startsWith('r'))).toHaveLength(200);
});
