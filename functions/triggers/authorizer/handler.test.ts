import { apiKeyPrefix } from '../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Key } from '../../../shared/db/item.ts';
import type { Table } from '../../../shared/db/table.ts';
import { authorizerEvent, proxyEvent } from '../../../local/gateway/proxy-event.ts';
import { ADMIN_PASSWORD } from '../../../tests/support/inventory.ts';
import { findAccount, putAccount } from '../../store/credentials/accounts.ts';
import { addApiKey } from '../../store/credentials/add-api-key.ts';
import { type ApiKey, apiKeyItem, idItem } from '../../store/credentials/api-keys.ts';
import { apiKeyItemKey, sessionItemKey } from '../../store/table/keys.ts';
import { createPasswordCheck } from '../../../local/login/password-check.ts';
import type { ReadSecret } from '../../../shared/aws/secrets-manager.ts';
import { createAccountSecrets } from './account-secret.ts';
import { createAuthorizer } from './handler.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { withSend } from '../../../tests/support/table.ts';
import { useInventory } from '../../../tests/support/fixtures.ts';

const inventory = useInventory();

const isRefusal = ({ input }: { input: any }) => input.Key?.pk === 'AUDIT#REFUSED';

/** The authorizer's reply, with the number of its table calls; those that count a refusal are separate. */
async function authorise(headers: string[], path = '/v1/nodes', readSecret?: ReadSecret) {
  let calls = 0;
  let recorded = 0;
  const table: Table = withSend(inventory.table, (command: any) => {
    if (isRefusal(command)) recorded += 1;
    else calls += 1;
    return inventory.table.client.send(command);
  });
  const event = proxyEvent(
    { method: 'GET', url: path, rawHeaders: headers, body: '', sourceIp: '' },
    { requestId: 'r', resource: path, params: {}, authorizer: undefined },
  );
  // The deployed authorizer uses a secret, the local one a hash.
  const { check, versionOf } =
    readSecret === undefined
      ? { check: createPasswordCheck(), versionOf: undefined }
      : createAccountSecrets(readSecret);
  const authorizer = createAuthorizer(() => ({ ...inventory.dependencies, table }), check, versionOf);
  const reply = await authorizer(authorizerEvent(event));
  return {
    effect: (reply.policyDocument.Statement[0] as any).Effect,
    resource: (reply.policyDocument.Statement[0] as any).Resource,
    context: reply.context,
    calls,
    recorded,
  };
}

const bearer = (key: string, name = 'Authorization') => [name, `Bearer ${key}`];
const basic = (user: string, password: string) => [
  'Authorization',
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
];

test('a valid key is allowed for the whole stage, so that a cached reply fits every route', async () => {
  for (const path of ['/v1/nodes', '/v1/nodes/a:b/c', '/v1/services:getTypes']) {
    const reply = await authorise(bearer(inventory.keys.Viewer), path);
    expect(reply).toMatchObject({ effect: 'Allow', context: { kind: 'api_key', name: 'test Viewer', role: 'Viewer' } });
    expect(reply.resource).toBe('arn:aws:execute-api:local:000000000000:local/local/*');
  }
});

test('the context contains the digest of the presented secret, or the account version for a password', async () => {
  const key = inventory.keys.Viewer;
  const { context } = await authorise(bearer(key));
  expect(context).toMatchObject({ secretDigest: hashApiKeySecret(key) });
  expect(JSON.stringify(context)).not.toContain(key.slice(10, 40));
  const account = await findAccount(inventory.table, 'admin');
  expect((await authorise(basic('admin', ADMIN_PASSWORD))).context).toMatchObject({
    accountVersion: account!.updated_at,
  });
});

test('the header is found whatever its case', async () => {
  for (const name of ['authorization', 'AUTHORIZATION', 'AuThOrIzAtIoN'])
    expect((await authorise(bearer(inventory.keys.Viewer, name))).effect).toBe('Allow');
});

