import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endpoints } from '../../functions/api/endpoints.ts';
import { newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { type Rank, ranks, roleAllows } from '../../shared/auth/roles.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { randomBytes } from 'node:crypto';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https, type HttpsReply } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bearer, bodyOf, type Client, clientOf, logIn, makeKeys, PASSWORD } from './client.ts';
import { type RawReply, rawRequest, sendRaw } from './raw-request.ts';

/** How long the gateway keeps the answers of the authorizer: authentication-cached.long.test.ts runs this suite with the cache on. */
const CACHE_SECONDS = Number(process.env['TEST_AUTHORIZER_CACHE_SECONDS'] ?? 0);
const isCached = CACHE_SECONDS > 0;

const NOBODY = '00000000-0000-4000-8000-000000000000';
const CHALLENGE = 'Bearer realm="inventory"';

let server: RunningServer;
let keys: Record<Rank, string>;
let anonymous: Client;
let admin: Client;
let editor: Client;
let viewer: Client;

beforeAll(async () => {
  server = await startServer(await newDataDir(), {
    environment: { ADMIN_PASSWORD: PASSWORD, AUTHORIZER_CACHE_SECONDS: String(CACHE_SECONDS) },
  });
  ({ keys } = await makeKeys(server));
  anonymous = clientOf(server);
  admin = clientOf(server, bearer(keys.Admin));
  editor = clientOf(server, bearer(keys.Editor));
  viewer = clientOf(server, bearer(keys.Viewer));
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

/** A 401 as every client must get it: one challenge and no other, our JSON, and not a word more. */
function expectRefused(reply: HttpsReply, message: string): void {
  expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, CHALLENGE]);
  expectRefusal(reply.text, message);
}

/** A credential that was let in before it ended: refused at once, or, while the gateway keeps the answer, still let in to read. */
function expectEnded(reply: HttpsReply): void {
  if (isCached) expect(reply.status).toBe(200);
  else expectRefused(reply, 'Invalid API key');
}

function expectRefusal(text: string, message: string): void {
  const said = JSON.stringify(message);
  const start = `{"code":16,"status":"UNAUTHENTICATED","error":${said},"message":${said},"details":[],"request_id":"`;
  expect(text.slice(0, start.length)).toBe(start);
  expect(text.slice(start.length)).toMatch(/^[0-9a-f-]{36}"\}$/);
}

function expectRawRefused(reply: RawReply, message: string): void {
  expect([reply.status, reply.values('www-authenticate')]).toEqual([401, [CHALLENGE]]);
  expect(reply.headers.map(([name]) => name)).toEqual([
    'Content-Type',
    'Cache-Control',
    'X-Content-Type-Options',
    'Content-Security-Policy',
    'WWW-Authenticate',
    'X-Request-Id',
    'Content-Length',
    'Date',
    'Connection',
  ]);
  expect(reply.values('content-type')).toEqual(['application/json']);
  expectRefusal(reply.text, message);
}

async function addKey(name: string, more: Record<string, unknown> = {}): Promise<any> {
  return bodyOf(await admin('POST', '/v1/api-keys', { body: { name, role: 'Viewer', ...more } }), 201);
}

describe('an accepted API key', () => {
  const encoded = (user: string, key: string) => Buffer.from(`${user}:${key}`).toString('base64');
  const forms: Record<string, (key: string) => string> = {
    'as Bearer': (key) => `Bearer ${key}`,
    'as bearer, whatever the case of the scheme': (key) => `bEaReR ${key}`,
    'after several spaces': (key) => `Bearer   ${key}`,
    'as the password of api_key': (key) => `Basic ${encoded('api_key', key)}`,
    'as the password of service_token': (key) => `BASIC ${encoded('service_token', key)}`,
  };

  test.each(Object.entries(forms))('%s', async (_name, form) => {
    for (const role of ranks) {
      const reply = await clientOf(server, form(keys[role]))('GET', '/v1/caller');
      expect(bodyOf(reply, 200)).toEqual({ kind: 'api_key', id: expect.any(String), name: role, role });
    }
  });

  test.each(['api_key', 'service_token'])('is user-info of the URL, with curl and user %s', async (user) => {
    const url = `https://${user}:${keys.Viewer}@localhost:${server.port}/v1/version`;
    const { stdout } = await promisify(execFile)('curl', ['--silent', '--show-error', '--insecure', '--fail', url]);
    expect(JSON.parse(stdout)).toMatchObject({ api: 'v1' });
  });
});

describe('roles', () => {
  const pathOf = (template: string) => template.replaceAll(/\{[^}]+\}/g, NOBODY);

  test('let a Viewer read, an Editor write too, and an Admin manage keys too', async () => {
    const calls: [method: string, path: string, body: unknown, allowed: number][] = [
      ['GET', '/v1/nodes', undefined, 200],
      ['POST', '/v1/nodes', { node_type: 'generic', node_name: 'role', address: 'h' }, 201],
      ['GET', '/v1/api-keys', undefined, 200],
    ];
    const statuses: Record<string, number[]> = {};
    for (const role of ranks) {
      statuses[role] = [];
      for (const [method, path, body] of calls) {
        const reply = await clientOf(server, bearer(keys[role]))(method, path, { body });
        if (reply.status === 201) bodyOf(await admin('DELETE', String(reply.headers['location'])), 204);
        statuses[role].push(reply.status);
      }
    }
    const [read, write, manage] = calls.map(([, , , allowed]) => allowed);
    expect(statuses).toEqual({ Viewer: [read, 403, 403], Editor: [read, write, 403], Admin: [read, write, manage] });
  });

  // The guarantees of every endpoint are tested in one process, too. The short form has one endpoint of each right.
  const rightOf = ({ role, lowerRole, callers, method }: (typeof endpoints)[number]) =>
    JSON.stringify([role, lowerRole?.role, callers, method === 'GET']);
  const oneOfEachRight = [...new Map(endpoints.map((endpoint) => [rightOf(endpoint), endpoint])).values()];

  test.each(
    inFull(endpoints, oneOfEachRight).map((endpoint) => ({ ...endpoint, name: `${endpoint.method} ${endpoint.path}` })),
  )('$name admits exactly the roles of its contract', async ({ method, path, role, lowerRole, callers }) => {
    // Which body needs the higher role is tested beside the endpoint.
    const least = lowerRole?.role ?? role;
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const nobody = await anonymous(method, pathOf(path), { body });
    // A permitted caller gets the error of the empty body instead.
    if (least === 'none') expect([200, 400]).toContain(nobody.status);
    else expectRefused(nobody, 'Unauthorized');
    for (const rank of ranks) {
      const { status, body: said } = await clientOf(server, bearer(keys[rank]))(method, pathOf(path), { body });
      const allowed = least === 'none' || (callers?.includes('api_key') !== false && roleAllows(rank, least));
      expect([rank, status !== 401 && status !== 403]).toEqual([rank, allowed]);
      if (!allowed) expect(said).toMatchObject({ code: 7, status: 'PERMISSION_DENIED', error: 'Access denied.' });
    }
  });

  test('do not depend on what a client claims in other headers', async () => {
    const headers = {
      'X-Role': 'Admin',
      'X-Amzn-Remapped-Authorization': bearer(keys.Admin),
      'X-Forwarded-User': 'admin',
      'X-Amz-Security-Token': keys.Admin,
      'X-Amzn-RequestId': 'mine',
      'X-Request-Id': 'mine',
    };
    const reply = await viewer('GET', '/v1/api-keys', { headers });
    expect(reply).toMatchObject({ status: 403 });
    expect(reply.body.request_id).not.toBe('mine');
    expectRefused(await anonymous('GET', '/v1/nodes', { headers }), 'Unauthorized');
  });
});

describe('keys', () => {
  test('are given by an Admin only, with a correctly spelled role', async () => {
    expect(await editor('POST', '/v1/api-keys', { body: { name: 'x', role: 'Viewer' } })).toMatchObject({
      status: 403,
    });
    for (const role of ['admin', 'Owner', ['Admin'], {}, null, 1, '', undefined])
      expect(await admin('POST', '/v1/api-keys', { body: { name: 'x', role } })).toMatchObject({
        status: 400,
        body: { details: [expect.objectContaining({ field: 'role' })] },
      });
    for (const field of ['key', 'key_id', 'key_hash', 'kind', 'created_at', 'created_by', 'expires_at', 'prefix'])
      expect(await admin('POST', '/v1/api-keys', { body: { name: 'x', role: 'Viewer', [field]: 'x' } })).toMatchObject({
        status: 400,
        body: { details: [expect.objectContaining({ field })] },
      });
  });

  test('live as long as a valid duration', async () => {
    for (const text of [
      '1.5d',
      '-1',
      '0',
      '1D',
      '1d6h',
      '1e3',
      '0x10',
      '10ms',
      '101y',
      '1 d',
      '\u0661d',
      86_400,
      true,
      null,
      [],
      {},
      '',
    ])
      expect(
        await admin('POST', '/v1/api-keys', { body: { name: 'x', role: 'Viewer', time_to_live: text } }),
      ).toMatchObject({
        status: 400,
        body: { details: [expect.objectContaining({ field: 'time_to_live' })] },
      });
    for (const [text, seconds] of [
      ['1d', 86_400],
      ['90', 90],
      ['1M', 2_592_000],
      [' 5h ', 18_000],
      [undefined, Infinity],
    ] as const) {
      const {
        key_id: id,
        created_at: created,
        expires_at: expires,
      } = await addKey(`for "${text}"`, { time_to_live: text });
      if (seconds === Infinity) expect(expires).toBeUndefined();
      else expect(Math.abs(Date.parse(expires) - Date.parse(created) - seconds * 1000)).toBeLessThan(1000);
      bodyOf(await admin('DELETE', `/v1/api-keys/${id}`), 204);
    }
  });

  test('with one name are given once among simultaneous requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => admin('POST', '/v1/api-keys', { body: { name: 'wanted', role: 'Viewer' } })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    const given = replies.find(({ status }) => status === 201)!;
    expect(given.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(await clientOf(server, bearer(given.body.key))('GET', '/v1/caller')).toMatchObject({ status: 200 });
    bodyOf(await admin('DELETE', `/v1/api-keys/${given.body.key_id}`), 204);
  });

  test('are listed by their first characters only', async () => {
    const reply = await admin('GET', '/v1/api-keys');
    for (const role of ranks) {
      expect(reply.text).not.toContain(keys[role]);
      const shown = reply.body.api_keys.find(({ name }: { name: string }) => name === role);
      expect(shown).toEqual({
        key_id: expect.any(String),
        name: role,
        role,
        prefix: keys[role].slice(0, 9),
        created_at: expect.any(String),
        created_by: { kind: 'session', id: expect.any(String), name: 'admin' },
        // Everybody has been used by now.
        last_used_at: expect.any(String),
        last_used_from: '127.0.0.1',
        uses_by_day: [{ date: expect.any(String), uses: expect.any(Number) }],
      });
    }
  });

  test("end on time, as only their owner learns, whatever the client's clock", async () => {
    const [short, long] = await Promise.all([
      addKey('one second', { time_to_live: '1s' }),
      addKey('three seconds', { time_to_live: '3s' }),
    ]);
    const holder = clientOf(server, bearer(long.key));
    expect(bodyOf(await holder('GET', '/v1/caller'), 200)).toMatchObject({ expires_at: long.expires_at });

    await delay(Date.parse(short.expires_at) - Date.now() + 5);
    expectRefused(await clientOf(server, bearer(short.key))('GET', '/v1/caller'), 'Expired API key');
    await delay(Date.parse(long.expires_at) - Date.now() + 5);
    for (const headers of [{}, { Date: new Date(0).toUTCString() }])
      expectRefused(await holder('GET', '/v1/caller', { headers }), 'Expired API key');
    expectRefused(await clientOf(server, basic('api_key', long.key))('GET', '/v1/caller'), 'Expired API key');

    const listed = async (query: string) =>
      (await admin('GET', `/v1/api-keys${query}`)).body.api_keys.map(({ name }: { name: string }) => name);
    expect(await listed('')).not.toEqual(expect.arrayContaining(['three seconds']));
    expect(await listed('?include_expired=true')).toEqual(expect.arrayContaining(['one second', 'three seconds']));
    for (const { key_id: id } of [short, long]) bodyOf(await admin('DELETE', `/v1/api-keys/${id}`), 204);
    // The end is in the kept answer, the removal is not.
    expectRefused(await holder('GET', '/v1/caller'), isCached ? 'Expired API key' : 'Invalid API key');
  });

  test('are refused from the next call after their removal unless the reply is cached, also among many calls', async () => {
    const { key, key_id: id } = await addKey('revoked');
    const holder = clientOf(server, bearer(key));
    const results: { sent: number; status: number }[] = [];
    let stopped = false;
    const callers = Array.from({ length: 4 }, async () => {
      while (!stopped) {
        const sent = performance.now();
        const { status } = await holder('GET', '/v1/caller');
        results.push({ sent, status });
      }
    });
    while (!results.some(({ status }) => status === 200)) await delay(5);
    bodyOf(await admin('DELETE', `/v1/api-keys/${id}`), 204);
    const removed = performance.now();
    expectEnded(await holder('GET', '/v1/caller'));
    while (!results.some(({ sent }) => sent >= removed)) await delay(5);
    stopped = true;
    await Promise.all(callers);

    const after = results.filter(({ sent }) => sent >= removed);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([isCached ? 200 : 401]));
    expect(await admin('DELETE', `/v1/api-keys/${id}`)).toMatchObject({ status: 404 });
  });

  test('of an Admin may remove themselves, and the password still works', async () => {
    const { key, key_id: id } = await addKey('mine', { role: 'Admin' });
    const holder = clientOf(server, bearer(key));
    bodyOf(await holder('DELETE', `/v1/api-keys/${id}`), 204);
    expectEnded(await holder('GET', '/v1/caller'));
    expectRefused(await holder('POST', '/v1/api-keys', { body: { name: 'x', role: 'Admin' } }), 'Invalid API key');
  });

  test('that were removed or rotated change no credential, also while the gateway still admits them', async () => {
    const removed = await addKey('removed', { role: 'Admin' });
    const leaked = await addKey('leaked', { role: 'Admin' });
    const [first, other] = [removed, leaked].map(({ key }) => clientOf(server, bearer(key)));
    for (const holder of [first!, other!]) bodyOf(await holder('GET', '/v1/caller'), 200);
    bodyOf(await admin('DELETE', `/v1/api-keys/${removed.key_id}`), 204);
    const path = `/v1/api-keys/${leaked.key_id}/rotate`;
    const { key: rightful } = bodyOf(await admin('POST', path, { body: { overlap: '0s' } }), 200);

    for (const holder of [first!, other!]) {
      expectEnded(await holder('GET', '/v1/caller'));
      for (const [target, body] of [
        ['/v1/api-keys', { name: 'back door', role: 'Admin' }],
        ['/v1/enrolment-tokens', { name: 'back door' }],
        ['/v1/caller/rotate', { overlap: '0s' }],
        [path, { overlap: '0s' }],
      ] as const)
        expectRefused(await holder('POST', target, { body }), 'Invalid API key');
    }
    expect(await clientOf(server, bearer(rightful))('GET', '/v1/caller')).toMatchObject({ status: 200 });
    bodyOf(await admin('DELETE', `/v1/api-keys/${leaked.key_id}`), 204);
  });
});

