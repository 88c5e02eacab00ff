import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as table from '../../functions/api/endpoint-table.ts';
import { endpoints } from '../../functions/api/endpoints.ts';
import { examples } from '../../functions/openapi/examples.ts';
import { noteProgress } from '../../functions/store/jobs/reconciliations.ts';
import { type Rank, ranks } from '../../shared/auth/roles.ts';
import { MAX_BODY_BYTES } from '../../shared/http/http-contract.ts';
import { ORIGIN_HEADER, VIEWER_HEADER } from '../../shared/http/source-address.ts';
import type { Example } from '../../shared/openapi/example.ts';
import { testProviders } from '../support/identity-providers.ts';
import { type Id, story, Telling } from '../support/story.ts';
import { basic, bearer, type Reply, type Request } from './api.ts';
import type { Account } from './aws.ts';
import { Cdk, type Deployment } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { EMULATED_ACCOUNT } from './guard.ts';
import { addKey, inventoryState, nodeNamed, warmUp } from './inventory-state.ts';
import { pathOf } from './programs.ts';
import { Runbook } from './runbook.ts';

const STACK = 'MonitoringInventory';
/** Two CDK runs with separate limits. */
const DEPLOYMENT_LIMIT_MS = 1_200_000;

// Here and not in beforeAll: without it, the suite fails once and not every test of it.
const program = await pathOf('ministack');
const aws = await pathOf('aws');

let emulated: EmulatedAccount;
let account: Account;
let cdk: Cdk;
let runbook: Runbook;
const deployments: Deployment[] = [];
let request: Request;
let password: string;
let admin: string;
/** All that it ever was. */
const passwords: string[] = [];

beforeAll(async () => {
  emulated = await openAccount(program);
  ({ account } = emulated);
  cdk = new Cdk(emulated.target);
  runbook = await Runbook.open(emulated.target, aws);
  await cdk.bootstrap();
  // The provider of the examples of role bindings.
  const providers = testProviders.filter(({ name }) => name === 'github');
  deployments.push(await cdk.deploy({ identityProviders: JSON.stringify(providers) }));
  request = await emulated.requests();
  password = await account.secret(deployments[0]!.outputs['AdminSecretArn']!);
  passwords.push(password);
  admin = basic('admin', password);
}, DEPLOYMENT_LIMIT_MS);

afterAll(() => (emulated as EmulatedAccount | undefined)?.stop());

const newKey = (role: Rank) => addKey(request, admin, role);
const stateOf = () => inventoryState(request, admin);

describe('the deployment', () => {
  test('has the documented outputs', () => {
    const { outputs } = deployments[0]!;
    expect(Object.keys(outputs).sort()).toEqual([
      'AdminSecretArn',
      'BaseUrl',
      'ConsoleUrl',
      'MachineUrl',
      'SwaggerUrl',
      'TableName',
      'WhatNext1OpenTheConsole',
      'WhatNext2ReadThePassword',
    ]);
    expect(outputs['BaseUrl']).toMatch(/^https:\/\/[^/]+$/);
    expect(outputs['SwaggerUrl']).toBe(`${outputs['BaseUrl']!}/swagger/`);
  });

  test("ends with the console's address and the command that reads the password", async () => {
    const { outputs, printed } = deployments[0]!;
    const { WhatNext1OpenTheConsole: address, WhatNext2ReadThePassword: command } = outputs;
    const lines = printed.split('\n').filter((line) => line.startsWith(`${STACK}.`));
    expect(lines.slice(-2)).toEqual([
      `${STACK}.WhatNext1OpenTheConsole = ${address}`,
      `${STACK}.WhatNext2ReadThePassword = ${command}`,
    ]);
    expect(address).toBe(outputs['ConsoleUrl']);
    expect(await runbook.follow(command!)).toContain(password);
  });

  test('has the files of the site in a bucket', async () => {
    const buckets = (await account.buckets()).filter((name) => !name.startsWith('cdk-'));
    expect(buckets).toHaveLength(1);
    expect(await account.files(buckets[0]!)).toEqual(
      expect.arrayContaining(['index.html', 'swagger/index.html', 'swagger/openapi.json']),
    );
  });
});

