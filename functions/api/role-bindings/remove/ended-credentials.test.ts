/** Credentials end with the role binding on which they rest: after its removal, or a change that narrows it. */
import type { Inventory } from '../../../../tests/support/inventory.ts';
import type { Issuer } from '../../../../tests/support/issuer.ts';
import { logInProgram, programClaims, useProgramLogins } from '../../../../tests/support/program-logins.ts';

let issuer: Issuer;
let inventory: Inventory;
useProgramLogins((started) => ({ issuer, inventory } = started), { authorizerCacheSeconds: 300 });
beforeEach(() => endCache());

/** The cached replies of the gateway end, as they do five minutes later. */
const endCache = () => inventory.passing.advance(301_000);

let count = 0;

/** Adds a binding for a repository of its own. */
async function bind(more: object = {}) {
  const id = String((count += 1));
  const body = { name: `binding-${id}`, provider: 'ci', claims: { repository_id: [id] }, role: 'Editor', ...more };
  expect((await inventory.request('POST', '/v1/role-bindings', { body })).status).toBe(201);
  return { path: `/v1/role-bindings/${body.name}`, body, claims: { repository_id: id } };
}

async function keyFor(claims: object): Promise<string> {
  const { status, body } = await logInProgram(inventory, await issuer.sign(programClaims({ ...claims })));
  expect(status).toBe(201);
  return body.key;
}

const callAs = (key: string, method: string, path: string, body?: object) =>
  inventory.request(method, path, { as: null, headers: { Authorization: `Bearer ${key}` }, ...(body && { body }) });
const statusOf = async (key: string) => (await callAs(key, 'GET', '/v1/caller')).status;

test("removing a binding refuses its keys after the gateway's cache time; other keys work", async () => {
  const [removed, other] = [await bind(), await bind()];
  const keys = [await keyFor(removed.claims), await keyFor(removed.claims), await keyFor(other.claims)];
  expect(await Promise.all(keys.map(statusOf))).toEqual([200, 200, 200]);
  expect((await inventory.request('DELETE', removed.path)).status).toBe(204);
  endCache();
  expect(await Promise.all(keys.map(statusOf))).toEqual([401, 401, 200]);
});

test('a later binding with the same name does not revive a key', async () => {
  const binding = await bind();
  const key = await keyFor(binding.claims);
  await inventory.request('DELETE', binding.path);
  expect((await inventory.request('POST', '/v1/role-bindings', { body: binding.body })).status).toBe(201);
  expect(await statusOf(key)).toBe(401);
  expect(await statusOf(await keyFor(binding.claims))).toBe(200);
});

test.each<[string, number, object]>([
  ['a weaker role', 401, { role: 'Viewer' }],
  ['other owners', 401, { owners: ['shop'] }],
  ['other claims', 401, { claims: { repository_id: ['none'] } }],
  ['no limit', 200, { owners: null }],
  ['a description', 200, { description: 'For releases' }],
])('after a change to %s a key gets %d', async (_, status, change) => {
  const { path, claims } = await bind({ owners: ['dba'] });
  const key = await keyFor(claims);
  expect((await inventory.request('PATCH', path, { body: change })).status).toBe(200);
  expect(await statusOf(key)).toBe(status);
});

test('a second change ends keys made between the changes', async () => {
  const { path, claims } = await bind({ role: 'Admin' });
  await inventory.request('PATCH', path, { body: { role: 'Editor' } });
  const key = await keyFor(claims);
  expect(await statusOf(key)).toBe(200);
  await inventory.request('PATCH', path, { body: { role: 'Viewer' } });
  endCache();
  expect(await statusOf(key)).toBe(401);
});

test('a key that the gateway still caches cannot make credentials', async () => {
  const { path, claims } = await bind({ role: 'Admin' });
  const key = await keyFor(claims);
  expect(await statusOf(key)).toBe(200);
  await inventory.request('DELETE', path);
  expect(await statusOf(key)).toBe(200);
  const later = { name: 'in time', role: 'Admin', time_to_live: '1m' };
  const user = { user_name: 'in.time', role: 'Admin' };
  for (const [where, body] of [
    ['/v1/api-keys', later],
    ['/v1/users', user],
    ['/v1/role-bindings', { ...(await bind()).body, name: 'in-time' }],
    ['/v1/enrolment-tokens', { name: 'in time', time_to_live: '1m', key_time_to_live: '1m' }],
  ] as const)
    expect([where, (await callAs(key, 'POST', where, body)).status]).toEqual([where, 401]);
  expect((await callAs(key, 'PATCH', (await bind()).path, { role: 'Admin' })).status).toBe(401);
});

test("keys that a program's key made end with its binding, also after a rotation", async () => {
  const { path, claims } = await bind({ owners: ['dba'] });
  const body = { name: 'made by a program', role: 'Editor', time_to_live: '5m' };
  const { status, body: made } = await callAs(await keyFor(claims), 'POST', '/v1/api-keys', body);
  expect([status, made.owners]).toEqual([201, ['dba']]);
  const rotate = `/v1/api-keys/${made.key_id}/rotate`;
  const { body: rotated } = await inventory.request('POST', rotate, { body: { overlap: '1m' } });
  expect([await statusOf(made.key), await statusOf(rotated.key)]).toEqual([200, 200]);
  await inventory.request('DELETE', path);
  endCache();
  expect([await statusOf(made.key), await statusOf(rotated.key)]).toEqual([401, 401]);
});

test('an enrolment token ends with its binding; an enrolled host keeps its key', async () => {
  const { path, claims } = await bind({ role: 'Registrar' });
  const enrol = (token: string, name: string) => {
    const node = { node_type: 'generic', node_name: name, address: '10.3.0.1' };
    return inventory.request('POST', '/v1/enrolment', { as: null, body: { token, node }, sourceIp: '10.3.0.1' });
  };
  const [first, second] = [await keyFor(claims), await keyFor(claims)];
  const { status, body } = await enrol(first, 'enrolled');
  expect(status).toBe(201);
  await inventory.request('DELETE', path);
  expect((await enrol(second, 'too late')).status).toBe(401);
  expect(await statusOf(body.api_key.key)).toBe(200);
});

test('a key with owners of several bindings ends with each of them', async () => {
  const binding = await bind({ owners: ['a'] });
  const { claims } = binding;
  const same = { claims: binding.body.claims };
  const [two, spare] = [await bind({ ...same, owners: ['b'] }), await bind({ ...same, owners: ['b'] })];
  const key = await keyFor(claims);
  expect((await callAs(key, 'GET', '/v1/caller')).body.owners).toEqual(['a', 'b']);
  await inventory.request('DELETE', spare.path);
  endCache();
  expect(await statusOf(key)).toBe(200);
  await inventory.request('DELETE', two.path);
  endCache();
  expect(await statusOf(key)).toBe(401);
  expect((await callAs(await keyFor(claims), 'GET', '/v1/caller')).body.owners).toEqual(['a']);
});