describe('a session', () => {
  test("is opened by the password, has the account's rights, and ends only itself, permanently", async () => {
    const user = clientOf(server, basic('admin', PASSWORD));
    const [first, other] = (await Promise.all([user('POST', '/v1/sessions'), user('POST', '/v1/sessions')])).map(
      (reply) => bodyOf(reply, 201),
    );
    expect(first).toEqual({
      session_id: expect.any(String),
      name: 'admin',
      role: 'Admin',
      expires_at: expect.any(String),
      key: expect.stringMatching(/^minv_/),
    });
    const twelveHours = 12 * 60 * 60 * 1000;
    expect(Math.abs(Date.parse(first.expires_at) - Date.now() - twelveHours)).toBeLessThan(10_000);
    const session = clientOf(server, bearer(first.key));
    expect(bodyOf(await session('GET', '/v1/caller'), 200)).toEqual({
      kind: 'session',
      id: first.session_id,
      name: 'admin',
      role: 'Admin',
      expires_at: first.expires_at,
    });
    expect(await session('POST', '/v1/sessions')).toMatchObject({ status: 403 });
    expect(await session('DELETE', `/v1/api-keys/${first.session_id}`)).toMatchObject({ status: 404 });
    const listed = bodyOf(await session('GET', '/v1/api-keys'), 200).api_keys;
    expect(listed.map((shown: any) => shown.key_id)).not.toContain(first.session_id);

    expect(await session('DELETE', '/v1/sessions')).toMatchObject({ status: 204, text: '' });
    expectEnded(await session('GET', '/v1/caller'));
    expectRefused(await session('POST', '/v1/api-keys', { body: { name: 'x', role: 'Admin' } }), 'Invalid API key');
    expectRefused(await session('DELETE', '/v1/sessions'), 'Invalid API key');
    expect(await clientOf(server, bearer(other.key))('GET', '/v1/caller')).toMatchObject({ status: 200 });
  });

  test('is not opened by a key, and not ended by a key or a password', async () => {
    for (const key of Object.values(keys))
      for (const method of ['POST', 'DELETE'])
        expect(await clientOf(server, bearer(key))(method, '/v1/sessions')).toMatchObject({ status: 403 });
    const user = clientOf(server, basic('admin', PASSWORD));
    expect(await user('DELETE', '/v1/sessions')).toMatchObject({ status: 403 });
    expect(bodyOf(await user('GET', '/v1/caller'), 200)).toEqual({
      kind: 'user',
      id: 'admin',
      name: 'admin',
      role: 'Admin',
    });
  });
});