describe('the story of the examples reaches every endpoint', () => {
  const telling = new Telling();

  test('includes every endpoint', () => {
    expect([...story].sort()).toEqual(endpoints.map(({ id }) => id).sort());
  });

  const calls = story.flatMap((id) => Object.entries(examples[id]).map(([name, example]) => ({ id, name, example })));

  test.each(calls)('$id $name', async ({ id, example }: { id: Id; example: Example }) => {
    const { method, url, type, body, status, key } = telling.requestOf(id, example);
    const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': type };
    const got = await request(method, url, { body, headers, as: key === undefined ? admin : bearer(key) });
    expect([got.status, got.text]).toEqual([status, status === 204 ? '' : expect.anything()]);
    if (status === 204) return;
    expect(Object.keys(got.body)).toEqual(expect.arrayContaining(Object.keys(example.reply as object).slice(0, 1)));
    telling.learn(id, example, got.body);
  });
});

// MiniStack decodes the path before it routes, so that a slash in a name tears it apart; API Gateway hands it on as sent.
test.each([
  ['spaces and percent signs', `100 % ${randomUUID()}`],
  ['300 non-Latin letters', '\u4e2d'.repeat(300)],
  ['what has a meaning in URLs', `?a=b&c#d;e+f ${randomUUID()}`],
])('a name in the path may have %s', async (_, name) => {
  const put = () =>
    request('PUT', `/v1/nodes/by-name/${encodeURIComponent(name)}`, {
      as: admin,
      body: { node_type: 'generic', address: 'a' },
    });
  const added = await put();
  expect([added.status, added.body]).toMatchObject([201, { node_name: name, outcome: 'added' }]);
  const again = await put();
  expect([again.status, again.body]).toMatchObject([200, { node_id: added.body.node_id, outcome: 'unchanged' }]);
});

test('an add with an Idempotency-Key is made once', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const add = () =>
    request('POST', '/v1/nodes', { as: admin, body: nodeNamed(`once ${headers['Idempotency-Key']}`), headers });
  const [first, again] = [await add(), await add()];
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
});

test('every change becomes an event, in order', async () => {
  const received = await account.receiveEvents('changes-of-nodes', {
    source: ['monitoring-inventory'],
    'detail-type': [{ prefix: 'Node ' }],
  });
  const name = randomUUID();
  const { body: node } = await request('POST', '/v1/nodes', { as: admin, body: nodeNamed(name) });
  await request('PATCH', `/v1/nodes/${node.node_id}`, { as: admin, body: { address: '10.0.0.2' } });
  await request('DELETE', `/v1/nodes/${node.node_id}`, { as: admin });
  const events: any[] = [];
  for (let waits = 0; waits < 60 && events.length < 3; waits += 1) {
    await delay(500);
    // Changes of before may come first: the stream is read from its beginning.
    events.push(...(await received()).filter(({ detail }) => detail.id === node.node_id));
  }
  expect(events.map((event) => [event.source, event['detail-type'], event.detail.revision])).toEqual([
    ['monitoring-inventory', 'Node added', 1],
    ['monitoring-inventory', 'Node changed', 2],
    ['monitoring-inventory', 'Node removed', 2],
  ]);
  expect(events[0].detail).toMatchObject({ after: node, actor: { kind: 'user', name: 'admin' }, complete: true });
});

