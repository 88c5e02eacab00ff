/** What an Idempotency-Key guarantees, for every endpoint that takes one. */
import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { endpoints } from '../functions/api/endpoints.ts';
import { successStatuses } from '../shared/http/http-contract.ts';
import { inventoryDocument } from '../functions/openapi/document.ts';
import { scan } from './consistency/invariants.ts';
import { addHost, addNode, addService } from './support/add.ts';
import { TEST_TIME } from './support/test-time.ts';
import { useCheckedInventory } from './support/fixtures.ts';

const inventory = useCheckedInventory();

type Body = Record<string, unknown>;

/** A body for each endpoint that takes a key: a new one cannot be left out. */
const bodies: Readonly<Record<string, () => Promise<Body> | Body>> = {
  addNode: () => ({ node_type: 'generic', node_name: randomUUID(), address: 'a', region: randomUUID() }),
  addService: async () => {
    const { node_id: id } = await addNode(inventory);
    return { service_type: 'mysql', service_name: randomUUID(), node_ids: [id], address: 'a', port: 1 };
  },
  addAgent: async () => {
    const [{ pmmAgentId }, { service_id: id }] = await Promise.all([addHost(inventory), addService(inventory)]);
    return { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights: { service_ids: [id] } };
  },
};

/** Lines with ids and what is desired can be sent again as they are; a batch takes a key when it is atomic: its own tests. */
const ofMany = ['importInventory', 'reconcile', 'runBatch'];

const idempotent = endpoints.filter(({ idempotent: takesKey, id }) => takesKey === true && !ofMany.includes(id));

const withSecret = [
  ...['addApiKey', 'rotateApiKey', 'rotateOwnApiKey', 'addSession', 'logIn', 'authorizeDevice'],
  ...['addUser', 'inviteUser'],
  ...['addEnrolmentToken', 'enrolNode'],
];

/** Its name is unique: a client that repeats it learns that it is there. */
const named = ['addRoleBinding', 'addSavedFilter'];

/** A device is answered once: a client that repeats it learns that no device waits. */
const answered = ['answerDevice'];

/** What is said, brought back or removed once is so however often it is asked for. */
const sameAgain = [
  'addSilence',
  'reportAgents',
  'takeReports',
  'admitAgents',
  'restoreRemoved',
  'cleanUp',
  'cancelReconciliation',
  'previewRoleBindings',
];

test('every add of one object takes a key, unless its reply is a secret', () => {
  const adds = endpoints.filter(({ method }) => method === 'POST').map(({ id }) => id);
  expect(idempotent.map(({ id }) => id).sort()).toEqual(
    adds.filter((id) => ![...withSecret, ...ofMany, ...named, ...answered, ...sameAgain].includes(id)).sort(),
  );
  expect(Object.keys(bodies).sort()).toEqual(idempotent.map(({ id }) => id).sort());
});

/** By id; a scan has no order. */
const objects = async () => {
  const items = (await scan(inventory.table)).filter(({ sk }) => /^(NODE|SERVICE|AGENT)$/.test(String(sk)));
  return items.sort((left, right) => (String(left['pk']) < String(right['pk']) ? -1 : 1));
};

