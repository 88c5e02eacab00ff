import type { Table } from '../../../shared/db/table.ts';
import { addAll, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { startTable, withSend } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import { idOf } from '../entities/entity.ts';
import { newHeartbeat, toHeartbeat } from '../heartbeats/heartbeat.ts';
import { agentQuestion, listAgents } from './list-agents.ts';
import { listNodes, nodeQuestion } from './list-nodes.ts';
import { serviceQuestion } from './list-services.ts';
import { explain } from './explain.ts';
import { statesAt } from './by-states.ts';
import { planOf } from './plan.ts';
import type { Question } from './question.ts';

let table: Table;
let stop: () => Promise<void>;
const now = testTime();
const places = ['eu', 'eu', 'us'].map((region, index) => node({ region, address: `10.0.0.${index}` }));
const processes = places.map((place) => pmmAgent(place));
const services = places.map((place, index) => service([place], { cluster: `c${index}`, version: '8.4' }));

beforeAll(async () => {
  ({ table, stop } = await startTable());
  for (const [index, place] of places.entries())
    await addAll(table, place, processes[index]!, services[index]!, exporter(processes[index]!, [services[index]!]));
});
afterAll(() => stop());

async function explained<Kind extends ObjectKind>(kind: Kind, question: Question<Kind>): Promise<string> {
  return explain(await planOf(table, kind, question, undefined, { states: statesAt(now) }));
}

test.each([
  [{}, 'nodes: by_name'],
  [{ name_prefix: 'a' }, 'nodes: by_name with a prefix'],
  [{ node_type: 'generic' as const }, 'nodes: by_type; filter labels'],
  [{ region: 'eu' }, 'nodes: references of 1 collections; filter labels'],
  [{ region: 'eu', selector: 'tier=gold' }, 'nodes: references of 1 x 2 collections; filter labels'],
  // Further sources would cost more than they exclude.
  [{ region: 'eu', selector: 'a=1,b=1,c=1' }, 'nodes: references of 1 x 2 x 2 collections; filter labels'],
  [{ selector: 'node_name=x' }, 'nodes: 0 ids; filter labels'],
  [{ selector: '!tier' }, 'nodes: by_name; filter labels'],
  [{ state: 'offline' }, 'nodes: all heartbeats; join heartbeats; filter state'],
  [{ state: 'offline', region: 'eu' }, 'nodes: references of 1 collections; join heartbeats; filter labels, state'],
  [{ updated_since: '2026-01-01T00:00:00Z' }, 'nodes: by_name; filter updated_since'],
])('nodes by %j are read by the plan "%s"', async (filters, expected) => {
  expect(await explained('node', await nodeQuestion(table, filters, undefined))).toBe(expected);
});

test.each([
  [{ version: '8.4' }, 'services: by_name; filter version'],
  [{ region: 'eu' }, 'services: references of 2 collections; join region'],
  [{ node_id: idOf(places[0]!) }, 'services: references of 1 collections; filter relation'],
])('services by %j are read by the plan "%s"', async (filters, expected) => {
  expect(await explained('service', serviceQuestion(filters))).toBe(expected);
});

test.each([
  [{ agent_type: 'pmm_agent' as const }, 'agents: by_name with a prefix; filter labels'],
  [{ cluster: 'c0' }, 'agents: references of 1 collections; join cluster'],
  [{ version: '1' }, 'agents: by_name; join heartbeats; filter version'],
])('agents by %j are read by the plan "%s"', async (filters, expected) => {
  expect(await explained('agent', agentQuestion(filters))).toBe(expected);
});

test('a caller confined to a node reads the collection of its node only', async () => {
  const scope = idOf(places[0]!);
  expect(await explained('node', { ...(await nodeQuestion(table, {}, scope)), scope })).toBe(
    'nodes: 1 ids; filter scope',
  );
  expect(await explained('agent', { ...agentQuestion({}), scope })).toBe(
    'agents: references of 1 collections; filter scope',
  );
});

test.each([
  [50, 'services: all heartbeats, references of 50 collections; join heartbeats; filter state'],
  [51, 'services: by_name; join heartbeats; filter state'],
])('services of %d nodes in a state are read by the plan "%s"', async (count, expected) => {
  const heartbeat = toHeartbeat(newHeartbeat(places[0]!.object, now));
  const processes = new Map([['p', { at: now.getTime(), agents: {} }]]);
  const nodeIds = Array.from({ length: count }, (_, index) => `n${index}`);
  const heartbeats = new Map(nodeIds.map((nodeId) => [nodeId, { ...heartbeat, nodeId, processes }]));
  const use = { states: statesAt(now), heartbeats };
  expect(explain(await planOf(table, 'service', serviceQuestion({ state: 'live' }), undefined, use))).toBe(expected);
});

test('a page that a filter thins out is full, or the last one', async () => {
  const reader = { scope: undefined, now };
  const first = await listNodes(table, { selector: 'region!=us' }, { size: 2, after: undefined }, reader);
  expect(first.objects).toHaveLength(2);
  const agents = await listAgents(
    table,
    { selector: '!tier', state: 'never_seen' },
    { size: 5, after: undefined },
    reader,
  );
  expect(agents.objects).toHaveLength(5);
  expect((await listAgents(table, {}, { size: 5, after: agents.next! }, reader)).objects).toHaveLength(1);
});

test('a name is looked up unless it is longer than 1,020 bytes', async () => {
  const lookUpsOf = async (bytes: number) => {
    let reads = 0;
    const counted = withSend(table, (command) => {
      reads += 1;
      return table.client.send(command);
    });
    const question = await nodeQuestion(table, { selector: `node_name=${'x'.repeat(bytes)}` }, undefined);
    await planOf(counted, 'node', question, undefined);
    return reads;
  };
  expect([await lookUpsOf(1020), await lookUpsOf(1021)]).toEqual([1, 0]);
});

test('the debug log shows the plan without values from the request', async () => {
  const lines: unknown[] = [];
  const reader = { scope: undefined, now, log: (line: unknown) => void lines.push(line) };
  await listNodes(table, { region: 'eu' }, { size: 2, after: undefined }, reader);
  expect(lines).toEqual([
    { level: 'debug', message: 'plan', plan: 'nodes: references of 1 collections; filter labels' },
  ]);
});

test('a caller confined to a node counts what it may see, whatever the summary says', async () => {
  const keptTotal = () => Promise.resolve({ total: 3 });
  const page = { size: 1, after: undefined };
  const ofEverybody = await listNodes(table, { total: true }, page, { scope: undefined, now, keptTotal });
  const ownPage = await listNodes(table, { total: true }, page, { scope: idOf(places[0]!), now, keptTotal });
  expect([ofEverybody.total, ownPage.total]).toEqual([{ total: 3 }, { total: 1 }]);
});