test("an interrupted reconciliation is continued from the table's stream", async () => {
  const nodes = Array.from({ length: 5 }, (_, number) => ({
    ...nodeNamed(`job-${number}`),
    address: `10.9.0.${number}`,
  }));
  const body = { scope: { name_prefix: 'job-' }, desired: { nodes } };
  const { body: plan } = await request('POST', '/v1/reconcile', { as: admin, body });
  const inventory = account.table(deployments.at(-1)!.outputs['TableName']!);
  const begun = { state: 'applying' as const, total: 5, done: 0, failed: 0, failures: [] };
  await noteProgress(inventory, plan.plan_id, begun);
  let job: any;
  for (let waits = 0; waits < 60 && job?.state !== 'done'; waits += 1) {
    await delay(500);
    ({ body: job } = await request('GET', `/v1/reconcile/${plan.plan_id}`, { as: admin }));
  }
  expect(job).toMatchObject({ state: 'done', progress: { total: 5, done: 5, failed: 0 } });
  const { body: listed } = await request('GET', '/v1/nodes?name_prefix=job-', { as: admin });
  expect(listed.nodes.map((node: any) => node.address)).toEqual(nodes.map(({ address }) => address));
  for (const { node_id: id } of listed.nodes) await request('DELETE', `/v1/nodes/${id}`, { as: admin });
});

describe('errors have our form', () => {
  function expectError(reply: Reply, http: number, status: string, code: number): void {
    expect([reply.status, reply.text]).toEqual([http, expect.stringContaining('{')]);
    expect(reply.body).toEqual({
      code,
      status,
      error: expect.any(String),
      message: reply.body.error,
      details: expect.any(Array),
      request_id: expect.any(String),
    });
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  }

  test.each([
    ['no credentials', undefined],
    ['a key that never was', bearer(`minv_3yTq${'0'.repeat(40)}_00000000`)],
    ['a wrong password', basic('admin', 'wrong')],
    ['something else', 'Digest nonsense'],
  ])('401: %s', async (_, as) => {
    const reply = await request('GET', '/v1/nodes', as === undefined ? {} : { as });
    expectError(reply, 401, 'UNAUTHENTICATED', 16);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="inventory"');
    expect(reply.text).not.toContain('nonsense');
  });

  test('403: a Viewer who writes', async () => {
    const { header } = await newKey('Viewer');
    const reply = await request('POST', '/v1/nodes', { as: header, body: nodeNamed(randomUUID()) });
    expectError(reply, 403, 'PERMISSION_DENIED', 7);
  });

  test.each(['/v1/nothing', '/nothing/at/all', '/v1/nodes/a/b'])('404: %s', async (path) => {
    expectError(await request('GET', path, { as: admin }), 404, 'NOT_FOUND', 5);
  });

  test("PMM's calls have their own functions and errors", async () => {
    expect((await request('GET', '/v1/inventory/nodes', { as: admin })).body).toHaveProperty('generic');
    const second = await request('POST', '/v1/inventory/Nodes/List', { as: admin, body: {} });
    expect(second.status).toBe(200);
    expect((await request('GET', '/v1/server/readyz')).text).toBe('{}');
    expect((await request('GET', '/v1/server/version', { as: admin })).body.version).toMatch(/^3\./);
    const outside = await request('GET', '/v1/advisors/checks', { as: admin });
    expect([outside.status, outside.body.code]).toEqual([501, 12]);
    const missing = await request('GET', '/v1/management/nodes/none', { as: admin });
    expect([missing.status, missing.body.message]).toEqual([404, 'Node with ID "none" not found.']);
  });

  test('404: a missing object', async () => {
    expectError(await request('GET', `/v1/nodes/${randomUUID()}`, { as: admin }), 404, 'NOT_FOUND', 5);
  });

  test.each([
    ['PUT', '/v1/nodes', 'GET, HEAD, POST'],
    ['DELETE', '/v1/version', 'GET, HEAD'],
    ['POST', `/v1/nodes/${randomUUID()}`, 'GET, HEAD, PATCH, DELETE'],
  ])('405: %s %s', async (method, path, allowed) => {
    const reply = await request(method, path, { as: admin });
    expectError(reply, 405, 'UNIMPLEMENTED', 12);
    expect(reply.headers.get('allow')?.split(', ').sort()).toEqual(allowed.split(', ').sort());
  });

  test('413: a large body', async () => {
    const body = { ...nodeNamed(randomUUID()), custom_labels: { large: 'x'.repeat(MAX_BODY_BYTES) } };
    expectError(await request('POST', '/v1/nodes', { as: admin, body }), 413, 'RESOURCE_EXHAUSTED', 8);
  });

  test('400: a body that breaks the contract, with each violation', async () => {
    const reply = await request('POST', '/v1/nodes', { as: admin, body: { node_type: 'generic', color: 'red' } });
    expectError(reply, 400, 'INVALID_ARGUMENT', 3);
    expect(reply.body.details.length).toBeGreaterThan(1);
  });
});

