import type { Inventory } from '../../../tests/support/inventory.ts';
import type { Issuer } from '../../../tests/support/issuer.ts';
import { logInProgram, programClaims as claims, useProgramLogins } from '../../../tests/support/program-logins.ts';
import { LOG_INS_PER_MINUTE } from '../../store/credentials/log-in.ts';
import { checkInvariants, scan } from '../../../tests/consistency/invariants.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';

let issuer: Issuer;
let inventory: Inventory;
useProgramLogins((started) => ({ issuer, inventory } = started));

const logIn = (token: string) => logInProgram(inventory, token);

const refusals = async (): Promise<any[]> =>
  (await inventory.request('GET', '/v1/audit?event=sign_in.refused&page_size=1000')).body.entries;

/** The reason of a refused log-in in the audit, and whom it concerns; with those of earlier ones that were written late. */
async function refusalsBy(token: string, provider?: string) {
  const before = new Set((await refusals()).map((entry) => JSON.stringify(entry)));
  // Refusals are counted together for a second.
  inventory.passing.advance(1001);
  expect((await logInProgram(inventory, token, provider)).status).toBe(401);
  const added = (await refusals()).filter((entry) => !before.has(JSON.stringify(entry)));
  return added.map(({ reason, subject }) => ({ reason, subject }));
}
const callAs = (key: string, method: string, path: string, body?: object) =>
  inventory.request(method, path, { as: null, headers: { Authorization: `Bearer ${key}` }, ...(body && { body }) });

test("a token gives a key of 15 minutes with the binding's role and owners, and the audit names the program", async () => {
  const { status, body } = await logIn(await issuer.sign(claims()));
  const name = 'ci/repo:octo-org/shop:ref:refs/heads/main';
  expect([status, body.name, body.user_id, body.role, body.owners]).toEqual([201, name, name, 'Editor', ['shop']]);
  const life = Date.parse(body.expires_at) - TEST_TIME;
  expect(life).toBeGreaterThan(14 * 60_000);
  expect(life).toBeLessThanOrEqual(15 * 60_000 + 1000);
  const node = { node_type: 'generic', node_name: 'from-ci', address: 'a' };
  const { body: added } = await callAs(body.key, 'POST', '/v1/nodes', node);
  expect(added.custom_labels).toEqual({ team: 'shop' });
  const { body: changes } = await inventory.request('GET', `/v1/audit?object_id=${added.node_id}`);
  expect(changes.entries[0].actor).toMatchObject({ kind: 'api_key', id: body.session_id, name });
  const { body: audit } = await inventory.request('GET', `/v1/audit?object_id=${body.session_id}`);
  expect(audit.entries[0]).toMatchObject({
    event: 'api_key.added',
    actor: { kind: 'system', id: 'ci', name },
    after: { role: 'Editor', owners: ['shop'], provider: 'ci', bindings: ['editors'] },
  });
  inventory.clock.now = testTime(15 * 60_000 + 2000);
  expect((await callAs(body.key, 'GET', '/v1/caller')).status).toBe(401);
});

test('program names are readable, and two long subjects have different ones', async () => {
  const long = `repo:${'x'.repeat(200)}`;
  const names = new Set<string>();
  const subjects = [`${long}a`, `${long}b`, 'a\nb', 'a\u001b]0;x', 'repo:\u202eniam', 'repo:?niam'];
  for (const sub of subjects) {
    const { status, body } = await logIn(await issuer.sign(claims({ sub })));
    expect([status, body.user_id]).toEqual([201, body.name]);
    expect(body.name).toMatch(/^ci\/[ -~]{1,125}$/);
    names.add(body.name);
  }
  expect(names.size).toBe(subjects.length);
});

test('the key is neither listed nor counted; an Admin ends it, but nobody rotates or changes it', async () => {
  const { body } = await logIn(await issuer.sign(claims()));
  const { body: list } = await inventory.request('GET', '/v1/api-keys?page_size=1000');
  expect(list.api_keys.map(({ key_id }: any) => key_id)).not.toContain(body.session_id);
  const path = `/v1/api-keys/${body.session_id}`;
  expect((await inventory.request('POST', `${path}/rotate`, { body: { overlap: '0s' } })).status).toBe(404);
  expect((await inventory.request('PATCH', path, { body: { owners: ['shop'] } })).status).toBe(404);
  expect((await callAs(body.key, 'GET', '/v1/caller')).status).toBe(200);
  expect((await inventory.request('DELETE', path)).status).toBe(204);
  expect((await callAs(body.key, 'GET', '/v1/caller')).status).toBe(401);
  expect(await checkInvariants(inventory.table)).toEqual([]);
});

test("a program's key cannot make a key that outlives it", async () => {
  const { body } = await logIn(await issuer.sign(claims()));
  expect((await callAs(body.key, 'POST', '/v1/api-keys', { name: 'later', role: 'Viewer' })).status).toBe(403);
});

