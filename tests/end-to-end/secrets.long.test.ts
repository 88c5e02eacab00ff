/** No secret gets out: one broad scenario against one server, and then a look at everything that came of it. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { endpoints } from '../../functions/api/endpoints.ts';
import { startEngine } from '../../local/engine/engine.ts';
import type { Engine } from '../../local/engine/engine-type.ts';
import { newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { ranks } from '../../shared/auth/roles.ts';
import { takesBody } from '../../shared/http/http-contract.ts';
import { type EngineServer, serveEngine } from '../support/engine-http.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type HttpsReply } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bearer, bodyOf, clientOf } from './client.ts';
import { type RawReply, rawRequest } from './raw-request.ts';
import { type Disturbance, startTableProxy, type TableProxy } from './table-proxy.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let home: string;
let engine: Engine;
let served: EngineServer;
let proxy: TableProxy;
let server: RunningServer;
let password: string;
let items: Record<string, unknown>[];
/** What the audit told of. */
const audited: string[] = [];

/** What nobody but its owner may ever see, by name. */
const secrets = new Map<string, string>();
/** Every reply of the scenario, with the name of the one secret that it is there to show. */
const replies: { call: string; text: string; shows?: string }[] = [];

/** Ways in which a secret could be written down, a good part of it included. */
function spellings(name: string, secret: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
  const isKey = secret.startsWith('minv_');
  return [
    secret,
    base64(secret),
    Buffer.from(secret).toString('hex'),
    ...(isKey ? ['api_key', 'service_token'] : ['admin']).map((user) => base64(`${user}:${secret}`)),
    // The first characters of a key may be shown; of what follows, no stretch that would make guessing easier.
    ...(isKey ? [secret.slice(9, 25), secret.slice(25, 45)] : []),
    ...(name.includes('password') ? [encodeURIComponent(secret)] : []),
  ];
}

function leaksIn(text: string, except?: string): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    name !== except && spellings(name, secret).some((spelling) => text.includes(spelling)) ? [name] : [],
  );
}

function keep(call: string, reply: HttpsReply | RawReply, shows?: string): void {
  const text = JSON.stringify([reply.headers, reply.text]);
  replies.push({ call, text, ...(shows === undefined ? {} : { shows }) });
}

/** A call whose reply is kept. */
async function call(
  authorization: string | undefined,
  method: string,
  path: string,
  more: { body?: unknown; headers?: Record<string, string> } = {},
  shows?: string,
): Promise<HttpsReply> {
  const reply = await clientOf(server, authorization)(method, path, more);
  keep(`${method} ${path} ${String(reply.status)}`, reply, shows);
  return reply;
}

async function addKey(by: string, name: string, body: object): Promise<{ key: string; key_id: string }> {
  const reply = await call(by, 'POST', '/v1/api-keys', { body: { name, ...body } }, name);
  const { key, key_id: id } = bodyOf(reply, 201);
  secrets.set(name, key);
  return { key, key_id: id };
}

const pathOf = (template: string, id: string) => template.replaceAll(/\{[^}]+\}/g, encodeURIComponent(id));

/** Good calls on everything: a small cluster comes, changes and goes. */
async function lead(key: string): Promise<void> {
  const by = bearer(key);
  const added = async (path: string, body: object) => {
    const reply = await call(by, 'POST', path, { body });
    bodyOf(reply, 201);
    return String(reply.headers['location']);
  };
  const idOf = (path: string) => path.split('/').at(-1)!;
  const node = await added('/v1/nodes', { node_type: 'generic', node_name: 'n', address: 'h' });
  const service = await added('/v1/services', {
    service_type: 'mysql',
    service_name: 's',
    address: 'h',
    port: 1,
    node_ids: [idOf(node)],
  });
  const process = await added('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: idOf(node) });
  const agent = await added('/v1/agents', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: idOf(process),
    username: 'monitor',
    insights: { service_ids: [idOf(service)] },
  });
  for (const path of [node, service, process, agent]) {
    bodyOf(await call(by, 'GET', path), 200);
    bodyOf(await call(by, 'PATCH', path, { body: { custom_labels: { a: 'b' } } }), 200);
  }
  for (const path of [
    '/v1/nodes',
    '/v1/services',
    '/v1/services/types',
    '/v1/agents',
    '/v1/caller',
    '/v1/version',
    '/v1/readyz',
  ])
    bodyOf(await call(by, 'GET', path), 200);
  bodyOf(await call(by, 'DELETE', node), 400);
  bodyOf(await call(by, 'DELETE', `${node}?force=true`), 204);
}

