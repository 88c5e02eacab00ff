import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { checkInvariants, readList, scan } from '../consistency/invariants.ts';
import { countFrom } from '../consistency/random.ts';
import { addNode, addService } from '../support/add.ts';
import type { RequestOptions, Reply } from '../support/inventory.ts';
import { allAtOnce } from './all-at-once.ts';
import type { FaultyInventory } from './faulty-inventory.ts';
import { complaintsAbout, timed } from './outcome.ts';
import type { Rule } from './proxy.ts';

/** Number of programs that register the same objects at the same time. */
const PROGRAMS = 100;

const seed = countFrom('SEED', 1);

/** What registering meets; whatever it is, the programs go on until they are answered. */
const weathers: readonly (readonly [name: string, rules: Rule[]])[] = [
  ['nothing goes wrong', []],
  ['answers are lost', [{ fault: { kind: 'lost answer' }, probability: 0.3 }]],
  ['answers of every attempt are lost, now and then', [{ fault: { kind: 'lost answer' }, probability: 0.5 }]],
  // Who registers first leaves little to write for the others, so most of it has to be struck.
  ['transactions conflict', [{ fault: { kind: 'conflict' }, probability: 0.8 }]],
  [
    'answers are lost, cut short or late, calls are lost, transactions conflict or are still in progress',
    [
      { fault: { kind: 'refusal', error: 'TransactionInProgressException' }, attempts: [2, 3], probability: 0.3 },
      { fault: { kind: 'lost answer' }, probability: 0.15 },
      { fault: { kind: 'half answer' }, probability: 0.05 },
      { fault: { kind: 'lost call' }, probability: 0.1 },
      { fault: { kind: 'error after all' }, probability: 0.05 },
      { fault: { kind: 'conflict' }, probability: 0.15 },
      { fault: { kind: 'slow answer', delayMs: 30 }, probability: 0.1 },
    ],
  ],
];

/** A program that repeats its request until it is answered, as the answer tells it to. */
async function untilAnswered(
  { request }: FaultyInventory,
  complaints: string[],
  [method, path, call]: [method: string, path: string, call: RequestOptions],
): Promise<Reply> {
  for (;;) {
    const outcome = await timed(() => request(method, path, call));
    complaints.push(...complaintsAbout(path, outcome));
    if (outcome.reply.status < 500) return outcome.reply;
    await delay(50 * Math.random());
  }
}

const many = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: PROGRAMS }, (_, index) => make(index)));

/** Does the work in this weather, which must be felt. */
async function during<T>({ proxy }: FaultyInventory, rules: Rule[], work: () => Promise<T>): Promise<T> {
  proxy.disturb(...rules);
  const result = await work();
  const strokes = Object.values(proxy.struck).reduce((sum, count) => sum + count, 0);
  proxy.disturb();
  await proxy.idle();
  expect(strokes > 0).toBe(rules.length > 0);
  return result;
}

/** What one program after the other would leave behind, and nothing else wrong. */
async function expectSound({ table, request }: FaultyInventory, complaints: string[]): Promise<void> {
  expect([...complaints, ...(await checkInvariants(table, { read: (path) => request('GET', path) }))]).toEqual([]);
}

