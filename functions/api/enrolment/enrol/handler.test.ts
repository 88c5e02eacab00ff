import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import { newApiKeySecret, newEnrolmentTokenSecret } from '../../../../shared/auth/api-key-text.ts';
import { refusalMessages } from '../../../../shared/auth/refusal-messages.ts';
import { checkInvariants } from '../../../../tests/consistency/invariants.ts';
import { addHost, addNode } from '../../../../tests/support/add.ts';
import { startInventory } from '../../../../tests/support/inventory.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { withSend } from '../../../../tests/support/table.ts';
import { useCheckedInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useCheckedInventory();

const newToken = async (more: object = {}): Promise<{ token: string; token_id: string }> =>
  (
    await inventory.request('POST', '/v1/enrolment-tokens', {
      body: { name: 'test', allowed_addresses: ['10.0.0.0/24'], ...more },
    })
  ).body;
const host = (name: string, more: object = {}) => ({
  node_type: 'generic',
  node_name: name,
  address: '10.0.0.1',
  ...more,
});
const enrol = (token: string, node: object) =>
  inventory.request('POST', '/v1/enrolment', { as: null, body: { token, node } });
const callWith = (key: string, method = 'GET', path = '/v1/caller') =>
  inventory.request(method, path, { as: null, headers: { Authorization: `Bearer ${key}` } });
const items = async () =>
  (
    await inventory.table.client.send(new ScanCommand({ TableName: inventory.table.name, ConsistentRead: true }))
  ).Items!.flatMap(({ last_used_at: _, ...item }) => (item['pk'] === 'AUDIT#REFUSED' ? [] : [item]));

test('a node is added with its key, which is bound to the node, shown once and not in the table', async () => {
  const { token, token_id: tokenId } = await newToken({ key_time_to_live: '90d', key_rate_limit_per_minute: 600 });
  const { status, body } = await enrol(token, host('web-1', { region: 'eu' }));
  expect(status).toBe(201);
  const { node, api_key: apiKey } = body;
  expect(node).toMatchObject({ node_name: 'web-1', region: 'eu', revision: 1 });
  expect(apiKey).toMatchObject({
    name: 'registrar/web-1',
    role: 'Registrar',
    node_id: node.node_id,
    rate_limit_per_minute: 600,
    created_by: { kind: 'enrolment_token', id: tokenId, name: 'test' },
  });
  expect(Date.parse(apiKey.expires_at) - Date.parse(apiKey.created_at)).toBeGreaterThanOrEqual(90 * 86_400_000);
  expect((await callWith(apiKey.key)).body).toMatchObject({ role: 'Registrar', node_id: node.node_id });
  const all = JSON.stringify(await items());
  for (const secret of [apiKey.key.slice(10, 40), token.slice(16, 46)]) expect(all).not.toContain(secret);
});

test('used, removed, expired, unknown and malformed tokens get the same 401, and nothing is written', async () => {
  const used = await newToken();
  expect((await enrol(used.token, host('used'))).status).toBe(201);
  const removed = await newToken();
  await inventory.request('DELETE', `/v1/enrolment-tokens/${removed.token_id}`);
  const old = await newToken({ time_to_live: '1m' });
  inventory.clock.now = testTime(62_000);
  const mistyped = `${used.token.slice(0, -1)}${used.token.endsWith('0') ? '1' : '0'}`;
  const invented = newEnrolmentTokenSecret(randomBytes);
  const before = await items();
  const texts = [];
  for (const token of [used.token, removed.token, old.token, invented, mistyped, 'x']) {
    const reply = await enrol(token, host('nobody'));
    expect(reply).toMatchObject({ status: 401, body: { code: 16, message: 'Invalid enrolment token' } });
    texts.push(JSON.stringify({ ...reply.body, request_id: '' }));
  }
  expect(new Set(texts).size).toBe(1);
  expect(await items()).toEqual(before);
});

test('a text without the form of a token is refused without reading the table', async () => {
  const operations: string[] = [];
  inventory.table.client.use((next) => (call) => {
    operations.push(call.operation);
    return next(call);
  });
  const reads = async (token: string) => {
    operations.length = 0;
    expect((await enrol(token, host('nobody'))).status).toBe(401);
    return operations.filter((operation) => /Get|Query/.test(operation)).length;
  };
  const invented = newEnrolmentTokenSecret(randomBytes);
  const mistyped = `${invented.slice(0, -1)}${invented.endsWith('0') ? '1' : '0'}`;
  expect([await reads('x'), await reads(mistyped), await reads(inventory.keys.Admin)]).toEqual([0, 0, 0]);
  expect(await reads(invented)).toBeGreaterThan(0);
});

test('a token in place of a key is refused with an explanation, also if it does not exist', async () => {
  const { token } = await newToken();
  for (const text of [token, newEnrolmentTokenSecret(randomBytes)])
    for (const reply of [await callWith(text), await callWith(text, 'POST', '/v1/opamp')])
      expect(reply).toMatchObject({ status: 401, body: { message: refusalMessages.token } });
});

test('a key in place of a token is refused by its form, also if it does not exist', async () => {
  const before = await items();
  const message = 'This is an API key, not an enrolment token: send it in the header Authorization.';
  for (const text of [inventory.keys.Admin, newApiKeySecret(randomBytes)])
    expect(await enrol(text, host('nobody'))).toMatchObject({ status: 401, body: { code: 16, message } });
  expect(await items()).toEqual(before);
});

test('one of 20 simultaneous hosts with one token is enrolled, and the others leave nothing', async () => {
  const { token } = await newToken();
  const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => enrol(token, host(`race-${index}`))));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 401)]);
  const nodes = (await inventory.request('GET', '/v1/nodes?name_prefix=race-')).body.nodes;
  expect(nodes).toHaveLength(1);
});

