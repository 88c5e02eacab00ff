import { randomUUID } from 'node:crypto';
import { checkInvariants, inventoryItems, objectIds, scan } from '../consistency/invariants.ts';
import { addNode } from '../support/add.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';
import { pastTheAuthorizer } from './outcome.ts';

let inventory: FaultyInventory;
beforeAll(async () => (inventory = await startFaultyInventory(7, processClock)));
afterAll(() => inventory.stop());
beforeEach(() => inventory.newInstances());
afterEach(async () => {
  inventory.proxy.disturb();
  await inventory.proxy.idle();
  expect(await checkInvariants(inventory.table)).toEqual([]);
});

const run = (operations: unknown[], more: object = {}) =>
  inventory.request('POST', '/v1/batch', { body: { operations, ...more } });
const addOfNode = (name: string = randomUUID(), ref?: string) => ({
  op: 'addNode',
  ...(ref === undefined ? {} : { ref }),
  body: { node_type: 'generic', node_name: name, address: 'a' },
});
const addOfService = (node: string) => ({
  op: 'addService',
  body: { service_type: 'external', service_name: randomUUID(), node_ids: [node] },
});
const present = async () => objectIds(await scan(inventory.table));
const items = async () => inventoryItems(await scan(inventory.table)).length;

const pairs = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    addOfNode(randomUUID(), `n${index}`),
    addOfService(`$n${index}`),
  ]).flat();

/** Fits every fourth transaction, with its repetitions; the first one adds a node. */
function everyFourth(): (call: any) => boolean {
  const tokens: string[] = [];
  return ({ ClientRequestToken: token }) => {
    if (!tokens.includes(token)) tokens.push(token);
    return tokens.indexOf(token) % 4 === 0;
  };
}

test('lost calls and replies: every operation of a batch succeeds with one effect', async () => {
  inventory.proxy.disturb(
    { fault: { kind: 'lost answer' }, attempts: [1], probability: 0.3, ...pastTheAuthorizer },
    { fault: { kind: 'lost call' }, attempts: [1], probability: 0.3, ...pastTheAuthorizer },
    { fault: { kind: 'conflict' }, attempts: [1], probability: 0.2, operations: ['TransactWriteItems'] },
  );
  const { body } = await run(pairs(40));
  expect(new Set(body.results.map(({ status }: any) => status))).toEqual(new Set([201]));
  const there = await present();
  for (const { id } of body.results) expect(there.has(id)).toBe(true);
});

test('a table that fails half of the time: acknowledged writes are stored, refused ones not, and a repetition is equal', async () => {
  inventory.proxy.disturb({
    fault: { kind: 'refusal', error: 'InternalServerError' },
    operations: ['TransactWriteItems'],
    // The same for every attempt of a call, as its token stays.
    fits: (body: any) => /^[0-7]/.test(String(body.ClientRequestToken)),
  });
  const operations = pairs(15);
  const reply = await run(operations);
  inventory.proxy.disturb();
  const statuses: number[] = reply.body.results.map(({ status }: any) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 400, 503]));
  const names = new Set((await scan(inventory.table)).flatMap((item) => [item['node_name'], item['service_name']]));
  for (const [index, { body }] of operations.entries()) {
    const name = (body as any).node_name ?? (body as any).service_name;
    expect([index, statuses[index], names.has(name)]).toEqual([index, statuses[index], statuses[index] === 201]);
  }
  // What was refused is known to be undone, and can be sent again.
  const again = operations.flatMap((operation, index) =>
    statuses[index] === 503 && operation.op === 'addNode' ? [operation] : [],
  );
  expect((await run(again)).body.results.map(({ status }: any) => status)).toEqual(again.map(() => 201));
});

