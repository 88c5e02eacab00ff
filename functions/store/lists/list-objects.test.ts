/** The parameters of the lists: list-nodes.ts, list-services.ts, list-agents.ts. */
import type { Table } from '../../../shared/db/table.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { startTable, withSend } from '../../../tests/support/table.ts';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Entity, idOf, keyOf } from '../entities/entity.ts';
import { type AgentFilters, listAgents } from './list-agents.ts';
import { listNodes, type NodeFilters } from './list-nodes.ts';
import { listServices, type ServiceFilters } from './list-services.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let table: Table;
let stop: () => Promise<void>;
const [n1, n2] = [
  node({ node_name: 'n1', region: 'eu', address: '1' }),
  node({ node_name: 'n2', region: 'us', node_type: 'container', address: '2' }),
];
const [p1, p2] = [pmmAgent(n1), pmmAgent(n2)];
const s1 = service([n1], { service_name: 's1', cluster: 'c1', environment: 'e1', group: 'g1', version: '8' });
const s2 = service([n2], {
  service_name: 's2',
  cluster: 'c2',
  environment: 'e2',
  group: 'g2',
  service_type: 'haproxy',
});
const [x1, x2] = [exporter(p1, [s1]), external({ nodes: [n2] })];
beforeAll(async () => {
  ({ table, stop } = await startTable());
  await addAll(table, n1, n2, p1, p2, s1, s2, x1, x2);
});
afterAll(() => stop());

const page = { size: 9, after: undefined };
const reader = { scope: undefined, now: testTime() };
const ids = (...entities: readonly Entity[]) => entities.map(idOf);
const parse = (json: string): any => JSON.parse(json);

test.each<[NodeFilters, readonly Entity[]]>([
  [{}, [n1, n2]],
  [{ node_type: 'container' }, [n2]],
  [{ region: 'eu' }, [n1]],
  [{ name_prefix: 'n2' }, [n2]],
  [{ region: 'eu', node_type: 'container' }, []],
])('lists exactly the nodes that match %j', async (filters, expected) => {
  const { objects } = await listNodes(table, filters, page, reader);
  expect(objects.map((json) => parse(json).node_id)).toEqual(ids(...expected));
});

test.each<[ServiceFilters, readonly Entity[]]>([
  [{}, [s1, s2]],
  [{ service_type: 'haproxy' }, [s2]],
  [{ name_prefix: 's1' }, [s1]],
  [{ node_id: idOf(n2) }, [s2]],
  [{ cluster: 'c1' }, [s1]],
  [{ environment: 'e2' }, [s2]],
  [{ group: 'g1' }, [s1]],
  [{ cluster: 'c1', group: 'g2' }, []],
  [{ version: '8' }, [s1]],
  [{ version: '' }, [s2]],
  [{ version: '9' }, []],
  [{ version: '8', state: 'never_seen' }, [s1]],
  [{ version: '8', state: 'live' }, []],
  [{ version: '', state: 'never_seen' }, [s2]],
])('lists exactly the services that match %j', async (filters, expected) => {
  const { objects } = await listServices(table, filters, page, reader);
  expect(objects.map((json) => parse(json).service_id)).toEqual(ids(...expected));
});

test.each<[AgentFilters, readonly Entity[]]>([
  [{ agent_type: 'mysqld_exporter' }, [x1]],
  [{ runs_on_node_id: idOf(n1) }, [x1, p1]],
  [{ pmm_agent_id: idOf(p1) }, [x1]],
  [{ node_id: idOf(n2) }, [x2]],
  [{ service_id: idOf(s1) }, [x1]],
  [{ runs_on_node_id: idOf(n1), agent_type: 'pmm_agent' }, [p1]],
])('lists exactly the agents that match %j', async (filters, expected) => {
  const { objects } = await listAgents(table, filters, page, reader);
  expect(objects.map((json) => parse(json).agent_id)).toEqual(ids(...expected));
});

test('the object of a relation must exist', async () => {
  const notFound = { kind: 'notFound' };
  await expect(listServices(table, { node_id: 'missing' }, page, reader)).rejects.toMatchObject(notFound);
  for (const filter of ['runs_on_node_id', 'pmm_agent_id', 'node_id', 'service_id'] as const)
    await expect(listAgents(table, { [filter]: 'missing' }, page, reader)).rejects.toMatchObject(notFound);
});

test('shows states only when asked for', async () => {
  const stateWith = async (filters: NodeFilters): Promise<unknown> =>
    parse((await listNodes(table, { name_prefix: 'n1', ...filters }, page, reader)).objects[0]!).state;
  expect(await stateWith({ include: 'state' })).toBe('never_seen');
  expect(await stateWith({ state: 'never_seen' })).toBe('never_seen');
  expect(await stateWith({})).toBeUndefined();
  // Agents report their version, and the list was selected by what they report.
  const [agent] = (await listAgents(table, { version: '', agent_type: 'pmm_agent' }, page, reader)).objects;
  expect(parse(agent!).state).toBe('never_seen');
});

test('reads the heartbeats of a page once, and only for a list that shows or selects by them', async () => {
  const readsOf = async (read: (table: Table) => Promise<unknown>) => {
    let reads = 0;
    const counted = withSend(table, (command) => {
      reads += JSON.stringify(command.input).includes('HEARTBEATS') ? 1 : 0;
      return table.client.send(command);
    });
    await read(counted);
    return reads;
  };
  const nodes = (filters: NodeFilters) => readsOf((counted) => listNodes(counted, filters, page, reader));
  expect([await nodes({}), await nodes({ include: 'state' })]).toEqual([0, 1]);
  const agents = (filters: AgentFilters) => readsOf((counted) => listAgents(counted, filters, page, reader));
  expect([await agents({ version: '1' }), await agents({ version: '', include: 'state' })]).toEqual([1, 1]);
  // One of each partition of the heartbeats.
  expect([await nodes({ state: 'live' }), await nodes({ state: 'never_seen', include: 'state' })]).toEqual([16, 16]);
});

test('without states and without `fields`, the list contains the stored text of a node', async () => {
  const { objects } = await listNodes(table, {}, page, reader);
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keyOf(n1), ConsistentRead: true }),
  );
  expect(objects[0]).toContain(String(Item?.['json']).slice(1));
  expect(parse(objects[0]!)).toEqual(n1.object);
});

test('`fields` selects fields, and always the id', async () => {
  const { objects } = await listNodes(table, { fields: 'address, region' }, page, reader);
  expect(parse(objects[0]!)).toEqual({ node_id: idOf(n1), address: '1', region: 'eu' });
});

test('no list shows an internal field', async () => {
  for (const filters of [{}, { include: 'state' as const }])
    for (const json of (await listAgents(table, filters, page, reader)).objects)
      for (const field of ['last_change', 'registered', 'removing']) expect(parse(json)).not.toHaveProperty(field);
});

test('the version of an agent is the one that its process reported', async () => {
  const report = { agent_id: idOf(x1), status: 'running' as const, version: '0.15' };
  await reportOf(table, p1, reader.now, [report]);
  const listed = async (version: string) =>
    (await listAgents(table, { version }, page, reader)).objects.map((json) => parse(json).agent_id);
  expect(await listed('0.15')).toEqual([idOf(x1)]);
  expect((await listed('')).sort()).toEqual(ids(p1, p2, x2).sort());
});
