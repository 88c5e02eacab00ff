import { randomUUID } from 'node:crypto';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { findAgent, shownNames, titleOf, withReadNames, withTitles } from './agents.ts';

const [db1, db2, orders, pay] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const nodes = [
  { node_id: db1, node_name: 'db-1' },
  { node_id: db2, node_name: 'db-2' },
];
const services = [
  // A service and a node can have one name.
  { service_id: randomUUID(), service_name: 'db-2' },
  { service_id: orders, service_name: 'orders' },
  { service_id: pay, service_name: 'pay' },
];
const agent = (
  id: string,
  type: string,
  place: string | undefined,
  service_ids: string[],
  node_ids: string[] = [],
) => ({
  ...{ agent_id: id, agent_type: type, insights: { service_ids, node_ids } },
  ...(place === undefined ? {} : { runs_on_node_id: place }),
});
const agents = [
  agent('a1', 'mysqld_exporter', db1, [orders]),
  agent('a2', 'mysqld_exporter', db1, [pay]),
  agent('a3', 'mysqld_exporter', db2, [orders, pay]),
  agent('a4', 'pmm_agent', db1, []),
  agent('a5', 'node_exporter', db1, [], [db1]),
  agent('a6', 'external_exporter', undefined, [], [db1, db2]),
];

/** A server with these objects, which filters as ours does. */
function client() {
  const call = commandCall({
    answer: ({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://x');
      const given = (name: string) => searchParams.get(name);
      const isNamed = (name: string) => name.startsWith(given('name_prefix') ?? '');
      const isSelected = (id: string) => given('selector')?.includes(id) ?? true;
      if (pathname === '/v1/nodes')
        return { nodes: nodes.filter((node) => isNamed(node.node_name) && isSelected(node.node_id)) };
      if (pathname === '/v1/services')
        return {
          services: services.filter((service) => isNamed(service.service_name) && isSelected(service.service_id)),
        };
      expect(['runs_on_node_id', 'service_id', 'node_id'].filter(given).length).toBeLessThan(2);
      const isListed = ({ agent_type: type, runs_on_node_id: place, insights }: (typeof agents)[number]) =>
        type === given('agent_type') &&
        place === (given('runs_on_node_id') ?? place) &&
        (given('service_id') === null || insights.service_ids.includes(given('service_id')!)) &&
        (given('node_id') === null || insights.node_ids.includes(given('node_id')!));
      return { agents: agents.filter(isListed) };
    },
  });
  return call.connect();
}

test.each([
  ['mysqld_exporter of orders on db-1', 'a1'],
  ['mysqld_exporter on db-1 of pay', 'a2'],
  ['mysqld_exporter of orders,pay', 'a3'],
  ['mysqld_exporter of service/orders on node/db-2', 'a3'],
  // One target of several is enough, but an agent with only this one precedes.
  ['mysqld_exporter of orders', 'a1'],
  ['mysqld_exporter on db-2', 'a3'],
  ['pmm_agent', 'a4'],
  ['node_exporter on db-1', 'a5'],
  ['node_exporter of db-1', 'a5'],
  ['external_exporter of db-2', 'a6'],
  ['external_exporter of node/db-2,db-1', 'a6'],
])('%s is found', async (text, id) => {
  expect(await findAgent(await client(), text)).toMatchObject({ kind: 'agent', id, object: { agent_id: id } });
});

test('several agents are refused, with the title and the id of each', async () => {
  await expect(findAgent(await client(), 'mysqld_exporter on db-1')).rejects.toMatchObject({
    exit: 'usage',
    message: expect.stringMatching(
      /^2 agents are mysqld_exporter on db-1\..* agent\/a1 \(mysqld_exporter of orders on db-1\), agent\/a2 \(/,
    ),
  });
});

test('an error names five agents, and counts the others', async () => {
  const errorOf = async (count: number) => {
    const alike = Array.from({ length: count }, (_, index) => agent(`b${index}`, 'valkey_exporter', undefined, []));
    const call = commandCall({ answer: ({ path }) => (path.startsWith('/v1/agents') ? { agents: alike } : {}) });
    return findAgent(await call.connect(), 'valkey_exporter').catch(String);
  };
  expect(await errorOf(5)).toMatch(/^Error: 5 agents are .*agent\/b4 \([^)]*\)\.$/);
  expect(await errorOf(7)).toMatch(/^Error: 7 agents are .*agent\/b4 \([^)]*\) and 2 more\.$/);
});

test.each(['mysqld_exporter on db-3', 'mysqld_exporter of nothing', 'pmm_agent on db-2', 'pmm_agent of service/db-1'])(
  '%s is missing',
  async (text) => {
    await expect(findAgent(await client(), text)).rejects.toMatchObject({ exit: 'missing' });
  },
);

test('each title finds its agent again', async () => {
  const titled = await withTitles(await client(), agents);
  for (const { agent: title, agent_id: id } of titled)
    expect([title, await findAgent(await client(), String(title))]).toEqual([title, expect.objectContaining({ id })]);
});

test('a title has the targets in order, without its own node', () => {
  expect(titleOf({ type: 'x', targets: ['b', 'a'], place: 'n' })).toBe('x of a,b on n');
  expect(titleOf({ type: 'x', targets: ['n'], place: 'n' })).toBe('x on n');
  expect(titleOf({ type: 'x', targets: [], place: undefined })).toBe('x');
});

test('an object that the caller cannot see keeps its id in the title', async () => {
  const hidden = randomUUID();
  const [{ agent: title } = {}] = await withTitles(await client(), [agent('a', 'x', hidden, [orders])]);
  expect(title).toBe(`x of orders on ${hidden}`);
});

test('the names of objects of all kinds keep their order', async () => {
  const objects = [
    { kind: 'agent', object: agents[0]! },
    { kind: 'node', object: nodes[0]! },
    { kind: 'agent', object: agents[3]! },
  ] as const;
  expect(await shownNames(await client(), objects)).toEqual([
    'agent/mysqld_exporter of orders on db-1',
    'node/db-1',
    'agent/pmm_agent on db-1',
  ]);
});

test('the names of other objects are beside their ids, as desired-state files have them', async () => {
  const [read] = await withReadNames(await client(), [agents[0]!]);
  expect(read).toMatchObject({
    ...{ agent: 'mysqld_exporter of orders on db-1', runs_on_node_id: db1, runs_on_node_name: 'db-1' },
    insights: { service_ids: [orders], service_names: ['orders'], node_ids: [], node_names: [] },
  });
  const service = { service_id: orders, service_name: 'orders', node_ids: [db1, db2] };
  expect(await withReadNames(await client(), [service])).toEqual([{ ...service, node_names: ['db-1', 'db-2'] }]);
});
