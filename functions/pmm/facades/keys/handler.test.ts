/** The calls of Grafana by which operators, charts and scripts make a key: the sequences that they send, and their rules. */
import { keyRoutes } from '../../declarations/key-routes.ts';
import { roles } from '../../../../shared/auth/roles.ts';
import { ADMIN_PASSWORD, type RequestOptions } from '../../../../tests/support/inventory.ts';
import { uniqueName } from '../../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../../tests/pmm/pmm-inventory.ts';
import { testTime } from '../../../../tests/support/test-time.ts';

const { inventory } = await startPmmInventory({ isChecked: false });
afterEach(() => (inventory.clock.now = undefined));

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

/** A call of a program with the password of `admin`. */
const grafana = (method: string, path: string, body?: unknown, more: RequestOptions = {}) =>
  inventory.request(method, `/graph/api/${path}`, {
    ...{ as: null, headers: basic('admin', ADMIN_PASSWORD) },
    ...(body === undefined ? {} : { body }),
    ...more,
  });

const isAccepted = async (key: string, path = '/v1/inventory/nodes') =>
  (await inventory.request('GET', path, { as: null, headers: basic('service_token', key) })).status === 200;

const items = async () => JSON.stringify((await inventory.request('GET', '/v1/api-keys?page_size=1000')).body.api_keys);

test('an operator of PMM 2 makes a key with one call, finds its id by name, and removes it', async () => {
  const name = uniqueName('operator');
  const made = await grafana('POST', 'auth/keys', { name, role: 'Admin' });
  expect([made.status, Object.keys(made.body)]).toEqual([200, ['id', 'name', 'key']]);
  expect(made.body.key).toMatch(/^minv_/);
  expect(await isAccepted(made.body.key, '/v1/server/settings')).toBe(true);
  const listed = await grafana('GET', 'auth/keys');
  expect(listed.text).not.toContain(made.body.key);
  const { id } = listed.body.find((key: { name: string }) => key.name === name);
  expect(id).toBe(made.body.id);
  expect(await grafana('DELETE', `auth/keys/${id}`)).toMatchObject({
    ...{ status: 200, body: { message: 'API key deleted' } },
  });
  expect(await isAccepted(made.body.key)).toBe(false);
  expect((await grafana('DELETE', `auth/keys/${id}`)).status).toBe(404);
});

test('a PMM 3 program adds an account, and a token with the same name by its uid', async () => {
  const name = uniqueName('everest');
  const account = await grafana('POST', 'serviceaccounts', { name, role: 'Admin' });
  expect([account.status, typeof account.body.uid]).toEqual([201, 'string']);
  const token = await grafana('POST', `serviceaccounts/${account.body.uid}/tokens`, { name, role: 'Admin' });
  expect([token.status, token.body.name]).toEqual([200, name]);
  expect(await isAccepted(token.body.key, '/v1/server/settings')).toBe(true);
  // The token is a key of the account alone.
  expect((await grafana('GET', 'auth/keys')).text).not.toContain(name);
  expect((await grafana('DELETE', `auth/keys/${token.body.id}`)).status).toBe(404);
  expect(await isAccepted(token.body.key)).toBe(true);
});

