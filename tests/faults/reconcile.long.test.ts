import { setTimeout as delay } from 'node:timers/promises';
import { continueWith } from '../../functions/triggers/continue-jobs/handler.ts';
import { continueReconciliation } from '../../functions/triggers/continue-jobs/reconciliation.ts';
import { reconciliationKey } from '../../functions/store/table/keys.ts';
import { noteProgress } from '../../functions/store/jobs/reconciliations.ts';
import { checkInvariants, readList } from '../consistency/invariants.ts';
import { countFrom, Random } from '../consistency/random.ts';
import { tableAt } from '../../local/engine/external-engine.ts';
import { addAgent, addHost, addService } from '../support/add.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { testTime } from '../support/test-time.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';
import { pastTheAuthorizer } from './outcome.ts';
import type { Rule } from './proxy.ts';

const seed = countFrom('SEED', 1);

let inventory: FaultyInventory;
beforeAll(async () => (inventory = await startFaultyInventory(seed, processClock)));
afterAll(() => inventory.stop());
beforeEach(() => inventory.newInstances());
afterEach(() => {
  inventory.proxy.disturb();
});

/** What stands on one address of the fleet: an instance is replaced by another one there. */
interface Instance {
  name: string;
  address: string;
  port: number;
}

const fleetOf = (fleet: string, count: number): Instance[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${fleet}-${index}-0`, address: `10.0.0.${index}`, port: 1 }));

const nodeOf = (fleet: string, { name, address }: Instance) => ({
  node_type: 'generic',
  node_name: name,
  address,
  region: fleet,
  custom_labels: { fleet },
});

/** A node, its database, the agent process and an exporter for each. */
const desiredOf = (fleet: string, instances: readonly Instance[]) => ({
  nodes: instances.map((instance) => nodeOf(fleet, instance)),
  services: instances.map(({ name, port }) => ({
    service_type: 'mysql',
    service_name: name,
    node_names: [name],
    address: 'a',
    port,
    custom_labels: { fleet },
  })),
  agents: instances.flatMap(({ name }) => [
    { agent_type: 'pmm_agent', runs_on_node_name: name },
    { agent_type: 'mysqld_exporter', runs_on_node_name: name, insights: { service_names: [name] } },
  ]),
});

const requestOf = (fleet: string, instances: readonly Instance[]) => ({
  mode: 'apply',
  scope: { selector: `fleet=${fleet}` },
  desired: desiredOf(fleet, instances),
  max_removals_percent: 50,
});

const send = (body: object) => inventory.request('POST', '/v1/reconcile', { body });

interface Tries {
  requests: number;
  statuses: Set<number>;
}

/** What a reconciler does: it repeats the request until the reply says that nothing is left. Of a job, it sends the id half of the time. */
async function insist(body: object, random: Random): Promise<Tries> {
  const statuses = new Set<number>();
  let job: string | undefined;
  for (let requests = 1; requests <= 60; requests += 1) {
    const reply = await send(job !== undefined && random.chance(0.5) ? { mode: 'apply', plan_id: job } : body);
    statuses.add(reply.status);
    if (reply.status === 200 && reply.body.progress.failed === 0 && reply.body.blocked === 0)
      return { requests, statuses };
    if (![200, 202, 503].includes(reply.status)) throw new Error(`${reply.status} ${reply.text}`);
    job = reply.body.plan_id;
    await delay(20);
  }
  throw new Error('not done in 60 requests');
}

/** The functions' way to the table, with its trouble, for what no request calls. */
const workerServices = (more: object = {}) => ({
  ...inventory.dependencies,
  table: tableAt(inventory.proxy.endpoint, inventory.table.name),
  ...more,
});

/** What the table's stream hands in. */
function fromStream(planId: string, services = workerServices()): Promise<void> {
  const Keys = { pk: { S: reconciliationKey(planId).pk }, sk: { S: reconciliationKey(planId).sk } };
  return continueWith(() => services)({ Records: [{ eventName: 'MODIFY', dynamodb: { Keys } }] });
}

/** A worker that ends after this number of writes: nothing more of it reaches the table. */
async function workAndDie(planId: string, writes: number): Promise<void> {
  const services = workerServices();
  const { client } = services.table;
  const send = client.send.bind(client);
  let isAlive = true;
  client.send = (command: any) => (isAlive ? send(command) : new Promise<any>(() => undefined));
  inventory.proxy.disturb(crash(writes, 2000));
  await Promise.race([fromStream(planId, services).catch(() => undefined), delay(2000)]);
  isAlive = false;
  inventory.proxy.disturb();
  await inventory.proxy.idle();
}

/** As Lambda does: the same again until it is done with. */
async function untilDelivered(planId: string): Promise<void> {
  for (let times = 1; times <= 20; times += 1) {
    const error: unknown = await fromStream(planId).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) return;
    await delay(20);
  }
  throw new Error('not delivered in 20 tries');
}

const read = (path: string) => inventory.request('GET', path);

/** The part of the inventory that is the fleet's, by names, and all agents that are on or watch it. */
async function fleetParts(fleet: string) {
  const [nodes, services, agents] = await Promise.all([
    readList(read, 'nodes', { selector: `fleet=${fleet}` }),
    readList(read, 'services', { selector: `fleet=${fleet}` }),
    readList(read, 'agents'),
  ]);
  const names = new Map([
    ...nodes.map((node) => [node['node_id'], node['node_name']] as const),
    ...services.map((service) => [service['service_id'], service['service_name']] as const),
  ]);
  const name = (id: string) => names.get(id);
  return {
    nodes: nodes.map((node) => [node['node_name'], node['address']].join(' ')).sort(),
    services: services
      .map((service) => [service['service_name'], service['port'], ...service['node_ids'].map(name)].join(' '))
      .sort(),
    agents: agents
      .filter((agent) => names.has(agent['runs_on_node_id']))
      .map((agent) =>
        [agent['agent_type'], name(agent['runs_on_node_id']), ...agent['insights'].service_ids.map(name)].join(' '),
      )
      .sort(),
  };
}

const truth = (instances: readonly Instance[]) => ({
  nodes: instances.map(({ name, address }) => `${name} ${address}`).sort(),
  services: instances.map(({ name, port }) => `${name} ${port} ${name}`).sort(),
  agents: instances.flatMap(({ name }) => [`mysqld_exporter ${name} ${name}`, `pmm_agent ${name}`]).sort(),
});

/** Some instances are replaced at their address, and some get another port. */
function nextRound(random: Random, instances: readonly Instance[], round: number): Instance[] {
  return instances.map((instance) => {
    if (random.chance(0.12)) return { ...instance, name: instance.name.replace(/\d+$/, String(round)) };
    return random.chance(0.05) ? { ...instance, port: instance.port + 1 } : instance;
  });
}

const trouble: readonly Rule[] = [
  { fault: { kind: 'lost answer' }, probability: 0.04, ...pastTheAuthorizer },
  { fault: { kind: 'lost call' }, probability: 0.04, ...pastTheAuthorizer },
  { fault: { kind: 'error after all' }, probability: 0.03, operations: ['TransactWriteItems'] },
  { fault: { kind: 'conflict' }, probability: 0.04, operations: ['TransactWriteItems'] },
];

/** From this write on all writes fail, as if the function had ended there; for this number of calls. */
function crash(after: number, calls: number): Rule {
  let writes = 0;
  const isDead = () => {
    writes += 1;
    return writes > after && writes <= after + calls;
  };
  return { fault: { kind: 'lost call' }, operations: ['TransactWriteItems'], fits: isDead };
}

/** Something outside of every fleet, down to its revisions. */
async function outsiders(): Promise<string[]> {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { service_id: serviceId } = await addService(inventory, { node_ids: [nodeId] });
  const insights = { service_ids: [serviceId] };
  const { agent_id: id } = await addAgent(inventory, {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: pmmAgentId,
    insights,
  });
  const paths = [`/v1/nodes/${nodeId}`, `/v1/services/${serviceId}`, `/v1/agents/${pmmAgentId}`, `/v1/agents/${id}`];
  return Promise.all(paths.map(async (path) => (await read(path)).text.concat(path)));
}

const unchanged = async (before: readonly string[]) =>
  Promise.all(
    before.map(async (text) => (await read(/\/v1\/\S+$/.exec(text)![0])).text.concat(/\/v1\/\S+$/.exec(text)![0])),
  );

test(`50 instances, replaced in ten rounds with crashes and lost replies, equal the inventory after each (SEED=${seed})`, async () => {
  const random = new Random(seed);
  const others = await outsiders();
  let instances = fleetOf('fleet', 50);
  let requests = 0;
  for (let round = 0; round < 10; round += 1) {
    if (round > 0) instances = nextRound(random, instances, round);
    const crashes = random.chance(0.5) ? [crash(random.below(30), 40)] : [];
    inventory.proxy.disturb(...crashes, ...trouble);
    const killing = (async () => {
      if (round % 3 !== 1) return;
      await delay(random.below(400));
      await inventory.killEngine();
      await inventory.restartEngine();
    })();
    const tries = await insist(requestOf('fleet', instances), random);
    requests += tries.requests;
    await killing;
    inventory.proxy.disturb();
    await inventory.proxy.idle();
    expect([round, await fleetParts('fleet')]).toEqual([round, truth(instances)]);
    expect(await checkInvariants(inventory.table)).toEqual([]);
    expect((await send({ ...requestOf('fleet', instances), mode: 'plan' })).body).toMatchObject({
      state: 'done',
      items: [],
      unchanged: 200,
    });
  }
  // It was not all done at once.
  expect(requests).toBeGreaterThan(10);
  expect(inventory.restarts()).toBeGreaterThan(0);
  expect(await unchanged(others)).toEqual(others);
});

test('an interrupted plan is continued, unless somebody else made changes', async () => {
  const random = new Random(seed);
  const instances = fleetOf('shown', 15);
  const plan = async () => (await send({ ...requestOf('shown', instances), mode: 'plan' })).body.plan_id as string;
  const cutOff = async (id: string) => {
    inventory.proxy.disturb(crash(10, 400));
    const { status } = await send({ mode: 'apply', plan_id: id });
    inventory.proxy.disturb();
    await inventory.proxy.idle();
    return status;
  };
  const first = await plan();
  expect([202, 503]).toContain(await cutOff(first));
  expect((await fleetParts('shown')).nodes.length).toBeGreaterThan(0);
  expect((await fleetParts('shown')).agents.length).toBeLessThan(30);
  expect((await read(`/v1/reconcile/${first}`)).body.state).toBe('applying');
  await insist({ mode: 'apply', plan_id: first }, random);
  expect(await fleetParts('shown')).toEqual(truth(instances));
  expect((await read(`/v1/reconcile/${first}`)).body).toMatchObject({
    state: 'done',
    progress: { total: 60, done: 60, failed: 0 },
  });

  instances.splice(0, 15, ...instances.map((instance, index) => ({ ...instance, port: index < 14 ? 7 : 1 })));
  const second = await plan();
  await cutOff(second);
  const changed = (await readList(read, 'services', { selector: 'fleet=shown' })).find(
    (service) => service['port'] === 1,
  )!;
  const path = `/v1/services/${changed['service_id']}`;
  expect((await inventory.request('PATCH', path, { body: { environment: 'x' } })).status).toBe(200);
  const before = await fleetParts('shown');
  expect(await send({ mode: 'apply', plan_id: second })).toMatchObject({ status: 412 });
  expect(await fleetParts('shown')).toEqual(before);
  await insist(requestOf('shown', instances), random);
  expect(await fleetParts('shown')).toEqual(truth(instances));
  expect(await checkInvariants(inventory.table)).toEqual([]);
});

test('two simultaneous reconcilers converge on the same state, and break nothing with different ones', async () => {
  const random = new Random(seed);
  let instances = fleetOf('shared', 12);
  for (let round = 1; round <= 3; round += 1) {
    inventory.proxy.disturb(...trouble);
    await Promise.all([1, 2].map(() => insist(requestOf('shared', instances), random)));
    inventory.proxy.disturb();
    await inventory.proxy.idle();
    expect(await fleetParts('shared')).toEqual(truth(instances));
    instances = nextRound(random, instances, round);
  }
  const other = nextRound(random, instances, 99);
  inventory.proxy.disturb(...trouble);
  await Promise.all(
    [instances, other].map(async (wanted) => {
      for (let time = 0; time < 3; time += 1) {
        // A request for an object that the other one has just removed may be refused. It is repeated.
        const { status, text } = await send(requestOf('shared', wanted));
        if (![200, 202, 400, 503].includes(status)) throw new Error(`${status} ${text}`);
      }
    }),
  );
  inventory.proxy.disturb();
  await inventory.proxy.idle();
  expect(await checkInvariants(inventory.table)).toEqual([]);
  for (const wanted of [other, instances]) {
    await insist({ ...requestOf('shared', wanted), max_removals_percent: 100 }, random);
    expect(await fleetParts('shared')).toEqual(truth(wanted));
  }
  expect(await checkInvariants(inventory.table)).toEqual([]);
});

test('work above one request is a job with an address and progress, which continues when its process ends', async () => {
  const instances = fleetOf('slow', 60);
  inventory.proxy.disturb({ fault: { kind: 'slow answer', delayMs: 1500 }, operations: ['TransactWriteItems'] });
  const start = performance.now();
  const reply = await send(requestOf('slow', instances));
  expect(performance.now() - start).toBeLessThan(23_000);
  inventory.proxy.disturb();
  await inventory.proxy.idle();
  const { plan_id: id, progress } = reply.body;
  expect(reply).toMatchObject({ status: 202, headers: { Location: `/v1/reconcile/${id}` } });
  expect(reply.body).toMatchObject({ state: 'applying', add: 240, progress: { total: 240, failed: 0 } });
  expect(progress.done).toBeGreaterThan(0);
  expect(progress.done).toBeLessThan(240 - 15 - 30);
  expect((await read(reply.headers['Location']!)).body).toMatchObject({ plan_id: id, state: 'applying', progress });
  // The workers that resume it end before it is finished, more than once.
  for (const writes of [0, 15, 30]) await workAndDie(id, writes);
  expect((await read(reply.headers['Location']!)).body.state).toBe('applying');
  expect(await fleetParts('slow')).not.toEqual(truth(instances));
  await untilDelivered(id);
  const done = { state: 'done', progress: { total: 240, done: 240, failed: 0 } };
  expect((await read(reply.headers['Location']!)).body).toMatchObject(done);
  expect(await fleetParts('slow')).toEqual(truth(instances));
  expect(await checkInvariants(inventory.table)).toEqual([]);
});

test('a plan whose request died is resumed once that request cannot be alive, and an outdated one stops with the reason', async () => {
  const random = new Random(seed);
  const instances = fleetOf('left', 10);
  const begin = async () => {
    const { plan_id: id } = (await send({ ...requestOf('left', instances), mode: 'plan' })).body;
    inventory.proxy.disturb(crash(4, 2000));
    expect([202, 503]).toContain((await send({ mode: 'apply', plan_id: id })).status);
    inventory.proxy.disturb();
    await inventory.proxy.idle();
    return id as string;
  };
  const state = async (id: string) => (await read(`/v1/reconcile/${id}`)).body;
  const asIfItHadDied = (id: string, now: number) =>
    noteProgress(inventory.table, id, {
      ...{ state: 'applying', total: 40, done: 0, failed: 0, failures: [] },
      busy_until: now + 30_000,
    });

  const first = await begin();
  await asIfItHadDied(first, testTime().getTime());
  let passedMs = 0;
  const clock = () => testTime(passedMs);
  const working = continueReconciliation(workerServices({ clock }), first);
  await delay(1000);
  expect(await state(first)).toMatchObject({ state: 'applying', progress: { done: 0 } });
  passedMs = 31_000;
  await working;
  expect(await state(first)).toMatchObject({ state: 'done', progress: { total: 40, done: 40, failed: 0 } });
  expect(await fleetParts('left')).toEqual(truth(instances));

  instances.splice(0, 10, ...instances.map((instance) => ({ ...instance, port: 7 })));
  const second = await begin();
  await asIfItHadDied(second, 0);
  const waiting = (await readList(read, 'services', { selector: 'fleet=left' })).find(
    (service) => service['port'] === 1,
  )!;
  await inventory.request('PATCH', `/v1/services/${waiting['service_id']}`, { body: { environment: 'x' } });
  const before = await fleetParts('left');
  await untilDelivered(second);
  expect(await state(second)).toMatchObject({ state: 'stopped', reason: expect.stringContaining('has changed since') });
  expect(await fleetParts('left')).toEqual(before);
  // What has ended is left alone, also when it is handed in again.
  await untilDelivered(second);
  await untilDelivered('no-such-plan');
  await insist(requestOf('left', instances), random);
  expect(await fleetParts('left')).toEqual(truth(instances));
  expect(await checkInvariants(inventory.table)).toEqual([]);
});