describe.each(idempotent.map((endpoint) => ({ endpoint, name: endpoint.id })))('$name', ({ endpoint }) => {
  const { path, method, id } = endpoint;
  const send = (body: unknown, key: string, more: object = {}) =>
    inventory.request(method, path, { body, headers: { 'Idempotency-Key': key }, as: 'Editor', ...more });
  const newBody = async () => bodies[id]!();

  test('repeated, it has no further effect and the same reply', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    const first = await send(body, key);
    expect(first.status).toBe(successStatuses(endpoint)[0]);
    const before = await objects();
    for (let count = 0; count < 3; count += 1) {
      const again = await send(body, key);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      // Each request has an id of its own.
      const id = { 'X-Request-Id': expect.any(String) };
      expect({ ...again.headers, ...id }).toEqual({ ...first.headers, ...id });
    }
    expect(await objects()).toEqual(before);
  });

  test('repeated after its object or dependencies changed or disappeared, it has the same reply', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    const first = await send(body, key);
    const location = first.headers['Location']!;
    await inventory.request('PATCH', location, { body: { custom_labels: { a: 'b' } } });
    expect((await send(body, key)).text).toBe(first.text);
    expect((await inventory.request('DELETE', location)).status).toBe(204);
    const parent = body['pmm_agent_id'] as string | undefined;
    if (parent !== undefined) await inventory.request('DELETE', `/v1/agents/${parent}?force=true`);
    const nodes = (body['node_ids'] ?? []) as string[];
    for (const node of nodes) await inventory.request('DELETE', `/v1/nodes/${node}?force=true`);
    expect((await send(body, key)).text).toBe(first.text);
    expect((await inventory.request('GET', location)).status).toBe(404);
  });

  test('many times simultaneously, it has one effect and one reply', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    const before = (await objects()).length;
    const replies = await Promise.all(Array.from({ length: 30 }, () => send(body, key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]!.status).toBe(201);
    expect(await objects()).toHaveLength(before + 1);
  });

  test('with another body it is a 422 without a write', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    await send(body, key);
    const others = [{ ...body, custom_labels: { a: 'b' } }, await newBody()];
    const before = await objects();
    for (const other of others) {
      const reply = await send(other, key);
      expect(reply).toMatchObject({
        status: 422,
        body: { code: 9, message: 'This Idempotency-Key was used before with a different request.' },
      });
      expect(reply.text).not.toContain(key);
    }
    expect(await objects()).toEqual(before);
  });

  test('with an invalid other body it is refused too, and with reordered fields accepted', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    const first = await send(body, key);
    const turned = Object.fromEntries(Object.entries(body).toReversed());
    expect((await send(turned, key)).text).toBe(first.text);
    if (body['pmm_agent_id'] !== undefined)
      expect((await send({ ...body, pmm_agent_id: 'nope' }, key)).status).toBe(422);
  });

  test('with the key of another caller it is another request', async () => {
    const [firstBody, two, key] = [await newBody(), await newBody(), randomUUID()];
    const [first, second] = [await send(firstBody, key), await send(two, key, { as: 'Admin' })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).not.toEqual(first.body);
  });

  test('after a failed request it is a new request with the same key', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    const before = await scan(inventory.table);
    expect((await send({ ...body, no_such_field: 1 }, key)).status).toBe(400);
    const dangling = { node_ids: ['nope'], insights: { node_ids: ['nope'] } };
    const [field] = Object.entries(dangling).filter(([name]) => name in body);
    if (field !== undefined) expect((await send({ ...body, [field[0]]: field[1] }, key)).status).toBe(404);
    expect(await scan(inventory.table)).toHaveLength(before.length);
    expect((await send(body, key)).status).toBe(201);
  });

  test('keeps its key for 24 hours, although the table may keep it longer', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    inventory.clock.now = new Date('2026-05-01T12:00:00.500Z');
    const first = await send(body, key);
    inventory.clock.now = new Date('2026-05-02T12:00:00.999Z');
    expect((await send(body, key)).text).toBe(first.text);
    await inventory.request('DELETE', first.headers['Location']!);
    inventory.clock.now = new Date('2026-05-02T12:00:01Z');
    const second = await send(body, key);
    expect(second.status).toBe(201);
    expect(second.headers['Location']).not.toBe(first.headers['Location']);
    expect((await send(body, key)).text).toBe(second.text);
  });

  test('after 24 hours, a repetition that cannot be performed is refused, without the former reply', async () => {
    const [body, key] = [await newBody(), randomUUID()];
    inventory.clock.now = new Date('2026-05-01T12:00:00.500Z');
    const first = await send(body, key);
    // A node that exists is in its own way; what others need is removed.
    const needed = [
      ...((body['node_ids'] ?? []) as string[]).map((node) => `/v1/nodes/${node}`),
      ...(body['pmm_agent_id'] === undefined ? [] : [`/v1/agents/${body['pmm_agent_id'] as string}`]),
    ];
    for (const path of needed) await inventory.request('DELETE', `${path}?force=true`);
    inventory.clock.now = new Date('2026-05-02T12:00:00.999Z');
    expect((await send(body, key)).text).toBe(first.text);
    inventory.clock.now = new Date('2026-05-02T12:00:01Z');
    expect((await send(body, key)).status).toBe(needed.length === 0 ? 409 : 404);
  });

  test.each([
    ['nothing', ''],
    ['a space', 'a b'],
    ['a letter beyond ASCII', 'schl\u00fcssel'],
    ['a control character', 'a\u0007'],
    ['256 characters', 'x'.repeat(256)],
  ])('refuses a key with %s, and does not repeat it', async (_, key) => {
    const body = await newBody();
    const before = await objects();
    const reply = await send(body, key);
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 3, details: [{ field: 'Idempotency-Key', reason: 'invalid_format' }] },
    });
    expect(await objects()).toEqual(before);
  });

  test("accepts 255 visible characters as a key, whatever the header's case", async () => {
    const body = await newBody();
    const key = `${'!~"#%\\'.repeat(50)}${randomUUID()}`.slice(-255);
    const first = await send(body, key);
    const again = await inventory.request(method, path, { body, headers: { 'idempotency-KEY': key }, as: 'Editor' });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  test('documents the key with its rules and its error', () => {
    const { paths, components } = inventoryDocument('1');
    const { parameters, responses } = paths[path]!['post']!;
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/Idempotency-Key' });
    expect(components.parameters['Idempotency-Key']).toMatchObject({ in: 'header', schema: { maxLength: 255 } });
    expect(Object.keys(responses)).toContain('422');
  });
});