async function registerOneNode(inventory: FaultyInventory, rules: Rule[]): Promise<void> {
  const { request, table } = inventory;
  const name = `db 1/2 % ${randomUUID()}`;
  const path = `/v1/nodes/by-name/${encodeURIComponent(name)}`;
  const body = { node_type: 'generic', address: '10.0.0.1', region: randomUUID() };
  const complaints: string[] = [];
  const put = (declared: object) => untilAnswered(inventory, complaints, ['PUT', path, { body: declared }]);
  const replies = await during(inventory, rules, () => many(() => put(body)));
  expect(new Set(replies.map(({ status }) => status < 300))).toEqual(new Set([true]));
  const ids = new Set<string>(replies.map((reply) => reply.body.node_id));
  expect(ids.size).toBe(1);
  // One of them added it, unless its answer is the one that was lost; none of them found anything else.
  expect(replies.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
  expect(replies.map(({ body: { outcome } }) => outcome)).not.toContain('changed');
  const [id = ''] = ids;

  // With services on it, it is registered again, and by half of them with another address.
  const services = await Promise.all([1, 2, 3].map(() => addService(inventory, { node_ids: [id] })));
  await during(inventory, rules, () => many((index) => put({ ...body, address: `10.0.0.${1 + (index % 2)}` })));
  const nodes = (await scan(table)).filter((item) => item['sk'] === 'NODE' && item['node_name'] === name);
  expect(nodes.map((node) => node['node_id'])).toEqual([id]);
  const read = (url: string) => request('GET', url);
  const registered = await readList(read, 'services', { node_id: id });
  const byName = (left: any, right: any) => (left.service_name < right.service_name ? -1 : 1);
  expect(registered).toEqual(services.toSorted(byName));
  await expectSound(inventory, complaints);
}

async function registerServiceAndAgent(inventory: FaultyInventory, rules: Rule[]): Promise<void> {
  const { table } = inventory;
  const { node_id: nodeId } = await addNode(inventory);
  const complaints: string[] = [];
  const service = { service_type: 'mysql', address: 'a', port: 3306, node_ids: [nodeId], cluster: 'c' };
  const put = async (path: string, body: object) =>
    (await untilAnswered(inventory, complaints, ['PUT', path, { body }])).body;
  // Each program registers what it finds on its host, from the top down.
  const registerAll = async () => {
    const { service_id: serviceId } = await put('/v1/services/by-name/orders', service);
    const { agent_id: host } = await put('/v1/agents/by-key', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
    const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: host, insights: { service_ids: [serviceId] } };
    const { agent_id: agentId } = await put('/v1/agents/by-key', exporter);
    const { agent_id: nodeExporter } = await put('/v1/agents/by-key', {
      agent_type: 'node_exporter',
      pmm_agent_id: host,
    });
    return [serviceId, host, agentId, nodeExporter].join();
  };
  const ids = await during(inventory, rules, () => many(registerAll));
  expect(new Set(ids).size).toBe(1);
  const items = await scan(table);
  const count = (sort: string) => items.filter(({ sk }) => sk === sort).length;
  expect({ services: count('SERVICE'), agents: count('AGENT') }).toEqual({ services: 1, agents: 3 });
  await expectSound(inventory, complaints);
}

const KEYS = 20;

async function addUnderKeys(inventory: FaultyInventory, rules: Rule[]): Promise<void> {
  const { table } = inventory;
  const { node_id: nodeId } = await addNode(inventory);
  const complaints: string[] = [];
  // Nothing about an agent is unique: only the key keeps there being two of it.
  const requests = Array.from({ length: KEYS }, (_, index) => ({
    body: {
      agent_type: 'external_exporter',
      runs_on_node_id: nodeId,
      listen_port: 1 + index,
      custom_labels: { key: `k${index}` },
    },
    headers: { 'Idempotency-Key': randomUUID() },
  }));
  const replies = await during(inventory, rules, () =>
    many((index) => untilAnswered(inventory, complaints, ['POST', '/v1/agents', requests[index % KEYS]!])),
  );
  const answers = replies.map(({ status, text }, index) => `${index % KEYS} ${status} ${text}`);
  expect(new Set(answers).size).toBe(KEYS);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  const agents = (await scan(table)).filter(({ sk }) => sk === 'AGENT');
  const labels = agents.map((agent) => (agent['custom_labels'] as Record<string, string>)['key']);
  expect(labels.sort()).toEqual(requests.map(({ body }) => body.custom_labels.key).sort());
  await expectSound(inventory, complaints);
}

const scenarios = [
  [`a node registered ${PROGRAMS} times at once is one node with one id, and keeps its services`, registerOneNode],
  [`a service and its agents registered ${PROGRAMS} times at once are one of each`, registerServiceAndAgent],
  [`${PROGRAMS} adds under ${KEYS} keys add one for each key, and answer alike`, addUnderKeys],
] as const;

allAtOnce(
  scenarios.flatMap(([promise, work]) =>
    weathers.map(([weather, rules]) => ({
      name: `${promise}, while ${weather} (SEED=${seed})`,
      seed,
      work: (inventory: FaultyInventory) => work(inventory, rules),
    })),
  ),
  { parallel: 5 },
);