test('a script without a parser finds an account again, and its tokens have the requested life', async () => {
  const name = uniqueName('script');
  const account = { name, role: 'Admin', isDisabled: false };
  const idIn = (text: string) => /"id":([0-9]+)/.exec(text)?.[1];
  const added = await grafana('POST', 'serviceaccounts', account);
  const again = await grafana('POST', 'serviceaccounts', account);
  expect([again.status, again.body.messageId, idIn(again.text)]).toEqual([
    ...[400, 'serviceaccounts.ErrAlreadyExists', undefined],
  ]);
  const search = await grafana('GET', `serviceaccounts/search?query=${name}`);
  expect(idIn(search.text)).toBe(idIn(added.text));
  expect(search.body.serviceAccounts.map((account: { name: string }) => account.name)).toEqual([name]);
  inventory.clock.now = new Date('2027-01-01T00:00:00Z');
  const tokens = `serviceaccounts/${idIn(search.text)}/tokens`;
  const token = await grafana('POST', tokens, { name: `${name}-1`, secondsToLive: 60 });
  const key = /"key":"([^"]*)"/.exec(token.text)?.[1] ?? '';
  expect(await isAccepted(key)).toBe(true);
  expect((await grafana('GET', tokens)).body).toEqual([
    expect.objectContaining({
      ...{ id: token.body.id, name: `${name}-1`, expiration: '2027-01-01T00:01:00.000Z', hasExpired: false },
      secondsUntilExpiration: 60,
    }),
  ]);
  inventory.clock.now = new Date('2027-01-01T00:01:00Z');
  expect(await isAccepted(key)).toBe(false);
  expect((await grafana('GET', tokens)).body).toMatchObject([{ hasExpired: true, secondsUntilExpiration: 0 }]);
});

test("PMM's own test sequence works: an account is changed to itself, a token is added and removed, then the account", async () => {
  for (const [role, settings] of [
    ['Viewer', false],
    ['Editor', false],
    ['Admin', true],
  ] as const) {
    const name = uniqueName('pmm-agent-service-account');
    const { body: account } = await grafana('POST', 'serviceaccounts/', { name, role });
    expect((await grafana('PATCH', `serviceaccounts/${account.id}`, { orgId: '1' })).status).toBe(200);
    const { body: token } = await grafana('POST', `serviceaccounts/${account.id}/tokens`, { name });
    expect(await isAccepted(token.key)).toBe(true);
    expect(await isAccepted(token.key, '/v1/server/settings')).toBe(settings);
    expect((await grafana('GET', `serviceaccounts/${account.id}`)).body).toMatchObject({ name, role, tokens: 1 });
    expect((await grafana('DELETE', `serviceaccounts/${account.id}/tokens/${token.id}`)).status).toBe(200);
    expect(await isAccepted(token.key)).toBe(false);
    expect((await grafana('DELETE', `serviceaccounts/${account.id}`)).status).toBe(200);
    for (const path of ['', '/tokens'])
      expect((await grafana('GET', `serviceaccounts/${account.id}${path}`)).status).toBe(404);
  }
});

test('removing an account ends its tokens and no other key, and the audit contains them', async () => {
  const [name, other] = [uniqueName('team'), uniqueName('team')];
  const { body: account } = await grafana('POST', 'serviceaccounts', { name, role: 'Editor' });
  const { body: kept } = await grafana('POST', 'auth/keys', { name: other, role: 'Viewer' });
  const tokens = [];
  for (const suffix of ['a', 'b'])
    tokens.push((await grafana('POST', `serviceaccounts/${account.id}/tokens`, { name: `${name}-${suffix}` })).body);
  expect((await grafana('DELETE', `serviceaccounts/${account.id}`)).status).toBe(200);
  expect(await Promise.all([...tokens, kept].map(({ key }) => isAccepted(key)))).toEqual([false, false, true]);
  expect((await grafana('POST', `serviceaccounts/${account.id}/tokens`, { name: `${name}-c` })).status).toBe(404);
  expect(await items()).not.toContain(`${name}-c`);
  const { entries } = (await inventory.request('GET', '/v1/audit?page_size=100')).body;
  const keyEntries = entries.filter(({ subject }: any) => subject?.name?.startsWith(name) === true);
  expect(keyEntries.map(({ event, subject }: any) => [event, subject.kind, subject.name]).sort()).toEqual([
    ['api_key.added', 'api_key', `${name}-a`],
    ['api_key.added', 'api_key', `${name}-b`],
    ['api_key.removed', 'api_key', `${name}-a`],
    ['api_key.removed', 'api_key', `${name}-b`],
    ['service_account.added', 'service_account', name],
    ['service_account.removed', 'service_account', name],
  ]);
});