describe('a 401', () => {
  const wrongPassword = 'Invalid username or password';

  test('is the reply to a wrong password and to an unknown user', async () => {
    for (const [user, password] of [
      ['admin', `${PASSWORD}x`],
      ['nobody', PASSWORD],
    ] as const)
      expectRefused(await logIn(server, basic(user, password)), wrongPassword);
  });

  test('is the reply without credentials, wherever else a key is', async () => {
    const key = keys.Admin;
    const calls: [path: string, more: { headers?: Record<string, string>; body?: unknown }][] = [
      ['/v1/nodes', {}],
      [`/v1/nodes?api_key=${key}`, {}],
      [`/v1/nodes?access_token=${key}&Authorization=Bearer%20${key}`, {}],
      [`/v1/${key}/nodes`, {}],
      ['/v1/nodes', { headers: { Cookie: `api_key=${key}; Authorization=Bearer ${key}` } }],
      [
        '/v1/nodes',
        { headers: { 'X-Api-Key': key, 'Proxy-Authorization': bearer(key), 'X-Authorization': bearer(key) } },
      ],
      ['/v1/nodes', { body: { api_key: key } }],
      ['/v1/nodes', { headers: { Authorization: '' } }],
    ];
    for (const [path, more] of calls) {
      const reply = await anonymous(more.body === undefined ? 'GET' : 'POST', path, more);
      expectRefused(reply, 'Unauthorized');
      expect(JSON.stringify(reply)).not.toContain(key);
    }
  });

  const b64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
  /** Header lines that are not quite a credential, made from a good key. */
  const garbled: Record<string, (key: string) => string[]> = {
    'another scheme': (key) => [`Authorization: Digest ${key}`],
    'the scheme Token': (key) => [`Authorization: Token ${key}`],
    'no scheme': (key) => [`Authorization: ${key}`],
    'a scheme that runs into the key': (key) => [`Authorization: Bearer${key}`],
    'a scheme without a key': () => ['Authorization: Bearer'],
    'a tab between scheme and key': (key) => [`Authorization: Bearer\t${key}`],
    'something after the key': (key) => [`Authorization: Bearer ${key} x`],
    'quotes around the key': (key) => [`Authorization: Bearer "${key}"`],
    'two credentials with a comma': (key) => [`Authorization: Bearer ${key}, Bearer ${key}`],
    'the same header twice': (key) => [`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`],
    'a good header before a bad one': (key) => [`Authorization: Bearer ${key}`, 'Authorization: Bearer x'],
    'a bad header before a good one': (key) => ['authorization: Bearer x', `AUTHORIZATION: Bearer ${key}`],
    'an empty header before a good one': (key) => ['Authorization:', `Authorization: Bearer ${key}`],
    'a key that is cut short': (key) => [`Authorization: Bearer ${key.slice(0, -1)}`],
    'a key in upper case': (key) => [`Authorization: Bearer ${key.toUpperCase()}`],
    'a key with one character changed': (key) => [
      `Authorization: Bearer ${key.slice(0, 10)}${key[10] === 'a' ? 'b' : 'a'}${key.slice(11)}`,
    ],
    'a key that was never given out': () => [`Authorization: Bearer ${newApiKeySecret(randomBytes)}`],
    'Basic with the user API_KEY': (key) => [`Authorization: Basic ${b64(`API_KEY:${key}`)}`],
    'Basic without a user': (key) => [`Authorization: Basic ${b64(`:${key}`)}`],
    'Basic without a colon': (key) => [`Authorization: Basic ${b64(key)}`],
    'Basic with the key as the user': (key) => [`Authorization: Basic ${b64(`${key}:`)}`],
    'Basic with the key as the user of api_key': (key) => [`Authorization: Basic ${b64(`${key}:api_key`)}`],
    'Basic with a colon after the key': (key) => [`Authorization: Basic ${b64(`api_key:${key}:`)}`],
    'Basic with an empty password': () => [`Authorization: Basic ${b64('api_key:')}`],
    'Basic with a line break in it': (key) => [`Authorization: Basic ${b64(`api_key:${key}\n`)}`],
    'Basic with a NUL in it': (key) => [`Authorization: Basic ${b64(`api_key:${key}\0`)}`],
    'Basic with a byte order mark': (key) => [`Authorization: Basic ${b64(`\ufeffapi_key:${key}`)}`],
    'Basic that is not UTF-8': (key) => [
      `Authorization: Basic ${b64(Buffer.concat([Buffer.from(`api_key:${key}`), Buffer.from([0xff])]))}`,
    ],
    'Basic in UTF-16': (key) => [`Authorization: Basic ${b64(Buffer.from(`api_key:${key}`, 'utf16le'))}`],
    'base64 with junk after it': (key) => [`Authorization: Basic ${b64(`api_key:${key}`)}!!!!`],
    'base64 without its padding': (key) => [`Authorization: Basic ${b64(`api_key:${key}`).replace(/=+$/, '')}`],
    'base64 with too much padding': (key) => [`Authorization: Basic ${b64(`api_key:${key}`)}==`],
    'base64 with a space in it': (key) => [`Authorization: Basic ${b64(`api_key:${key}`).replace(/^.{8}/, '$& ')}`],
    // 65 bytes: the last character but one has two bits to spare, which must be zero.
    'base64 with spare bits set': (key) => [
      `Authorization: Basic ${b64(`api_key:${key}`).replace(/(.)=$/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=`)}`,
    ],
    'base64 of something that is no text': () => [`Authorization: Basic ${b64(randomBytes(30))}`],
    'a header of 1,025 bytes': (key) => [`Authorization: Bearer${' '.repeat(1025 - 6 - key.length)}${key}`],
    'a header of 8 KB': () => [`Authorization: Bearer ${'x'.repeat(8192)}`],
  };

  test.each(Object.entries(garbled))('%s', async (_name, lines) => {
    expectRawRefused(await rawRequest(server.port, 'GET /v1/caller', lines(keys.Admin)), 'Invalid API key');
  });

  test('is caused only by the header beyond 1,024 bytes', async () => {
    const line = `Authorization: Bearer${' '.repeat(1024 - 6 - keys.Admin.length)}${keys.Admin}`;
    expect(await rawRequest(server.port, 'GET /v1/caller', [line])).toMatchObject({ status: 200 });
  });

  test('is not caused by a header that continues in the next line, which is invalid HTTP: 400, without the challenge', async () => {
    const reply = await sendRaw(
      server.port,
      `GET /v1/caller HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer\r\n ${keys.Admin}\r\n\r\n`,
    );
    expect(reply.status).toBe(400);
    expect(reply.text).not.toContain(keys.Admin);
  });

  test('is identical for unknown, mistyped and revoked keys, except the request id', async () => {
    const { key, key_id: id } = await addKey('gone');
    bodyOf(await admin('DELETE', `/v1/api-keys/${id}`), 204);
    const replies = await Promise.all(
      [key, newApiKeySecret(randomBytes), 'x'].map((text) =>
        rawRequest(server.port, 'GET /v1/caller', [`Authorization: Bearer ${text}`]),
      ),
    );
    const comparable = replies.map(({ headers, text }) => [
      headers.filter(([name]) => !['Date', 'X-Request-Id'].includes(name)),
      text.replace(/"request_id":"[^"]+"/, ''),
    ]);
    expect(comparable[1]).toEqual(comparable[0]);
    expect(comparable[2]).toEqual(comparable[0]);
  });
});

describe('paths without an endpoint', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  const methodsOf = (path: string) =>
    endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
  const oneOfEachMethods = [...new Map(paths.map((path) => [methodsOf(path).join(), path])).values()];

  test.each(inFull(paths, oneOfEachMethods))(
    '%s: any other method is 405 with Allow, and without credentials 401',
    async (path) => {
      const target = path.replaceAll(/\{[^}]+\}/g, NOBODY);
      const ownMethods: string[] = methodsOf(path);
      const allowed = ownMethods.includes('GET') ? [...ownMethods, 'HEAD'] : ownMethods;
      for (const method of METHODS.filter((name) => !allowed.includes(name))) {
        const reply = await admin(method, target);
        expect([method, reply.status]).toEqual([method, 405]);
        expect(String(reply.headers['allow']).split(', ').toSorted()).toEqual(allowed.toSorted());
        if (method === 'HEAD') expect(reply.text).toBe('');
        else expect(reply.body).toMatchObject({ code: 12, error: 'Method Not Allowed', details: [] });
        const refused = await anonymous(method, target);
        expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, CHALLENGE]);
        expect(Object.keys(refused.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );

  test('an unknown path is 404 with a key, and 401 without', async () => {
    for (const path of ['/v1/', '/v1/unknown', '/v1/nodes/x/y', '/v1/api-keys/x/y', '/v1/swagger', '/v2/nodes']) {
      const isOfApi = path.startsWith('/v1/');
      const reply = await admin('GET', path);
      expect(reply.status).toBe(404);
      if (isOfApi) expect(reply.body).toMatchObject({ code: 5, error: 'Not Found', details: [] });
      if (isOfApi) expectRefused(await anonymous('GET', path), 'Unauthorized');
    }
  });

  test('a static path segment precedes a parameter, so that no service can be called types', async () => {
    expect(await viewer('GET', '/v1/services/types')).toMatchObject({ status: 200, body: { service_types: [] } });
    for (const method of ['PATCH', 'DELETE'])
      expect(await admin(method, '/v1/services/types')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('never repeats a credential from the path, the query, a header or the body', async () => {
    const key = keys.Admin;
    const blob = b64Blob(key);
    const calls: [method: string, path: string][] = [
      ['GET', `/v1/${key}`],
      ['GET', `/v1/nodes/${key}`],
      ['DELETE', `/v1/api-keys/${key}`],
      ['GET', `/v1/unknown/${encodeURIComponent(blob)}?key=${key}`],
      ['GET', `/v1/nodes?${key}=${key}`],
      ['GET', `/v1/nodes?name_prefix=x&page_token=${key}`],
      ['PUT', `/v1/nodes?api_key=${key}`],
      ['TRACE', '/v1/nodes'],
      ['OPTIONS', `/v1/nodes/${key}`],
      ['POST', '/v1/api-keys'],
      ['POST', '/v1/nodes'],
      ['GET', `/${key}`],
      ['GET', `/swagger/${key}`],
      ['TRACE', `/swagger/${key}`],
    ];
    const bodies = [{ [key]: key, role: key, name: '' }, { node_type: key, custom_labels: { [key + '!']: key } }, key];
    for (const authorization of [bearer(key), basic('api_key', key)])
      for (const [method, path] of calls)
        for (const body of method === 'POST' ? bodies : [undefined]) {
          const reply = await clientOf(server, authorization)(method, path, { body, headers: { 'X-Note': key } });
          expect([method, path, reply.status >= 400 && reply.status < 500]).toEqual([method, path, true]);
          for (const secret of [key, blob, key.slice(9, 40)]) expect(JSON.stringify(reply)).not.toContain(secret);
        }
  });

  const b64Blob = (key: string) => basic('api_key', key).slice('Basic '.length);

  test('X-HTTP-Method-Override and similar headers have no effect', async () => {
    const { node_id: id } = bodyOf(
      await editor('POST', '/v1/nodes', { body: { node_type: 'generic', node_name: 'kept', address: 'h' } }),
      201,
    );
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      expect(await admin('GET', `/v1/nodes/${id}`, { headers: { [name]: 'DELETE' } })).toMatchObject({ status: 200 });
      expect(await admin('GET', `/v1/nodes/${id}?_method=DELETE`, { headers: { [name]: 'DELETE' } })).toMatchObject({
        status: 400,
      });
      expect(await viewer('POST', '/v1/nodes', { headers: { [name]: 'GET' }, body: {} })).toMatchObject({
        status: 403,
      });
    }
    bodyOf(await editor('DELETE', `/v1/nodes/${id}`), 204);
  });

  const detours = [
    '//v1/nodes',
    '/v1//nodes',
    '/v1/nodes/',
    '/v1/nodes//',
    '/v1/nodes%2f',
    '/v1%2fnodes',
    '/%761/nodes',
    '/v1/%6eodes',
    '/V1/nodes',
    '/v1/Nodes',
    '/v1/nodes;x',
    '/v1/nodes%20',
    '/v1/nodes%00',
    '/v1/nodes#x',
    '/v1/./nodes',
    '/v1/x/../nodes',
    '/v1/%2e%2e/v1/nodes',
    '/v1/readyz/',
    '/v1/readyz/../nodes',
    '/v1/readyz/..%2fnodes',
    '/v1/readyz%2f..%2fnodes',
    '/v1/readyz/..%2f..%2fv1%2fapi-keys',
    '/v1/readyz\\..\\nodes',
    '/v1/nodes%',
    '/v1/nodes/%zz',
    '/v1/nodes/%ed%a0%80',
    '/swagger/../v1/nodes',
    '/swagger/..%2fv1%2fnodes',
    'https://localhost//v1/nodes',
    'ftp://localhost/v1/nodes',
    '*',
  ];

  test.each(detours)('the path %s does not bypass the check', async (path) => {
    for (const client of [anonymous, viewer]) {
      const reply = await client('GET', path);
      expect(client === viewer ? [404] : [401, 404]).toContain(reply.status);
      expect(reply.text).not.toContain('"nodes"');
    }
  });

  test('an encoded slash stays inside the parameter', async () => {
    expect(await viewer('GET', '/v1/nodes/..%2fapi-keys')).toMatchObject({
      status: 404,
      body: { error: 'Node with ID "../api-keys" not found.' },
    });
    expect(await admin('DELETE', '/v1/nodes/x%2f%2e%2e%2f..%2fapi-keys')).toMatchObject({ status: 404 });
  });

  test('HEAD is accepted where GET is, with the same credentials, status and headers, without a body', async () => {
    const gets = endpoints.filter(({ method }) => method === 'GET');
    for (const { path, role } of gets) {
      const target = path.replaceAll(/\{[^}]+\}/g, NOBODY);
      const [get, head] = [await admin('GET', target), await admin('HEAD', target)];
      const comparable = ({ status, headers }: typeof get) => {
        // Other values each time, or another length where something has happened in between.
        const changing = { date: '', 'x-request-id': '', 'content-length': '', etag: '' };
        return [status, Object.keys(headers).toSorted(), { ...headers, ...changing }];
      };
      expect([path, comparable(head)]).toEqual([path, comparable(get)]);
      expect(head.text).toBe('');
      expect((await anonymous('HEAD', target)).status).toBe(role === 'none' ? get.status : 401);
    }
    expect(gets.map(({ path }) => path)).toContain('/v1/readyz');
  });

  test('a reply to OPTIONS does not reveal whether a path exists', async () => {
    expect((await https(server.base, 'OPTIONS', '/v1/nodes')).status).toBe(401);
    for (const path of ['/v1/nodes', `/v1/nodes/${NOBODY}`]) expect((await viewer('OPTIONS', path)).status).toBe(405);
  });
});