/** Bad calls on every endpoint: a secret wherever a client could put one by mistake. */
async function misbehave(by: string, secret: string): Promise<void> {
  // A key is known on sight, also where the name of a field is to be told. Of any other secret only
  // its owner knows that it is one.
  const name = secret.startsWith('minv_') ? secret : 'name';
  const bodies: unknown[] = [
    { [name]: secret, [`${'x'.repeat(40)}${name}`]: 1, password: secret, custom_labels: { [`${name}!`]: secret } },
    { node_type: secret, service_type: secret, agent_type: secret, role: secret, name: `${secret}\0` },
    { node_name: [secret], time_to_live: secret, insights: { [name]: [secret] }, node_ids: [{ [name]: secret }] },
    `{"name": "${secret}`,
    `"${secret}"`,
    JSON.stringify({ name: secret }).padEnd(256 * 1024 + 1),
  ];
  await Promise.all(
    endpoints.map(async (endpoint) => {
      const { method } = endpoint;
      const go = (path: string, more: Parameters<typeof call>[3] = {}) => call(by, method, path, more);
      await go(`${pathOf(endpoint.path, secret)}?api_key=${encodeURIComponent(secret)}`);
      await go(`${pathOf(endpoint.path, NOBODY)}?${name}=1&page_token=${encodeURIComponent(secret)}`);
      await go(endpoint.path.replace('/v1/', `/v1/${encodeURIComponent(secret)}/`), {
        headers: { 'X-Note': secret },
      });
      const path = pathOf(endpoint.path, NOBODY);
      if (takesBody(endpoint)) {
        for (const body of bodies) await go(path, { body });
        await go(path, { body: secret, headers: { 'Content-Type': 'text/plain' } });
      }
      if (endpoint.role !== 'none')
        await call(undefined, method, path, { headers: { Cookie: secret, 'X-Api-Key': secret } });
      for (const other of ['PUT', 'TRACE', 'OPTIONS']) await call(by, other, path, { headers: { 'X-Note': secret } });
    }),
  );
  await call(by, 'GET', `/${encodeURIComponent(secret)}`);
  await call(by, 'GET', `/swagger/${encodeURIComponent(secret)}/`);
}

/** Requests that no endpoint gets to see. */
async function garble(secret: string): Promise<void> {
  const lines = [
    [`Authorization: Bearer ${secret} x`],
    [`Authorization: Digest ${secret}`],
    [`Authorization: Bearer ${secret}`, `Authorization: Bearer ${secret}`],
    [`Authorization : Bearer ${secret}`],
    [`Authorization: Bearer ${secret}`, `X-Padding: ${'x'.repeat(10_240)}`],
    [`Authorization: Bearer ${secret}`, 'Content-Length: x'],
    [secret],
  ];
  for (const headerLines of lines) keep('garbled', await rawRequest(server.port, `GET /v1/${secret}`, headerLines));
}