describe('permissions of roles', () => {
  const needs = [
    { least: 'Viewer', method: 'GET', path: '/v1/nodes', body: undefined, good: 200 },
    { least: 'Editor', method: 'POST', path: '/v1/nodes', body: () => nodeNamed(randomUUID()), good: 201 },
    {
      least: 'Admin',
      method: 'POST',
      path: '/v1/api-keys',
      body: () => ({ name: randomUUID(), role: 'Viewer' }),
      good: 201,
    },
  ] as const;
  const rank: Record<Rank, number> = { Viewer: 0, Editor: 1, Admin: 2 };

  test.each(ranks)('%s', async (role) => {
    const { header } = await newKey(role);
    for (const { least, method, path, body, good } of needs) {
      const { status } = await request(method, path, { as: header, ...(body ? { body: body() } : {}) });
      expect([path, method, status]).toEqual([path, method, rank[role] >= rank[least] ? good : 403]);
    }
    expect((await request('GET', table.getCaller.path, { as: header })).body.role).toBe(role);
  });
});

test("the audit and sessions have the viewer's address from CloudFront only", async () => {
  const others = (await account.secrets()).filter((arn) => arn.includes('OriginSecret'));
  expect(others).toHaveLength(1);
  const originSecret = await account.secret(others[0]!);
  passwords.push(originSecret);
  const addressWith = async (secret: string) => {
    const headers = { [ORIGIN_HEADER]: secret, [VIEWER_HEADER]: '203.0.113.9' };
    const { body: session } = await request('POST', '/v1/sessions', { as: admin, headers });
    const { body } = await request('GET', '/v1/sessions', { as: bearer(session.key) });
    return body.sessions.find(({ current }: any) => current === true).source_ip;
  };
  expect(await addressWith(originSecret)).toBe('203.0.113.9');
  expect(await addressWith('x'.repeat(originSecret.length))).not.toBe('203.0.113.9');
});

test('a race of twelve for one name has one winner', async () => {
  await warmUp(request, admin);
  for (let round = 0; round < 3; round += 1) {
    const body = nodeNamed(randomUUID());
    // The key of each makes its repetition after a 503 the same request.
    const add = () => request('POST', '/v1/nodes', { as: admin, body, headers: { 'Idempotency-Key': randomUUID() } });
    const replies = await Promise.all(Array.from({ length: 12 }, add));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(11).fill(409)]);
  }
});

test("the authorizer's result is cached: with 30 s by default, a removed key still works directly afterwards", async () => {
  const { header, remove } = await newKey('Viewer');
  expect((await request('GET', '/v1/nodes', { as: header })).status).toBe(200);
  await remove();
  // Another route too, as the answer is good for the whole stage.
  expect((await request('GET', '/v1/nodes', { as: header })).status).toBe(200);
  expect((await request('GET', '/v1/services', { as: header })).status).toBe(200);
});

test(
  'a second deployment with another setting keeps all data and applies the setting',
  async () => {
    const before = await stateOf();
    expect(before[0].nodes.length).toBeGreaterThan(1);
    deployments.push(await cdk.deploy({ authorizerCacheSeconds: '0' }));
    expect(deployments[1]!.outputs).toEqual(deployments[0]!.outputs);
    expect(await account.secret(deployments[1]!.outputs['AdminSecretArn']!)).toBe(password);
    expect(await stateOf()).toEqual(before);

    const { header, remove } = await newKey('Viewer');
    expect((await request('GET', '/v1/nodes', { as: header })).status).toBe(200);
    await remove();
    expect((await request('GET', '/v1/nodes', { as: header })).status).toBe(401);
  },
  DEPLOYMENT_LIMIT_MS,
);