test('programs at one address log in without limit, but refused tokens are limited', async () => {
  // A minute of its own: log-ins of other tests do not count in it.
  inventory.clock.now = new Date(Math.ceil(TEST_TIME / 60_000) * 60_000);
  const body = (token: string) => ({ method: 'jwt', provider: 'ci', token });
  const from = (token: string) =>
    inventory.request('POST', '/v1/logins', { as: null, body: body(token), sourceIp: '198.51.100.7' });
  const statuses = async (next: () => Promise<string>) => {
    const results: number[] = [];
    for (let count = 0; count <= LOG_INS_PER_MINUTE; count += 1) results.push((await from(await next())).status);
    return results;
  };
  expect(new Set(await statuses(() => issuer.sign(claims())))).toEqual(new Set([201]));
  const wrong = await issuer.sign(claims({ repository_id: '1' }));
  expect((await statuses(() => Promise.resolve(wrong))).slice(-2)).toEqual([401, 429]);
  expect((await from(await issuer.sign(claims()))).status).toBe(201);
});

test('of 50 simultaneous uses of one token exactly one succeeds', async () => {
  const token = await issuer.sign(claims());
  const replies = await Promise.all(Array.from({ length: 50 }, () => logIn(token)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(49);
});

test('the audit has the reason of each refusal, and the program once it is known', async () => {
  const bind = (purpose: string, owners: string[], more: object) => {
    const body = {
      name: `${purpose}-${owners.join()}`,
      provider: 'ci',
      claims: { purpose: [purpose] },
      owners,
      ...more,
    };
    return inventory.request('POST', '/v1/role-bindings', { body });
  };
  for (const owner of ['a', 'b']) expect((await bind('two', [owner], { role: 'Registrar' })).status).toBe(201);
  expect((await bind('named', ['a'], { role: 'Registrar', node_name_claim: 'host' })).status).toBe(201);
  const name = 'ci/repo:octo-org/shop:ref:refs/heads/main';
  const subject = { kind: 'program', id: name, name };
  const sign = (more: object) => issuer.sign(claims({ repository_id: 'none', ...more }));
  const unknown = await refusalsBy(await sign({}), 'other');
  expect(unknown).toContainEqual({ reason: 'unknown_provider', subject: undefined });
  expect(await refusalsBy(await sign({}))).toContainEqual({ reason: 'unbound_identity', subject });
  const ofTwo = await refusalsBy(await sign({ purpose: 'two' }));
  expect(ofTwo).toContainEqual({ reason: 'too_many_owners', subject });
  const misnamed = await refusalsBy(await sign({ purpose: 'named', host: 'a\nb' }));
  expect(misnamed).toContainEqual({ reason: 'unbound_identity', subject });
  const used = await sign({ repository_id: '74129' });
  expect((await logIn(used)).status).toBe(201);
  expect(await refusalsBy(used)).toContainEqual({ reason: 'used_identity', subject: undefined });
});

test('another signature of the same token is the same token', async () => {
  const token = await issuer.sign(claims());
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const bytes = Buffer.from(signature, 'base64url');
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  expect((await logIn(token)).status).toBe(201);
  expect((await logIn(`${header}.${payload}.${other.toString('base64url')}`)).status).toBe(401);
});

test('a host enrols only under a permitted node name', async () => {
  const rules = { claims: { purpose: ['host'] }, role: 'Registrar', node_name_claim: 'host' };
  await inventory.request('POST', '/v1/role-bindings', { body: { name: 'hosts', provider: 'ci', ...rules } });
  const statusOf = async (host: unknown) =>
    (await logIn(await issuer.sign(claims({ repository_id: 'none', purpose: 'host', host })))).status;
  for (const host of ['db-1\n', 'db-\u202e1', 'db-\u200b1', '', 'x'.repeat(600), undefined])
    expect(await statusOf(host)).toBe(401);
  expect(await statusOf('db-1')).toBe(201);
});

test("a host's enrolment token has the owner of its binding, and none without one", async () => {
  const ownerOf = async (purpose: string, more: object) => {
    const rules = { claims: { purpose: [purpose] }, role: 'Registrar', ...more };
    await inventory.request('POST', '/v1/role-bindings', { body: { name: purpose, provider: 'ci', ...rules } });
    const { status, body } = await logIn(await issuer.sign(claims({ repository_id: 'none', purpose })));
    expect(status).toBe(201);
    const { enrolment_tokens: tokens } = (await inventory.request('GET', '/v1/enrolment-tokens')).body;
    return tokens.find(({ prefix }: { prefix: string }) => body.key.startsWith(prefix)).owner;
  };
  expect(await ownerOf('shop-host', { owners: ['shop'] })).toBe('shop');
  expect(await ownerOf('bare-host', {})).toBeUndefined();
});

test('a host is refused if its bindings name two owners, and a program is not', async () => {
  const logInAs = async (purpose: string, role: string) => {
    for (const owner of ['blue', 'red']) {
      const rules = { claims: { purpose: [purpose] }, role, owners: [owner] };
      const body = { name: `${purpose}-${owner}`, provider: 'ci', ...rules };
      expect((await inventory.request('POST', '/v1/role-bindings', { body })).status).toBe(201);
    }
    return (await logIn(await issuer.sign(claims({ repository_id: 'none', purpose })))).status;
  };
  expect([await logInAs('host-of-both', 'Registrar'), await logInAs('program-of-both', 'Editor')]).toEqual([401, 201]);
});

test('the mark of a used token is kept for an hour after the end of the token', async () => {
  const end = TEST_TIME / 1000 + 217;
  expect((await logIn(await issuer.sign(claims({ exp: end })))).status).toBe(201);
  expect((await scan(inventory.table)).map(({ ttl }) => ttl)).toContain(end + 3600);
});
