import { MAX_ROLE_BINDINGS } from '../../../domain/access/role-binding.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const binding = (name: string, more: object = {}) => ({
  name,
  provider: 'github',
  claims: { repository_id: ['74129'] },
  role: 'Editor',
  ...more,
});
const add = (body: object) => inventory.request('POST', '/v1/role-bindings', { body });

test('returns the binding at revision 1, and the audit contains the author and the role', async () => {
  const { status, headers, body } = await add(binding('first', { owners: ['shop'] }));
  expect([status, headers['ETag'], headers['Location']]).toEqual([201, '"1"', '/v1/role-bindings/first']);
  expect(body).toMatchObject({
    binding_id: 'first',
    role: 'Editor',
    owners: ['shop'],
    created_by: { kind: 'api_key' },
  });
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=role_binding.added');
  expect(audit.entries[0]).toMatchObject({
    subject: { kind: 'role_binding', id: 'first' },
    after: { role: 'Editor', owners: ['shop'], claims: { repository_id: ['74129'] } },
  });
  expect((await add(binding('first'))).status).toBe(409);
});

test.each([
  ['a provider that the settings do not name', { provider: 'gitlab' }, 'provider', /github, company/],
  [
    'a public issuer without the owner of the token',
    { claims: { ref: ['refs/heads/main'] } },
    'claims',
    /repository_id/,
  ],
  ['no claims of a public issuer', { claims: {} }, 'claims', /repository_owner_id/],
  ['a claim without values', { claims: { repository_id: [] } }, 'claims.repository_id', /./],
  ['the same value twice', { claims: { repository_id: ['1', '1'] } }, 'claims.repository_id', /duplicate/],
  ['an Admin with owners', { role: 'Admin', owners: ['shop'] }, 'owners', /Admin/],
  ['a Registrar with two owners', { role: 'Registrar', owners: ['a', 'b'] }, 'owners', /one owner/],
  ['the claim with a node name of an Editor', { node_name_claim: 'host' }, 'node_name_claim', /Registrar/],
  ['a role that bindings do not give', { role: 'Relay' }, 'role', /./],
  ['a reserved name', { name: 'preview' }, 'name', /preview/],
  ['a name that is no part of a path', { name: 'a/b' }, 'name', /letters/],
  [
    'more than 10 claims',
    { claims: Object.fromEntries(Array.from('abcdefghijk', (claim) => [claim, ['1']])) },
    'claims',
    /10/,
  ],
])('%s is a 400, and nothing is stored', async (_, wrong, field, message) => {
  const { status, body } = await add(binding('wrong', wrong));
  expect([status, body.details.map((detail: any) => detail.field)]).toEqual([400, [field]]);
  expect(body.details[0].message).toMatch(message);
  expect((await inventory.request('GET', '/v1/role-bindings/wrong')).status).toBe(404);
});

test('all users of a provider for people may get a role', async () => {
  expect((await add(binding('everybody', { provider: 'company', claims: {}, role: 'Viewer' }))).status).toBe(201);
});

test('an Admin key with an end cannot add a binding, which has none', async () => {
  const { body: key } = await inventory.request('POST', '/v1/api-keys', {
    body: { name: 'short', role: 'Admin', time_to_live: '1d' },
  });
  const sent = { as: null, headers: { Authorization: `Bearer ${key.key}` }, body: binding('late') };
  expect((await inventory.request('POST', '/v1/role-bindings', sent)).status).toBe(403);
});

test('the number of bindings is limited', async () => {
  const { body } = await inventory.request('GET', '/v1/role-bindings?page_size=1000');
  const free = MAX_ROLE_BINDINGS - body.role_bindings.length;
  const replies = await Promise.all(Array.from({ length: free }, (_, index) => add(binding(`many-${index}`))));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await add(binding('one-more'))).status).toBe(429);
});