test('a valid key costs one read once its use is recorded', async () => {
  await authorise(bearer(inventory.keys.Editor));
  expect((await authorise(bearer(inventory.keys.Editor))).calls).toBe(1);
});

test('a disabled key is refused with the same reads, and its use is not recorded', async () => {
  const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'disabled', role: 'Viewer' } });
  await inventory.request('PATCH', `/v1/api-keys/${body.key_id}`, { body: { disabled: true } });
  const refused = { effect: 'Deny', context: { message: 'Disabled API key' }, calls: 1, recorded: 1 };
  expect(await authorise(bearer(body.key))).toMatchObject(refused);
  const { body: keys } = await inventory.request('GET', '/v1/api-keys?name_prefix=disabled');
  expect(keys.api_keys[0]).not.toHaveProperty('last_used_at');
});

test('a key with a wrong checksum costs no read; an unknown key costs one among API keys and one among log-ins', async () => {
  const key = inventory.keys.Viewer;
  const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  expect(await authorise(bearer(wrong))).toMatchObject({
    effect: 'Deny',
    context: { message: 'Invalid API key' },
    calls: 0,
  });
  const unknown = newApiKeySecret((size) => Buffer.alloc(size, 9));
  expect(await authorise(bearer(unknown))).toMatchObject({
    effect: 'Deny',
    context: { message: 'Invalid API key' },
    calls: 2,
  });
});

test('a refused credential is recorded, a call without credentials is not', async () => {
  expect((await authorise(bearer('wrong'))).recorded).toBe(1);
  expect(await authorise([])).toMatchObject({ effect: 'Deny', context: { message: 'Unauthorized' }, recorded: 0 });
});

test('a key is valid before its end and refused from that second on, by our own clock', async () => {
  const key = newApiKeySecret((size) => Buffer.alloc(size, 11));
  const end = 1_800_000_000;
  const record = {
    key_id: 'e',
    kind: 'api_key' as const,
    name: 'e',
    role: 'Viewer' as const,
    prefix: apiKeyPrefix(key),
  };
  const made = {
    created_at: '2026-01-01T00:00:00Z',
    created_by: { kind: 'user', id: 'a', name: 'a' },
    expires_at: end,
  };
  const actor = { kind: 'system', id: 'a', name: 'a' } as const;
  const cause = { actor, requestId: 'r', now: testTime() };
  await addApiKey(inventory.table, { ...record, ...made }, hashApiKeySecret(key), cause);
  const at = async (seconds: number) => {
    inventory.clock.now = new Date(seconds * 1000);
    const reply = await authorise([...bearer(key), 'Date', 'Thu, 01 Jan 1970 00:00:00 GMT']);
    inventory.clock.now = undefined;
    return reply;
  };
  expect(await at(end - 1)).toMatchObject({ effect: 'Allow', context: { expiresAt: String(end) } });
  for (const seconds of [end, end + 1])
    expect(await at(seconds)).toMatchObject({ effect: 'Deny', context: { message: 'Expired API key' } });
});

