/** The parameters of the lists: list-nodes.ts, list-services.ts, list-agents.ts. */
import type { Table } from '../../../shared/db/table.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable, startTable, withSend } from '../../../tests/support/table.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { useTable } from '../../../tests/support/fixtures.ts';
import { jsonBytesInReply, MAX_REPLY_BYTES } from '../../../shared/core/reply-size.ts';
import type { Position } from '../../../shared/db/page-token.ts';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Entity, type EntityOf, idOf, itemOf, keyOf } from '../entities/entity.ts';
import { newHeartbeat } from '../heartbeats/heartbeat.ts';
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

test('the total counts what matches, by references or by objects', async () => {
  const totalOf = async (filters: NodeFilters) =>
    (await listNodes(table, { ...filters, total: true }, { size: 1, after: undefined }, reader)).total;
  expect([await totalOf({ region: 'eu' }), await totalOf({ selector: 'region in (eu,us)' })]).toEqual([
    { total: 1 },
    { total: 2 },
  ]);
  expect([await totalOf({}), await totalOf({ selector: '!none', name_prefix: 'n2' })]).toEqual([
    { total: 2 },
    { total: 1 },
  ]);
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

describe('a page that takes several rounds', () => {
  const { table: rounds, passing } = useTable();
  const exporters: EntityOf<'agent'>[] = [];
  beforeAll(async () => {
    const place = node();
    const process = pmmAgent(place);
    await addAll(rounds, place, process);
    for (let number = 0; number < 20; number += 1) {
      const agent = exporter(process, [], { agent_id: `x${String(number).padStart(2, '0')}` });
      await addAll(rounds, agent);
      exporters.push(agent);
    }
    const reports = ['x00', 'x15'].map((agent_id) => ({ agent_id, status: 'running' as const, version: agent_id }));
    await reportOf(rounds, process, reader.now, reports);
  });

  /** The ids and states of a page of agents, and how its heartbeats were read. */
  async function readBy(version: string, answer: (command: any) => unknown = () => undefined) {
    const reads: Record<string, number> = {};
    const counted = withSend(rounds, (command) => {
      const { name } = command.constructor;
      if (!JSON.stringify(command.input).includes('HEARTBEATS#')) return rounds.client.send(command);
      reads[name] = (reads[name] ?? 0) + 1;
      return answer(command) ?? rounds.client.send(command);
    });
    const { objects } = await listAgents(counted, { version }, { size: 10, after: undefined }, reader);
    return { shown: objects.map((json) => [parse(json).agent_id, parse(json).state]), reads };
  }

  test('reads the heartbeats of each round if a tenth of the first objects match, and all heartbeats if fewer do', async () => {
    expect(await readBy('x00')).toEqual({ shown: [['x00', 'live']], reads: { BatchGetCommand: 2 } });
    expect(await readBy('x15')).toEqual({ shown: [['x15', 'live']], reads: { BatchGetCommand: 1, QueryCommand: 16 } });
  });

  test('reads the heartbeats of each round also where there are too many to read them all', async () => {
    const [Item] = [newHeartbeat(node({ node_id: '00000001' }).object, reader.now)];
    const many = ({ constructor: { name } }: object) =>
      name === 'QueryCommand' ? { Items: [Item], LastEvaluatedKey: { pk: Item.pk, sk: Item.sk } } : undefined;
    expect(await readBy('x15', many)).toEqual({
      shown: [['x15', 'live']],
      reads: { BatchGetCommand: 2, QueryCommand: 16 },
    });
  });

  test.each([
    ['no', 12_001, true],
    ['a', 12_000, false],
  ])('reads %s further round after %d ms, and says where the next page begins', async (_, milliseconds, isShort) => {
    let calls = 0;
    const slow = withSend(rounds, (command) => {
      calls += 1;
      if (calls === 1) passing.advance(milliseconds);
      return rounds.client.send(command);
    });
    const list = (after: Position | undefined, at: Table) =>
      listAgents(at, { selector: 'agent_id!=x00,agent_id!=x01' }, { size: 2, after }, reader);
    const first = await list(undefined, slow);
    expect([first.objects.length, first.next !== undefined]).toEqual([isShort ? 0 : 2, true]);
    const second = await list(first.next, rounds);
    expect(parse(second.objects[0]!).agent_id).toBe(isShort ? 'x02' : 'x04');
  });

  test('ends before the object that does not fit into a reply with those of the rounds before', async () => {
    const places = Array.from({ length: 24 }, (_, number) =>
      node({
        node_name: `large${String(number).padStart(2, '0')}`,
        region: 'large',
        address: String(number),
        ...(number < 8 ? { custom_labels: { skipped: 'x' } } : { model: 'x'.repeat(330_000) }),
      }),
    );
    for (const place of places) await addAll(rounds, place);
    const filters = { region: 'large', selector: '!skipped' };
    const names: string[] = [];
    const counts: number[] = [];
    let after: Position | undefined;
    do {
      const { objects, next } = await listNodes(rounds, filters, { size: 16, after }, reader);
      const bytes = objects.reduce((sum, json) => sum + jsonBytesInReply(json), 0);
      expect(bytes).toBeLessThanOrEqual(MAX_REPLY_BYTES);
      names.push(...objects.map((json) => parse(json).node_name));
      counts.push(objects.length);
      after = next;
    } while (after !== undefined);
    expect(names).toEqual(places.slice(8).map(({ object }) => object.node_name));
    expect(counts).toEqual([15, 1]);
  });
});

test.each([
  ['is the number of all objects after 12 seconds', 12_000, { total: 2000 }],
  ['is unknown after more than 12 seconds', 12_001, undefined],
])('the total of a list that is counted by its objects %s', async (_, milliseconds, expected) => {
  const clock = manualClock();
  const items = Array.from({ length: 1000 }, () => itemOf(node()));
  let pages = 0;
  const fake = fakeTable((_command, { Limit }) => {
    if (Limit !== 1001) return { Items: [] };
    pages += 1;
    if (pages === 1) clock.advance(milliseconds);
    return { Items: items, ...(pages === 1 ? { LastEvaluatedKey: items[0] } : {}) };
  });
  const one = { size: 1, after: undefined };
  const { total } = await listNodes({ ...fake, monotonic: clock }, { total: true, selector: '!none' }, one, reader);
  expect(total).toEqual(expected);
});