test('a second key, account or token with the same name is refused and changes nothing', async () => {
  const name = uniqueName('twice');
  const { body: first } = await grafana('POST', 'auth/keys', { name, role: 'Viewer' });
  const { body: account } = await grafana('POST', 'serviceaccounts', { name, role: 'Viewer' });
  const before = await items();
  expect(await grafana('POST', 'auth/keys', { name, role: 'Admin' })).toMatchObject({
    ...{ status: 409, body: { message: `API key with name "${name}" already exists.` } },
  });
  expect(await grafana('POST', 'serviceaccounts', { name, role: 'Admin' })).toMatchObject({ status: 400 });
  expect(await grafana('POST', `serviceaccounts/${account.id}/tokens`, { name })).toMatchObject({
    ...{ status: 400, body: { messageId: 'serviceaccounts.ErrTokenAlreadyExists' } },
  });
  expect(await items()).toBe(before);
  expect((await grafana('GET', `serviceaccounts/${account.id}`)).body.role).toBe('Viewer');
  expect(await isAccepted(first.key)).toBe(true);
});

test('a key with an end cannot make a key that ends later, and a superseded secret cannot make any', async () => {
  const end = { name: uniqueName('ending'), role: 'Admin', time_to_live: '1h' };
  const { body: ending } = await inventory.request('POST', '/v1/api-keys', { body: end });
  const by = (key: string, path: string, body: object) =>
    grafana('POST', path, body, { headers: { Authorization: `Bearer ${key}` } });
  const name = uniqueName('later');
  const { body: account } = await by(ending.key, 'serviceaccounts', { name, role: 'Admin' });
  for (const [path, body] of [
    ['auth/keys', { name, role: 'Admin' }],
    ['auth/keys', { name, role: 'Viewer', secondsToLive: 7200 }],
    [`serviceaccounts/${account.id}/tokens`, { name }],
  ] as const) {
    const reply = await by(ending.key, path, body);
    expect([path, reply.status, reply.body.message]).toEqual([path, 403, expect.stringContaining('expires at')]);
  }
  expect((await by(ending.key, 'auth/keys', { name, role: 'Viewer', secondsToLive: 60 })).status).toBe(200);
  const overlap = { body: { overlap: '10m' } };
  expect((await inventory.request('POST', `/v1/api-keys/${ending.key_id}/rotate`, overlap)).status).toBe(200);
  const more = { name: uniqueName('stolen'), role: 'Viewer', secondsToLive: 60 };
  const before = await items();
  for (const path of ['auth/keys', 'serviceaccounts', `serviceaccounts/${account.id}/tokens`])
    expect([path, (await by(ending.key, path, more)).status]).toEqual([path, 403]);
  expect(await items()).toBe(before);
});

test.each([
  ['POST', 'auth/keys', { name: 'x' }, 'Invalid role'],
  ['POST', 'auth/keys', { name: 'x', role: 'None' }, 'Invalid role'],
  ['POST', 'auth/keys', { name: 'x', role: 'Relay' }, 'Invalid role'],
  ['POST', 'auth/keys', { name: '', role: 'Viewer' }, 'name: Must not be empty.'],
  ['POST', 'auth/keys', { name: 'x', role: 'Viewer', secondsToLive: -1 }, 'invalid SecondsToLive'],
  ['POST', 'auth/keys', { name: 'x', role: 'Viewer', secondsToLive: '60' }, 'invalid SecondsToLive'],
  ['POST', 'auth/keys', { name: 'x', role: 'Viewer', secondsToLive: 1e12 }, 'time_to_live'],
  ['POST', 'auth/keys', '{', 'JSON'],
  ['DELETE', 'auth/keys/x', undefined, 'ID is invalid'],
  ['POST', 'serviceaccounts', {}, 'name: Must not be empty.'],
  ['POST', 'serviceaccounts', { name: 'x', role: 'None' }, 'Invalid role'],
  ['POST', 'serviceaccounts', { name: 'x', isDisabled: true }, 'cannot be disabled'],
  ['GET', 'serviceaccounts/-1', undefined, 'ID is invalid'],
] as const)('%s %s %j is refused with a message, and adds nothing', async (method, path, body, message) => {
  const before = await items();
  const reply = await grafana(method, path, body);
  expect([reply.status, Object.keys(reply.body)]).toEqual([400, ['message']]);
  expect(reply.body.message).toContain(message);
  expect(await items()).toBe(before);
  expect((await grafana('GET', 'serviceaccounts/search?query=x')).body.serviceAccounts).not.toContainEqual(
    expect.objectContaining({ name: 'x' }),
  );
});