describe('a credential that a log-in makes', () => {
  const HOUR = 3600;
  let secrets = 100;
  const now = secondsOf(testTime());
  const store = async (fields: object, place?: (hash: string) => Key) => {
    const text = newApiKeySecret((size) => Buffer.alloc(size, (secrets += 1)));
    const hash = hashApiKeySecret(text);
    const id = hash.slice(0, 36);
    const actor = { kind: 'user', id: 'admin', name: 'admin' };
    const made = {
      key_id: id,
      name: 'admin',
      role: 'Admin' as const,
      prefix: 'p',
      created_at: '2026',
      created_by: actor,
    };
    const key: ApiKey = { ...made, kind: 'api_key', ...fields };
    await writeItem(inventory.table, { put: { ...apiKeyItem(key, hash), ...place?.(hash) } });
    await writeItem(inventory.table, { put: idItem(hash, key) });
    inventory.clock.now = testTime();
    const { effect } = await authorise(bearer(text));
    inventory.clock.now = undefined;
    return effect as string;
  };

  test("is refused if a program's key ends later than a log-in permits, or never", async () => {
    expect(await store({ provider: 'ci', expires_at: now + HOUR })).toBe('Allow');
    expect(await store({ provider: 'ci', expires_at: now + HOUR + 61 })).toBe('Deny');
    expect(await store({ provider: 'ci' })).toBe('Deny');
  });

  test('is refused among API keys, as an API key is where a log-in writes', async () => {
    const end = { expires_at: now + HOUR };
    expect(await store(end, sessionItemKey)).toBe('Deny');
    expect(await store({ ...end, provider: 'ci' }, sessionItemKey)).toBe('Allow');
    expect(await store({ ...end, provider: 'ci' }, apiKeyItemKey)).toBe('Deny');
    const { updated_at: version } = (await findAccount(inventory.table, 'admin'))!;
    const session = { ...end, kind: 'session', account_version: version };
    expect(await store(session, sessionItemKey)).toBe('Allow');
    expect(await store(session, apiKeyItemKey)).toBe('Deny');
  });

  test('is refused if a session ends later than a log-in permits', async () => {
    const { updated_at: version } = (await findAccount(inventory.table, 'admin'))!;
    const session = { kind: 'session', account_version: version };
    expect(await store({ ...session, expires_at: now + 12 * HOUR })).toBe('Allow');
    expect(await store({ ...session, expires_at: now + 12 * HOUR + 61 })).toBe('Deny');
  });

  test('has a limited life, unlike an API key', async () => {
    expect(await store({ expires_at: now + 1000 * HOUR })).toBe('Allow');
    expect(await store({})).toBe('Allow');
  });
});

test('two Authorization headers are refused in any order', async () => {
  const good = bearer(inventory.keys.Admin);
  for (const headers of [
    [...good, ...bearer('x')],
    [...bearer('x'), ...good],
    [...good, ...good],
  ])
    expect(await authorise(headers)).toMatchObject({
      effect: 'Deny',
      context: { message: 'Invalid API key' },
      calls: 0,
    });
});

test('a key is read only from its header', async () => {
  const key = inventory.keys.Admin;
  for (const headers of [
    ['Cookie', `key=${key}`],
    ['X-Api-Key', key],
    ['X-Amzn-Remapped-Authorization', `Bearer ${key}`],
  ])
    expect(await authorise(headers, `/v1/nodes?api_key=${key}`)).toMatchObject({
      effect: 'Deny',
      context: { message: 'Unauthorized' },
      calls: 0,
    });
});

test('headers that resemble an identity are ignored', async () => {
  const reply = await authorise([...bearer(inventory.keys.Viewer), 'X-Role', 'Admin', 'X-Key-Id', 'other']);
  expect(reply.context).toMatchObject({ role: 'Viewer', name: 'test Viewer' });
});

test('user and password authenticate, and a wrong password and an unknown user get the same reply', async () => {
  expect(await authorise(basic('admin', ADMIN_PASSWORD))).toMatchObject({
    effect: 'Allow',
    context: { kind: 'user', role: 'Admin' },
  });
  for (const wrong of [basic('admin', 'wrong'), basic('nobody', ADMIN_PASSWORD)])
    expect(await authorise(wrong)).toMatchObject({
      effect: 'Deny',
      context: { message: 'Invalid username or password' },
      calls: 1,
    });
});

test('a new password ends the sessions of its user', async () => {
  const account = (await findAccount(inventory.table, 'admin'))!;
  const [, Authorization = ''] = basic('admin', ADMIN_PASSWORD);
  const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers: { Authorization } });
  expect(await authorise(bearer(body.key))).toMatchObject({ effect: 'Allow', context: { kind: 'session' } });
  await putAccount(inventory.table, { ...account, updated_at: testTime(1000).toISOString() });
  const ended = await authorise(bearer(body.key));
  await putAccount(inventory.table, account);
  expect(ended).toMatchObject({ effect: 'Deny', context: { message: 'Expired API key' } });
});

