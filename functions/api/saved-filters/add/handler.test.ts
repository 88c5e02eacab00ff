import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const offline = { name: 'Offline', list: 'nodes', parameters: { state: 'offline', group_by: 'region' } };
const add = (more: object = {}, as: 'Viewer' | 'Editor' | 'Admin' = 'Viewer') =>
  inventory.request('POST', '/v1/saved-filters', { body: { ...offline, ...more }, as });
const namesOf = async (as: 'Viewer' | 'Editor') =>
  (await inventory.request('GET', '/v1/saved-filters', { as })).body.saved_filters.map(({ name }: any) => name);

test('a Viewer saves a private filter, and the audit contains it', async () => {
  const { status, body } = await add();
  expect([status, body]).toEqual([
    201,
    {
      ...offline,
      saved_filter_id: expect.any(String),
      ...{ shared: false, own: true, pinned: false },
      created_by: expect.objectContaining({ name: 'test Viewer' }),
      created_at: expect.any(String),
      updated_at: body.created_at,
      revision: 1,
    },
  ]);
  expect([await namesOf('Viewer'), await namesOf('Editor')]).toEqual([['Offline'], []]);
  const audit = await inventory.request('GET', '/v1/audit?event=saved_filter.added');
  const { list, parameters } = offline;
  expect(audit.body.entries).toMatchObject([
    {
      actor: { name: 'test Viewer' },
      subject: { kind: 'saved_filter', id: body.saved_filter_id, name: 'Offline' },
      after: { list, parameters, shared: false },
    },
  ]);
});

test('a shared filter requires the role Editor and is visible to everybody', async () => {
  const shared = { name: 'Shared', shared: true };
  expect(await add(shared)).toMatchObject({ status: 403, body: { message: expect.stringContaining('role Editor') } });
  expect((await add(shared, 'Editor')).status).toBe(201);
  expect(await namesOf('Viewer')).toContain('Shared');
});

test("a name is unique among a list's shared filters, and among a person's filters", async () => {
  const name = { name: 'Same' };
  expect((await add(name)).status).toBe(201);
  expect(await add(name)).toMatchObject({ status: 409, body: { message: expect.stringContaining('"Same"') } });
  expect((await add({ ...name, list: 'agents' })).status).toBe(201);
  expect((await add(name, 'Editor')).status).toBe(201);
  expect((await add({ ...name, shared: true }, 'Admin')).status).toBe(201);
  expect((await add({ ...name, shared: true }, 'Editor')).status).toBe(409);
});

test.each([
  ['no name', { name: '' }, 'name'],
  ['a long name', { name: 'x'.repeat(101) }, 'name'],
  ['an unknown list', { list: 'keys' }, 'list'],
  ['no parameter', { parameters: {} }, 'parameters'],
  ['a parameter that is no text', { parameters: { state: 1 } }, 'parameters.state'],
  ['an impossible name of a parameter', { parameters: { 'a&b': 'c' } }, 'parameters.a&b'],
  ['long parameters', { parameters: { a: 'x'.repeat(2000), b: 'x'.repeat(2000) } }, 'parameters'],
  [
    'too many',
    { parameters: Object.fromEntries(Array.from({ length: 31 }, (_, n) => ['a'.repeat(n + 1), 'x'])) },
    'parameters',
  ],
  ['a password', { parameters: { address_contains: 'https://u:secret@h' } }, 'parameters.address_contains'],
  ['an owner', { own: false }, 'own'],
])('%s is a 400', async (_, more, field) => {
  expect(await add(more)).toMatchObject({ status: 400, body: { details: [{ field }] } });
});

test('a person has at most 50 filters, and an inventory at most 100 shared ones', async () => {
  const person = await inventory.request('POST', '/v1/api-keys', { body: { name: 'person', role: 'Editor' } });
  const headers = { Authorization: `Bearer ${person.body.key}` };
  const save = (body: object) =>
    inventory.request('POST', '/v1/saved-filters', { as: null, headers, body: { ...offline, ...body } });
  for (const shared of [false, true]) {
    let last = 201;
    for (let count = 0; last === 201; count += 1) last = (await save({ name: `n${count}`, shared })).status;
    expect([shared, last]).toEqual([shared, 429]);
  }
  const listed = await inventory.request('GET', '/v1/saved-filters', { as: null, headers });
  const shared = listed.body.saved_filters.filter((filter: any) => filter.shared).length;
  expect([shared, listed.body.saved_filters.length]).toEqual([100, 150]);
});
