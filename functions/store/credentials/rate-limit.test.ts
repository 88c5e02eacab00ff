import { randomUUID } from 'node:crypto';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { itemAt } from '../../../tests/support/table.ts';
import { rateKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { consumeRateLimit } from './rate-limit.ts';
import { withSend } from '../../../tests/support/table.ts';
import { useInventory } from '../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(() => (inventory.clock.now = undefined));

const START = Date.parse('2026-05-01T10:00:00Z');

const add = async (body: object) =>
  (await inventory.request('POST', '/v1/api-keys', { body: { role: 'Viewer', ...body } })).body;
const get = (key: string, path = '/v1/nodes') =>
  inventory.request('GET', path, { as: null, headers: { Authorization: `Bearer ${key}` } });

test('the limit of a minute counts all requests, then the reply is 429 until the minute ends', async () => {
  inventory.clock.now = new Date(START + 47_500);
  const { key } = await add({ name: 'three', rate_limit_per_minute: 3 });
  // Forbidden calls and missing objects count like all others.
  const statuses = [];
  for (const path of ['/v1/nodes', '/v1/caller', '/v1/api-keys', '/v1/nodes'])
    statuses.push((await get(key, path)).status);
  expect(statuses).toEqual([200, 200, 403, 429]);
  const refused = await get(key);
  expect(refused).toMatchObject({ status: 429, body: { code: 8, status: 'RESOURCE_EXHAUSTED' } });
  expect(refused.headers['Retry-After']).toBe('13');
  inventory.clock.now = new Date(START + 60_000);
  expect((await get(key)).status).toBe(200);
});

test('of 100 simultaneous requests exactly the limit succeeds', async () => {
  inventory.clock.now = new Date(START);
  const { key } = await add({ name: 'forty', rate_limit_per_minute: 40 });
  const replies = await Promise.all(Array.from({ length: 100 }, () => get(key, '/v1/version')));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(40);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(60);
});

test('each key has its own limit, which all of its secrets share', async () => {
  inventory.clock.now = new Date(START);
  const [limitedKey, other] = [await add({ name: 'one', rate_limit_per_minute: 2 }), await add({ name: 'other' })];
  const rotated = await inventory.request('POST', `/v1/api-keys/${limitedKey.key_id}/rotate`, {
    body: { overlap: '1h' },
  });
  expect((await get(limitedKey.key)).status).toBe(200);
  expect((await get(rotated.body.key)).status).toBe(200);
  for (const key of [limitedKey.key, rotated.body.key]) expect((await get(key)).status).toBe(429);
  expect((await get(other.key)).status).toBe(200);
});

test('across two minutes at most twice the limit succeeds', async () => {
  const at = (seconds: number) =>
    consumeRateLimit(inventory.table, {
      keyId: 'border',
      ratePerMinute: 2,
      cost: 1,
      now: new Date(START + seconds * 1000),
    });
  expect([await at(59), await at(59.9), await at(59.95)]).toEqual([undefined, undefined, 1]);
  expect([await at(60), await at(60), await at(60)]).toEqual([undefined, undefined, 60]);
});

test('a request that is uncounted frees one place, and no more are uncounted than counted', async () => {
  const count = (cost: number) =>
    consumeRateLimit(inventory.table, { keyId: 'back', ratePerMinute: 1, cost, now: new Date(START) });
  for (const cost of [-1, 1, -1, -1]) await count(cost);
  expect([await count(1), await count(1)]).toEqual([undefined, 60]);
});

test('a count is kept for an hour after its minute, and counting nothing succeeds', async () => {
  const count = (cost: number) =>
    consumeRateLimit(inventory.table, { keyId: 'kept', ratePerMinute: 1, cost, now: new Date(START) });
  expect(await count(0)).toBeUndefined();
  await count(1);
  const item = await itemAt(inventory.table, rateKey('kept', START / 60_000));
  expect(item).toMatchObject({ requests: 1, [TTL_ATTRIBUTE]: START / 1000 + 60 + 3600 });
});

test('a batch counts all of its operations, or does nothing', async () => {
  inventory.clock.now = new Date(START + 20_000);
  const { key } = await add({ name: 'batches', role: 'Editor', rate_limit_per_minute: 5 });
  const nodes = (count: number) =>
    Array.from({ length: count }, () => ({
      op: 'addNode',
      body: { node_type: 'generic', node_name: randomUUID(), address: 'a' },
    }));
  const send = (body: unknown) =>
    inventory.request('POST', '/v1/batch', { body, as: null, headers: { Authorization: `Bearer ${key}` } });
  const there = async () => (await inventory.request('GET', '/v1/nodes')).body.nodes.length;
  expect((await send({ operations: nodes(3) })).status).toBe(200);
  const refused = await send({ operations: nodes(3) });
  expect(refused).toMatchObject({ status: 429, body: { code: 8 } });
  expect(refused.headers['Retry-After']).toBe('40');
  expect(await there()).toBe(3);
  // Malformed bodies count too, as far as they can be parsed.
  expect((await send({ operations: [{}] })).status).toBe(400);
  expect((await send('no object')).status).toBe(400);
  expect((await get(key)).status).toBe(429);
  // A request that could never succeed gets no Retry-After.
  inventory.clock.now = new Date(START + 60_000);
  const never = await send({ operations: nodes(6) });
  expect(never).toMatchObject({ status: 400, body: { code: 3 } });
  expect(never.body.message).toContain('counts as 6 requests, but this key is limited to 5 requests per minute');
  expect((await send({ operations: nodes(5) })).status).toBe(200);
  expect(await there()).toBe(8);
});

test('simultaneous batches share the remaining requests', async () => {
  inventory.clock.now = new Date(START);
  const { key } = await add({ name: 'shared', role: 'Editor', rate_limit_per_minute: 10 });
  const operations = Array.from({ length: 3 }, () => ({ op: 'removeNode', id: randomUUID() }));
  const replies = await Promise.all(
    Array.from({ length: 12 }, () =>
      inventory.request('POST', '/v1/batch', {
        body: { operations },
        as: null,
        headers: { Authorization: `Bearer ${key}` },
      }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([...[200, 200, 200], ...Array(9).fill(429)]);
});

test('a count that cannot be written refuses the request: 503', async () => {
  const counting = Promise.withResolvers<undefined>();
  const hang = () => {
    counting.resolve(undefined);
    return new Promise(() => undefined);
  };
  const broken: Inventory = await startInventory({
    table: (table) =>
      withSend(table, (command: any) =>
        String(command.input.Key?.pk).startsWith('RATE#') ? hang() : table.client.send(command),
      ),
  });
  try {
    const reply = await broken.request('POST', '/v1/api-keys', {
      body: { name: 'k', role: 'Viewer', rate_limit_per_minute: 5 },
    });
    const refused = broken.request('GET', '/v1/version', {
      as: null,
      headers: { Authorization: `Bearer ${reply.body.key}` },
    });
    await counting.promise;
    broken.passing.advance(1500);
    const answer = await refused;
    expect(answer).toMatchObject({ status: 503, body: { code: 14 } });
    expect(answer.headers['Retry-After']).toBe('1');
  } finally {
    await broken.stop();
  }
});