test('a slow table: the reply is in time and lists completed operations, and no others begin', async () => {
  const nodes = await Promise.all(Array.from({ length: 12 }, () => addNode(inventory)));
  inventory.proxy.disturb({ fault: { kind: 'slow answer', delayMs: 2000 }, ...pastTheAuthorizer });
  const start = performance.now();
  const { status, body } = await run(nodes.map(({ node_id: id }) => ({ op: 'removeNode', id })));
  const milliseconds = performance.now() - start;
  inventory.proxy.disturb();
  await inventory.proxy.idle();
  expect([status, milliseconds < 22_000]).toEqual([200, true]);
  const statuses: number[] = body.results.map((result: any) => result.status);
  expect(new Set(statuses)).toEqual(new Set([204, 503]));
  const there = await present();
  for (const [index, { node_id: id }] of nodes.entries()) {
    if (statuses[index] === 204) expect(there.has(id)).toBe(false);
    if (body.results[index].error?.message.startsWith('Not done')) expect(there.has(id)).toBe(true);
  }
  expect(body.results.at(-1).error.message).toMatch(/^Not done/);
});

test('an atomic batch under conflicts, lost calls and lost replies takes effect once as a whole', async () => {
  inventory.proxy.disturb(
    { fault: { kind: 'conflict' }, probability: 0.6, operations: ['TransactWriteItems'] },
    { fault: { kind: 'lost answer' }, attempts: [1], operations: ['TransactWriteItems'] },
  );
  const before = await items();
  const { status, body } = await run(pairs(8), { atomic: true });
  expect([status, body.results?.length]).toEqual([200, 16]);
  // A node has four items, an external service in a group on a node five.
  expect((await items()) - before).toBe(8 * 4 + 8 * 5);
});

test('an atomic batch whose transaction is always refused is a 503, and nothing is stored', async () => {
  const before = await items();
  inventory.proxy.disturb({ fault: { kind: 'conflict' }, operations: ['TransactWriteItems'] });
  expect((await run(pairs(8), { atomic: true })).status).toBe(503);
  expect(await items()).toBe(before);
});

test('declarations with occasional failures are completed by the same batch, with every object once', async () => {
  const declared = pairs(15).map((operation) => ({ ...operation, op: operation.op.replace('add', 'upsert') }));
  inventory.proxy.disturb(
    { fault: { kind: 'error after all' }, operations: ['TransactWriteItems'], fits: everyFourth() },
    { fault: { kind: 'lost answer' }, attempts: [1], probability: 0.3, ...pastTheAuthorizer },
  );
  const first = await run(declared);
  inventory.proxy.disturb();
  await inventory.proxy.idle();
  expect(new Set(first.body.results.map(({ status }: any) => status))).toEqual(new Set([201, 400, 503]));
  const second = await run(declared);
  const outcomes: string[] = second.body.results.map(({ outcome }: any) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(['added', 'unchanged']));
  for (const [index, { id }] of first.body.results.entries())
    if (id !== undefined) expect([id, outcomes[index]]).toEqual([second.body.results[index].id, 'unchanged']);
  const objects = (await scan(inventory.table)).filter(({ sk }) => sk === 'NODE' || sk === 'SERVICE');
  const names = objects.map((item) => item['node_name'] ?? item['service_name']);
  for (const { body } of declared as any[])
    expect(names.filter((name) => name === (body.node_name ?? body.service_name))).toHaveLength(1);
});

const mixed = async () => {
  const [gone, kept] = [await addNode(inventory), await addNode(inventory, { region: 'eu', address: randomUUID() })];
  const name = randomUUID();
  const operations = [
    { op: 'removeNode', id: gone.node_id },
    { op: 'addNode', ref: 'n', body: { node_type: 'generic', node_name: gone.node_name, address: 'a' } },
    { op: 'changeNode', id: kept.node_id, if_match: 1, body: { region: null } },
    {
      op: 'upsertNode',
      ref: 'u',
      body: { node_type: 'generic', node_name: name, address: kept.address, region: kept.region },
    },
    { op: 'upsertAgent', ref: 'p', body: { agent_type: 'pmm_agent', runs_on_node_id: '$u' } },
    { op: 'addAgent', body: { agent_type: 'node_exporter', pmm_agent_id: '$p' } },
  ];
  return { operations, statuses: [204, 201, 200, 201, 201, 201], items: new Set(await inventoryItemsNow()) };
};