test('an invalid body, a taken name and a taken address do not use up the token', async () => {
  await addNode(inventory, { node_name: 'taken', region: 'us', address: 'a' });
  const { token } = await newToken({ allowed_addresses: ['10.0.0.0/24', 'a'] });
  const before = await items();
  expect((await enrol(token, host('x', { port: 1 }))).status).toBe(400);
  expect(await enrol(token, host('taken'))).toMatchObject({ status: 409, body: { code: 6 } });
  expect(await enrol(token, host('other', { region: 'us', address: 'a' }))).toMatchObject({ status: 409 });
  expect(await items()).toEqual(before);
  expect((await enrol(token, host('free'))).status).toBe(201);
});

describe('a token for one node', () => {
  test('is valid for that node only', async () => {
    const { token } = await newToken({ node_name: 'mine' });
    expect(await enrol(token, host('yours'))).toMatchObject({ status: 403, body: { code: 7 } });
    expect((await enrol(token, host('mine'))).status).toBe(201);
  });

  test('takes over the existing node and ends all secrets of its previous key', async () => {
    const first = (await enrol((await newToken()).token, host('again', { distro: 'a' }))).body;
    const rotated = await inventory.request('POST', '/v1/caller/rotate', {
      as: null,
      headers: { Authorization: `Bearer ${first.api_key.key}` },
      body: { overlap: '1h' },
    });
    const { token } = await newToken({ node_name: 'again' });
    const second = (await enrol(token, host('again', { distro: 'b' }))).body;
    expect(second.node).toEqual(first.node);
    expect(second.api_key).toMatchObject({ name: 'registrar/again', node_id: first.node.node_id });
    for (const key of [first.api_key.key, rotated.body.key]) expect((await callWith(key)).status).toBe(401);
    expect((await callWith(second.api_key.key, 'DELETE', `/v1/nodes/${first.node.node_id}`)).status).toBe(204);
  });

  test('takes over a node that an Editor added, also after a removal and another add', async () => {
    const { node_id: id } = await addNode(inventory, { node_name: 'by hand' });
    const first = (await enrol((await newToken({ node_name: 'by hand' })).token, host('by hand'))).body;
    expect(first.node.node_id).toBe(id);
    await inventory.request('DELETE', `/v1/nodes/${id}`);
    const second = (await enrol((await newToken()).token, host('by hand'))).body;
    expect(second.node.node_id).not.toBe(id);
    expect((await callWith(first.api_key.key)).status).toBe(401);
  });
});

test('an Admin key with the name of a node is a 409, and nothing is replaced', async () => {
  const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'registrar/odd', role: 'Viewer' } });
  expect((await enrol((await newToken()).token, host('odd'))).status).toBe(409);
  expect((await callWith(body.key)).status).toBe(200);
});

test('a node that is removed between read and write is added again, so that the key has a node', async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const disturbed = await startInventory({
    table: (table) =>
      withSend(table, async (command: any) => {
        const work = command instanceof TransactWriteCommand ? meanwhile : undefined;
        if (work !== undefined) meanwhile = undefined;
        await work?.();
        return table.client.send(command);
      }),
  });
  try {
    const { node_id: old } = await addNode(disturbed, { node_name: 'fleeting' });
    const body = { name: 'test', node_name: 'fleeting', allowed_addresses: ['10.0.0.1'] };
    const { token } = (await disturbed.request('POST', '/v1/enrolment-tokens', { body })).body;
    meanwhile = () => disturbed.request('DELETE', `/v1/nodes/${old}`);
    const reply = await disturbed.request('POST', '/v1/enrolment', {
      as: null,
      body: { token, node: host('fleeting') },
    });
    expect(meanwhile).toBeUndefined();
    expect(reply.status).toBe(201);
    expect(reply.body.api_key.node_id).toBe(reply.body.node.node_id);
    expect((await disturbed.request('GET', `/v1/nodes/${reply.body.node.node_id}`)).status).toBe(200);
    expect(await checkInvariants(disturbed.table)).toEqual([]);
  } finally {
    await disturbed.stop();
  }
});

test('a key is created only for an existing node, also beside a removal', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { nodeId } = await addHost(inventory);
    const { node_name: name } = (await inventory.request('GET', `/v1/nodes/${nodeId}`)).body;
    const { token } = await newToken({ node_name: name });
    const [enrolled] = await Promise.all([
      enrol(token, host(name)),
      inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`),
    ]);
    expect(enrolled.status).toBe(201);
    expect([200, 404]).toContain((await callWith(enrolled.body.api_key.key, 'GET', `/v1/nodes/${nodeId}`)).status);
  }
});