/** Every endpoint while the engine misbehaves; the authorizer's own look at the table goes through, or nothing else would be reached. */
async function disturb(by: string, disturbance: Disturbance): Promise<number[]> {
  // The server joins simultaneous reads: a batch may contain others, too.
  const ofAuthorizer = (operation: string, body: string) =>
    (operation === 'GetItem' || operation === 'BatchGetItem') &&
    [...body.matchAll(/"pk":\{"S":"([^"]*)"/g)].every(([, pk]) =>
      /^(KEY#|KEY_ID#|SESSION#|SESSION_ID#|API_KEYS$)/.test(pk!),
    );
  proxy.disturb((operation, body) => (ofAuthorizer(operation, body) ? 'none' : disturbance));
  const good: Record<string, unknown> = {
    addNode: { node_type: 'generic', node_name: 'd', address: 'h' },
    addService: { service_type: 'haproxy', service_name: 'd' },
    addAgent: { agent_type: 'external_exporter', listen_port: 1 },
    addApiKey: { name: 'disturbed', role: 'Viewer' },
    changeNode: { address: 'h' },
    changeService: { cluster: 'c' },
    changeAgent: { disabled: true },
  };
  const statuses = await Promise.all(
    endpoints.map(async ({ id, method, path }) => {
      const body = good[id];
      return (await call(by, method, pathOf(path, NOBODY), { body })).status;
    }),
  );
  proxy.disturb(() => 'none');
  return statuses;
}

/** Page by page; what was refused is in it once its second is over. */
async function readAudit(admin: string): Promise<void> {
  await delay(1500);
  for (let token = '', pages = 0; pages === 0 || token !== ''; pages += 1) {
    const more = token === '' ? '' : `&page_token=${token}`;
    const body = bodyOf(await call(bearer(admin), 'GET', `/v1/audit?page_size=100${more}`), 200);
    audited.push(...body.entries.map(({ event }: { event: string }) => event));
    token = body.next_page_token ?? '';
  }
}

beforeAll(async () => {
  home = await newDataDir();
  engine = await startEngine({ dataDir: join(home, 'engine'), environment: process.env });
  served = await serveEngine(engine);
  proxy = await startTableProxy(served.endpoint);
  server = await startServer(join(home, 'server'), {
    environment: { DYNAMODB_ENDPOINT: proxy.endpoint, LOG_LEVEL: 'info' },
  });
  password = /password (\S+) \(shown only once/.exec(server.stdout())?.[1] ?? '';
  secrets.set('password', password);
  secrets.set('wrong password', 'this is nobody\u2019s password');
  secrets.set('unknown key', newApiKeySecret(randomBytes));
  const unknown = secrets.get('unknown key')!;
  secrets.set('mistyped key', `${unknown.slice(0, -1)}${unknown.endsWith('0') ? '1' : '0'}`);

  // The ways in: a session for the password, and with it a key of each role.
  const user = basic('admin', password);
  for (const name of ['session', 'ended session']) {
    const { key } = bodyOf(await call(user, 'POST', '/v1/sessions', {}, name), 201);
    secrets.set(name, key);
  }
  const session = bearer(secrets.get('session')!);
  for (const role of ranks) await addKey(session, role, { role });
  await addKey(session, 'expired key', { role: 'Admin', time_to_live: '1s' });
  const removed = await addKey(session, 'removed key', { role: 'Admin' });
  const admin = secrets.get('Admin')!;
  bodyOf(await call(bearer(removed.key), 'DELETE', `/v1/api-keys/${removed.key_id}`), 204);
  bodyOf(await call(bearer(secrets.get('ended session')!), 'DELETE', '/v1/sessions'), 204);
  bodyOf(await call(bearer(admin), 'POST', '/v1/api-keys', { body: { name: 'Admin', role: 'Viewer' } }), 409);

  // A host trades a token for its key; another token stays good.
  for (const name of ['used token', 'token']) {
    const reply = await call(
      bearer(admin),
      'POST',
      '/v1/enrolment-tokens',
      { body: { name, allowed_addresses: ['h'] } },
      name,
    );
    secrets.set(name, bodyOf(reply, 201).token);
  }
  const node = { node_type: 'generic', node_name: 'host', address: 'h' };
  const enrolment = { body: { token: secrets.get('used token'), node } };
  const enrolled = await call(undefined, 'POST', '/v1/enrolment', enrolment, 'host key');
  secrets.set('host key', bodyOf(enrolled, 201).api_key.key);
  bodyOf(await call(undefined, 'POST', '/v1/enrolment', enrolment), 401);
  bodyOf(await call(undefined, 'POST', '/v1/enrolment', { body: { token: secrets.get('token'), node } }), 409);
  bodyOf(await call(bearer(admin), 'GET', '/v1/enrolment-tokens'), 200);

  await lead(secrets.get('Editor')!);
  await lead(admin);
  await delay(1000); // for the key of one second
  for (const secret of secrets.values())
    for (const authorization of [bearer(secret), basic('api_key', secret), basic('service_token', secret), secret])
      await call(
        Buffer.from(authorization).toString('latin1') === authorization ? authorization : bearer('x'),
        'GET',
        '/v1/caller',
      );
  await call(basic('admin', secrets.get('wrong password')!), 'POST', '/v1/sessions');
  await call(basic('nobody', password), 'POST', '/v1/sessions');
  // In the wrong field.
  for (const name of ['password', 'unknown key']) await call(basic(secrets.get(name)!, 'x'), 'POST', '/v1/sessions');
  for (const secret of [admin, secrets.get('unknown key')!, secrets.get('token')!, password])
    await misbehave(bearer(admin), secret);
  for (const secret of [admin, password]) await garble(secret);
  for (const path of ['/v1/api-keys?include_expired=true', '/v1/api-keys?page_size=1'])
    bodyOf(await call(bearer(admin), 'GET', path), 200);
  await readAudit(admin);
});

afterAll(async () => {
  await server.stop();
  await proxy.stop();
  await served.stop();
  await engine.stop();
  await removeDataDir(home);
});

test('a reply reveals only that the engine failed', async () => {
  const admin = bearer(secrets.get('Admin')!);
  for (const disturbance of ['refuse', 'fail', 'cut', 'garble'] as const) {
    const statuses = await disturb(admin, disturbance);
    expect(statuses.filter((status) => status >= 500).length).toBeGreaterThan(endpoints.length / 2);
  }
  proxy.disturb(() => 'refuse');
  for (const secret of secrets.values())
    if (secret.startsWith('minv_')) await call(bearer(secret), 'GET', '/v1/caller');
  proxy.disturb(() => 'none');
  expect(await call(admin, 'GET', '/v1/caller')).toMatchObject({ status: 200 });
  for (const { text } of replies)
    expect(text).not.toMatch(/Cannot do|ValidationException|InternalServerError|node_modules|\.ts:/);
});

test('no reply contains a secret, except the one that shows it once', () => {
  expect(replies.length).toBeGreaterThan(600);
  const leaks = replies.flatMap(({ call: what, text, shows }) =>
    leaksIn(text, shows).map((name) => `${name} in ${what}`),
  );
  expect(leaks).toEqual([]);
  for (const { text, shows } of replies.filter((reply) => reply.shows !== undefined))
    expect(text.split(secrets.get(shows!)!)).toHaveLength(2);
});

test('the audit contains all that was done and refused', () => {
  const expected = ['api_key.added', 'session.removed', 'enrolment_token.used', 'node.removed'];
  const refused = ['sign_in.refused', 'api_key.refused', 'enrolment.refused', 'call.refused'];
  expect([...new Set(audited)]).toEqual(expect.arrayContaining([...expected, ...refused]));
});

test('the output contains the generated password once, and no other secret', () => {
  expect(server.stdout().split(password)).toHaveLength(2);
  expect(leaksIn(server.stdout(), 'password')).toEqual([]);
  expect(leaksIn(server.stderr())).toEqual([]);
  expect(server.output()).not.toMatch(/\bauthorization\b|bearer|basic /i);
});

test('the output has one line for each function request, with its causes', () => {
  const lines = server
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const seen = new Set(lines.map(({ endpoint }) => endpoint));
  for (const { id } of endpoints) expect([id, seen.has(id)]).toEqual([id, true]);
  expect(lines.filter(({ level }) => level === 'info').length).toBeGreaterThan(200);
  expect(lines.some(({ cause }) => String(cause).includes('Cannot do'))).toBe(true);
});

test('no secret is sent to or from the table', () => {
  expect(proxy.traffic()).toContain('"KEY#');
  expect(leaksIn(proxy.traffic())).toEqual([]);
});

describe('the table', () => {
  beforeAll(async () => {
    const { client, name } = engine.open('monitoring-inventory');
    ({ Items: items = [] } = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true })));
    client.destroy();
  });

  test('contains no secret in any item', () => {
    for (const item of items) expect([item['pk'], leaksIn(JSON.stringify(item))]).toEqual([item['pk'], []]);
  });

  test.each([
    ['keys', 'KEY#', 'apikey:v1:', [...ranks, 'expired key', 'host key']],
    ['sessions', 'SESSION#', 'apikey:v1:', ['session']],
    ['enrolment tokens that are good still', 'ENROLMENT#', 'enrolment:v1:', ['token']],
  ])('contains %s by their SHA-256 only', (_, start, tag, names) => {
    const expected = names.map((name) => {
      const digest = createHash('sha256')
        .update(`${tag}${secrets.get(name)!}`)
        .digest('hex');
      return `${start}${digest}`;
    });
    const partitions = items.map(({ pk }) => String(pk)).filter((pk) => pk.startsWith(start));
    expect(partitions.toSorted()).toEqual(expected.toSorted());
  });

  test('contains the password by its scrypt hash only', () => {
    const accounts = items.filter(({ pk }) => String(pk).startsWith('ACCOUNT#'));
    expect(accounts).toEqual([
      {
        pk: 'ACCOUNT#admin',
        sk: 'ACCOUNT',
        name: 'admin',
        role: 'Admin',
        password_hash: expect.stringMatching(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{22}\$[\w-]{43}$/),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
  });

  test('has its own secret for page tokens', () => {
    const secret = String(items.find(({ pk }) => pk === 'SECRET#PAGE_TOKEN')?.['value']);
    expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
    for (const { text } of replies) expect(text).not.toContain(secret);
    expect(server.output()).not.toContain(secret);
  });
});

test('no file contains a secret, whatever the engine has left in its pages', async () => {
  await server.stop();
  await served.stop();
  await engine.stop();
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain('inventory.sqlite');
  for (const { parentPath, name } of files) {
    const bytes = (await readFile(join(parentPath, name))).toString('latin1');
    expect([name, leaksIn(bytes)]).toEqual([name, []]);
  }
});

describe('a key that is pasted where it does not belong', () => {
  let pasteServer: RunningServer;
  beforeAll(async () => {
    pasteServer = await startServer(join(home, 'own'), { environment: { ADMIN_PASSWORD: password } });
  });
  afterAll(() => pasteServer.stop());

  test('is refused like any other credential, and is not repeated', async () => {
    const session = clientOf(pasteServer, basic('admin', password));
    const { key } = bodyOf(await session('POST', '/v1/sessions'), 201);
    const client = clientOf(pasteServer, bearer(key));
    const node = { node_type: 'generic', node_name: 'n', address: 'h' };
    for (const body of [
      { ...node, node_name: key },
      { ...node, address: `https://api_key:${key}@h/` },
      { ...node, custom_labels: { token: `Bearer ${key}` } },
    ]) {
      const reply = await client('POST', '/v1/nodes', { body });
      expect(bodyOf(reply, 400).message).toContain('Must not contain credentials');
      expect(reply.text).not.toContain(key);
    }
  });
});