test('an account without a role makes Viewers, and keeps its name, role and state', async () => {
  const { body: account } = await grafana('POST', 'serviceaccounts', { name: uniqueName('plain') });
  expect(account.role).toBe('Viewer');
  for (const change of [{ role: 'Admin' }, { name: 'other' }, { isDisabled: true }])
    expect((await grafana('PATCH', `serviceaccounts/${account.id}`, change)).status).toBe(400);
  const { body: same } = await grafana('GET', `serviceaccounts/${account.id}`);
  expect(same).toEqual(account);
});

test('accounts are searched by a part of the name, in pages', async () => {
  const name = uniqueName('Paged');
  for (const number of [1, 2, 3]) await grafana('POST', 'serviceaccounts', { name: `${name}/${number}` });
  const { body } = await grafana('GET', `serviceaccounts/search?query=${name.toLowerCase()}&perpage=2&page=2`);
  expect(body).toMatchObject({ totalCount: 3, page: 2, perPage: 2, serviceAccounts: [{ name: `${name}/3` }] });
});

test('keys of our API are listed without those of hosts, and expired ones on request', async () => {
  const name = uniqueName('native');
  const sent = { name, role: 'Relay', time_to_live: '1h' };
  const { key_id: keyId } = (await inventory.request('POST', '/v1/api-keys', { body: sent })).body;
  const { body: listed } = await grafana('GET', 'auth/keys');
  expect(listed.map((listedKey: { name: string }) => listedKey.name)).toEqual(
    expect.arrayContaining([name, 'test Admin']),
  );
  const { id, role } = listed.find((listedKey: { name: string }) => listedKey.name === name);
  expect(role).toBe('None');
  inventory.clock.now = testTime(7_200_000);
  const ids = async (query: string) =>
    (await grafana('GET', `auth/keys${query}`)).body.map((listedKey: any) => listedKey.id);
  expect(await ids('')).not.toContain(id);
  expect(await ids('?includeExpired=true')).toContain(id);
  expect((await grafana('DELETE', `auth/keys/${id}`)).status).toBe(200);
  expect((await inventory.request('DELETE', `/v1/api-keys/${keyId}`)).status).toBe(404);
});

const callOf = (path: string) => path.replace('/graph/api/', '').replaceAll(/\{\w+\}/g, '1');

test.each(keyRoutes)('$method $path: only an Admin', async ({ method, path }) => {
  const body = method === 'POST' || method === 'PATCH' ? { name: uniqueName('role'), role: 'Viewer' } : undefined;
  expect((await grafana(method, callOf(path), body, { headers: {} })).status).toBe(401);
  for (const role of roles.filter((candidate) => candidate !== 'Admin')) {
    const refused = await grafana(method, callOf(path), body, { as: role, headers: {} });
    expect([role, refused.status, refused.body]).toEqual([role, 403, { message: 'Access denied.' }]);
  }
  const { status } = await grafana(method, callOf(path), body, { as: 'Admin', headers: {} });
  expect([200, 201, 404]).toContain(status);
});

test('other Grafana calls are a 404, and health needs no credentials', async () => {
  expect(await grafana('GET', 'org')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('/org') },
  });
  expect(await grafana('GET', 'health', undefined, { headers: {} })).toMatchObject({
    ...{ status: 200, body: { commit: 'abc', database: 'ok', version: '1.2.3' } },
  });
});