describe('an account whose password is in Secrets Manager', () => {
  const asked: string[] = [];
  const readSecret: ReadSecret = (arn) => {
    asked.push(arn);
    return Promise.resolve({ text: 'generated', setAt: new Date(0) });
  };
  beforeAll(async () => {
    const { role, created_at, updated_at } = (await findAccount(inventory.table, 'admin'))!;
    await putAccount(inventory.table, { name: 'deployed', role, created_at, updated_at, secret_arn: 'arn:secret' });
  });
  beforeEach(() => asked.splice(0));

  test('is admitted only by the value of the secret', async () => {
    expect(await authorise(basic('deployed', 'generated'), '/v1/nodes', readSecret)).toMatchObject({
      effect: 'Allow',
      context: { kind: 'user', keyId: 'deployed', role: 'Admin' },
      calls: 1,
    });
    for (const wrong of ['wrong', 'arn:secret', ADMIN_PASSWORD])
      expect(await authorise(basic('deployed', wrong), '/v1/nodes', readSecret)).toMatchObject({
        effect: 'Deny',
        context: { message: 'Invalid username or password' },
      });
    expect(new Set(asked)).toEqual(new Set(['arn:secret']));
  });

  test('is never read for an API key', async () => {
    await authorise(bearer(inventory.keys.Admin), '/v1/nodes', readSecret);
    expect(asked).toEqual([]);
  });

  test('is never admitted by a stored hash, because the deployed authorizer verifies none', async () => {
    expect(await authorise(basic('admin', ADMIN_PASSWORD), '/v1/nodes', readSecret)).toMatchObject({
      effect: 'Deny',
      context: { message: 'Invalid username or password' },
      calls: 1,
    });
    expect(asked).toEqual([]);
  });

  test('with an unreadable secret is a fault, neither admitted nor a wrong password', async () => {
    const cutOff: ReadSecret = () => Promise.reject(new Error('cut off'));
    await expect(authorise(basic('deployed', 'generated'), '/v1/nodes', cutOff)).rejects.toThrow('cut off');
  });

  test('with both a hash and a secret, or neither, is damaged', async () => {
    const { created_at, updated_at } = (await findAccount(inventory.table, 'admin'))!;
    for (const [name, damage] of [
      ['both', { password_hash: 'h', secret_arn: 'a' }],
      ['neither', {}],
    ] as const) {
      await putAccount(inventory.table, { name, role: 'Admin', created_at, updated_at, ...damage } as never);
      await expect(findAccount(inventory.table, name)).rejects.toThrow();
    }
  });
});

test('when the table does not answer, requests fail without a reply about the key', async () => {
  const table = { name: 'x', client: { send: () => Promise.reject(new Error('down')) } as never };
  const event = proxyEvent(
    { method: 'GET', url: '/v1/nodes', rawHeaders: bearer(inventory.keys.Admin), body: '', sourceIp: '' },
    { requestId: 'r', resource: '/v1/nodes', params: {}, authorizer: undefined },
  );
  await expect(
    createAuthorizer(() => ({ ...inventory.dependencies, table }), createPasswordCheck())(authorizerEvent(event)),
  ).rejects.toThrow('down');
});

test('a last use that cannot be recorded does not refuse the request', async () => {
  const table: Table = withSend(inventory.table, (command: any) =>
    command.constructor.name === 'UpdateCommand'
      ? Promise.reject(new Error('busy'))
      : inventory.table.client.send(command),
  );
  inventory.clock.now = new Date('2040-01-01T00:00:00Z');
  const event = proxyEvent(
    { method: 'GET', url: '/v1/nodes', rawHeaders: bearer(inventory.keys.Admin), body: '', sourceIp: '' },
    { requestId: 'r', resource: '/v1/nodes', params: {}, authorizer: undefined },
  );
  const reply = await createAuthorizer(
    () => ({ ...inventory.dependencies, table }),
    createPasswordCheck(),
  )(authorizerEvent(event));
  inventory.clock.now = undefined;
  expect(reply.context).toMatchObject({ role: 'Admin' });
});