test('two keys at once are refused', async () => {
  const headers = { 'Idempotency-Key': 'a', 'idempotency-key': 'b' };
  const body = await bodies['addNode']!();
  expect(await inventory.request('POST', '/v1/nodes', { body, headers })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'Idempotency-Key', reason: 'duplicate' }] },
  });
});

test('where the reply is a secret, the key is refused, and nothing is stored', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { name: randomUUID(), role: 'Viewer' };
  expect((await inventory.request('POST', '/v1/api-keys', { body, headers })).status).toBe(400);
  const kept = (await scan(inventory.table)).filter(({ pk }) => String(pk).startsWith('IDEMPOTENCY#'));
  expect(JSON.stringify(kept)).not.toMatch(/minv_/);
});

test('the table contains neither the key nor a trace of it, and the item expires', async () => {
  const [body, key] = [await bodies['addNode']!(), `secret-${randomUUID()}`];
  await inventory.request('POST', '/v1/nodes', { body, headers: { 'Idempotency-Key': key } });
  const items = await scan(inventory.table);
  expect(JSON.stringify(items)).not.toContain(key);
  const { table } = inventory;
  const [item] = items.filter(({ object }) => String(object).includes(String(body['node_name'])));
  expect(item!['ttl']).toBeGreaterThan(TEST_TIME / 1000 + 24 * 3600 - 60);
  // What is there but is no item of ours is a fault, and no answer.
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { pk: item!['pk'], sk: item!['sk'], ttl: 1e12 } }),
  );
  const reply = await inventory.request('POST', '/v1/nodes', { body, headers: { 'Idempotency-Key': key } });
  expect(reply.status).toBe(500);
  await table.client.send(new PutCommand({ TableName: table.name, Item: item! }));
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { pk: item!['pk'], sk: item!['sk'] } }),
  );
  expect(Item).toEqual(item);
});