const inventoryItemsNow = async () =>
  inventoryItems(await scan(inventory.table)).map(({ pk, sk, revision }) => JSON.stringify([pk, sk, revision]));

test('an atomic batch with all operations under conflicts, lost calls and lost replies takes effect once as a whole', async () => {
  const { operations, statuses } = await mixed();
  inventory.proxy.disturb(
    { fault: { kind: 'conflict' }, probability: 0.6, operations: ['TransactWriteItems'] },
    { fault: { kind: 'lost answer' }, attempts: [1], ...pastTheAuthorizer },
  );
  const { body } = await run(operations, { atomic: true });
  expect(body.results.map(({ status }: any) => status)).toEqual(statuses);
  const there = await present();
  for (const { id } of body.results.slice(1)) expect(there.has(id)).toBe(true);
  expect(there.has(operations[0]!.id)).toBe(false);
});

test("an atomic batch that fails stores nothing, and after its commit a 503's key returns the result", async () => {
  const { operations, statuses, items: before } = await mixed();
  const keyed = () =>
    inventory.request('POST', '/v1/batch', {
      body: { operations, atomic: true },
      headers: { 'Idempotency-Key': String(operations[0]!.id) },
    });
  inventory.proxy.disturb({ fault: { kind: 'conflict' }, operations: ['TransactWriteItems'] });
  expect((await keyed()).status).toBe(503);
  expect(new Set(await inventoryItemsNow())).toEqual(before);
  inventory.proxy.disturb({ fault: { kind: 'error after all' }, operations: ['TransactWriteItems'] });
  expect((await keyed()).status).toBe(503);
  inventory.proxy.disturb();
  await inventory.proxy.idle();
  const after = await inventoryItemsNow();
  expect(new Set(after)).not.toEqual(before);
  // Without the key the revision would no longer fit.
  expect((await run(operations, { atomic: true })).status).toBe(404);
  expect((await keyed()).body.results.map(({ status }: any) => status)).toEqual(statuses);
  expect(await inventoryItemsNow()).toEqual(after);
});

test('an import with occasional failures is completed by sending it again', async () => {
  const nodes = Array.from({ length: 60 }, () => ({
    kind: 'node',
    object: { node_id: randomUUID(), node_type: 'generic', node_name: randomUUID(), address: 'a' },
  }));
  const services = nodes.map(({ object }) => ({
    kind: 'service',
    object: {
      service_id: randomUUID(),
      service_type: 'external',
      service_name: randomUUID(),
      node_ids: [object.node_id],
    },
  }));
  const body = [...nodes, ...services].map((line) => `${JSON.stringify(line)}\n`).join('');
  const send = async () =>
    (await inventory.request('POST', '/v1/import', { body, headers: { 'Content-Type': 'application/x-ndjson' } })).body;
  inventory.proxy.disturb(
    { fault: { kind: 'error after all' }, operations: ['TransactWriteItems'], fits: everyFourth() },
    {
      fault: { kind: 'refusal', error: 'ThrottlingException' },
      operations: ['TransactWriteItems'],
      fits: (call: any) => /^[4-5]/.test(String(call.ClientRequestToken)),
    },
  );
  const first = await send();
  expect(first.not_done).toBeGreaterThan(0);
  expect(first.added).toBeGreaterThan(0);
  inventory.proxy.disturb();
  await inventory.proxy.idle();
  expect(await checkInvariants(inventory.table)).toEqual([]);
  const second = await send();
  expect(second).toMatchObject({ refused: 0, not_done: 0 });
  // Some of what the first one could not tell had been done.
  expect(second.added).toBeLessThan(Number(first.not_done) + Number(first.refused));
  expect(await send()).toMatchObject({ unchanged: 120 });
});