test("the runbook's commands change the admin password within a minute of its rotation, and the former one is refused", async () => {
  const [rotation] = runbook.article('Rotate the admin password');
  await runbook.follow(rotation!);
  const rotated = await account.secret(deployments[0]!.outputs['AdminSecretArn']!);
  expect(rotated).not.toBe(password);
  // Each instance of the authorizer keeps what it has read for a minute; the gateway keeps nothing in this deployment.
  await delay(61_000);
  await warmUp(request, admin);
  const statuses = (as: string) =>
    Promise.all(Array.from({ length: 8 }, async () => (await request('GET', '/v1/version', { as })).status));
  expect(await statuses(basic('admin', rotated))).toEqual(Array<number>(8).fill(200));
  expect(await statuses(admin)).toEqual(Array<number>(8).fill(401));
  passwords.push(rotated);
  admin = basic('admin', rotated);
});

test('no output, template or log contains the password', async () => {
  // The emulator makes it of other characters than it was told (infra/inventory.test.ts has those).
  expect(password).toHaveLength(32);
  const logged = await account.logged();
  // Something is there that it could be in.
  expect(Object.values(logged).join('\n')).toContain('credentials refused');
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const secrets = passwords.flatMap((text) => [
    ...[text, quoted(text), quoted(quoted(text))],
    basic('admin', text).slice('Basic '.length),
  ]);
  const said = deployments.flatMap(({ outputs, template, printed }) => [...Object.values(outputs), template, printed]);
  const places = { ...logged, emulator: emulated.ministack.said(), deployments: said.join('\n') };
  const leaks = Object.entries(places).filter(([, text]) => secrets.some((secret) => text.includes(secret)));
  expect(leaks.map(([place]) => place)).toEqual([]);
});

test(
  "requests above the stage's throttle get a 429 with our body",
  async () => {
    deployments.push(await cdk.deploy({ removalPolicy: 'destroy', throttleRate: '1', throttleBurst: '3' }));
    const asked = Array.from({ length: 12 }, () => request('GET', '/v1/version', { as: admin }));
    const throttled = (await Promise.all(asked)).filter(({ status }) => status === 429);
    // The bucket contains three, and one more each second.
    expect(throttled.length).toBeGreaterThan(0);
    for (const { body, headers } of throttled) {
      expect(body).toMatchObject({
        code: 8,
        status: 'RESOURCE_EXHAUSTED',
        details: [],
        request_id: expect.any(String),
      });
      expect(headers.get('retry-after')).toBe('1');
    }
  },
  DEPLOYMENT_LIMIT_MS,
);

test(
  "after removalPolicy=destroy only the account's log role remains",
  async () => {
    await cdk.destroy();
    const mine = (names: string[]) => names.filter((name) => name.includes(STACK) || name.includes('onitoring'));
    expect(await account.stacks()).toEqual(['CDKToolkit']);
    expect(await account.restApis()).toEqual([]);
    expect(await account.functions()).toEqual([]);
    expect(await account.secrets()).toEqual([]);
    expect(await account.tables()).toEqual([]);
    expect((await account.buckets()).filter((name) => !name.startsWith('cdk-'))).toEqual([]);
    expect(mine(await account.logGroups())).toEqual([]);
    expect(mine(await account.roles())).toEqual([expect.stringMatching(`^${STACK}-InventoryGatewayLogsRole`)]);
  },
  DEPLOYMENT_LIMIT_MS,
);

test("everything took place in the emulator's account", async () => {
  expect(await account.accountId()).toBe(EMULATED_ACCOUNT);
});
