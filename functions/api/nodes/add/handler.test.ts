import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = (body: Record<string, unknown>) => inventory.request('POST', '/v1/nodes', { body, as: 'Editor' });
const generic = (more: Record<string, unknown> = {}) => ({ node_type: 'generic', address: '10.0.0.1', ...more });

test('returns the whole node with its place and revision', async () => {
  const fields = {
    node_type: 'generic',
    node_name: 'whole',
    address: '10.0.0.1',
    machine_id: 'm',
    distro: 'Debian 12',
    node_model: 'x',
    region: 'eu',
    az: 'eu-1a',
    instance_id: 'i-1',
    custom_labels: { team: 'db', empty: '' },
  };
  const reply = await add(fields);
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    ...fields,
    node_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    updated_at: reply.body.created_at,
    revision: 1,
  });
  expect(reply.headers).toMatchObject({ Location: `/v1/nodes/${reply.body.node_id}`, ETag: '"1"' });
});

test('a second node with the same name is a conflict, and nothing is written', async () => {
  await add(generic({ node_name: 'twice' }));
  const reply = await add(generic({ node_name: 'twice', region: 'left', address: 'behind' }));
  expect(reply).toMatchObject({ status: 409, body: { code: 6, message: 'Node with name "twice" already exists.' } });
  // The failed add left no claim on address and region.
  expect((await add(generic({ node_name: 'other', region: 'left', address: 'behind' }))).status).toBe(201);
});

test('node names are case-sensitive and accent-sensitive', async () => {
  for (const name of ['Name', 'name', 'n\u00e4me', 'Na me'])
    expect((await add(generic({ node_name: name }))).status).toBe(201);
});

test('address and region together are unique; addresses without a region are not', async () => {
  const at = (node_name: string, more: object) => add(generic({ node_name, address: 'db', ...more }));
  expect((await at('r1', { region: 'us' })).status).toBe(201);
  expect(await at('r2', { region: 'us' })).toMatchObject({
    status: 409,
    body: { message: 'Node with address "db" and region "us" already exists.' },
  });
  expect((await at('r3', { region: 'asia' })).status).toBe(201);
  expect((await at('r4', {})).status).toBe(201);
  expect((await at('r5', {})).status).toBe(201);
});

test('region and address are compared separately', async () => {
  expect((await add(generic({ node_name: 'p1', region: 'a.b', address: 'c' }))).status).toBe(201);
  expect((await add(generic({ node_name: 'p2', region: 'a', address: 'b.c' }))).status).toBe(201);
  expect((await add(generic({ node_name: 'p3', region: 'a#b', address: 'c' }))).status).toBe(201);
  expect((await add(generic({ node_name: 'p4', region: 'a', address: 'b:c' }))).status).toBe(400);
});

test('a container id is unique', async () => {
  const container = { node_type: 'container', address: 'c', container_id: 'c1' };
  expect((await add({ ...container, node_name: 'c1' })).status).toBe(201);
  expect((await add({ ...container, node_name: 'c2' })).status).toBe(409);
});

test.each(['remote_rds', 'remote_azure_database'])('%s needs a region', async (type) => {
  const reply = await add({ node_type: type, node_name: type, address: 'x' });
  expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'region', reason: 'required' }] } });
});

test('the address of an RDS node is an identifier, and the error lists all other violations too', async () => {
  const reply = await add({ node_type: 'remote_rds', node_name: '', address: 'a.b', machine_id: 'x' });
  expect(reply.body.details.map(({ field }: { field: string }) => field).sort()).toEqual([
    'address',
    'machine_id',
    'node_name',
    'region',
  ]);
});

test('an unknown type is refused with the known ones', async () => {
  const reply = await add({ node_type: 'mainframe', node_name: 'x', address: 'x' });
  expect(reply.body.details).toEqual([
    {
      field: 'node_type',
      reason: 'invalid_value',
      message: 'Must be one of: generic, container, remote, remote_rds, remote_azure_database.',
    },
  ]);
});

test.each([
  ['a control character', 'a\u0007b'],
  ['NUL', 'a\u0000b'],
  ['a line separator', 'a\u2028b'],
  ['text direction', 'a\u202eb'],
  ['half a surrogate pair', 'a\ud800b'],
  ['nothing', ''],
  ['too much', 'x'.repeat(513)],
  ['too many bytes', '\u{1F600}'.repeat(300)],
  ['a number', 5],
  ['a list', ['x']],
])('a name may not be or contain %s', async (_, name) => {
  const reply = await add(generic({ node_name: name }));
  expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'node_name' }] } });
});

test('a name may have 300 non-Latin characters, slashes, percent signs and key separators', async () => {
  for (const name of ['\u4e2d'.repeat(300), 'a/b%2F c#d', 'NODE#x', ':v', '__proto__'])
    expect((await add(generic({ node_name: name }))).body).toMatchObject({ node_name: name });
});

test.each([
  ['__reserved', 'x'],
  ['1st', 'x'],
  ['with-dash', 'x'],
  ['', 'x'],
  ['ok', 'x'.repeat(1025)],
  ['ok', 5],
  ['ok', null],
])('a label %j: %j is refused', async (name, value) => {
  const reply = await add(generic({ node_name: 'labels', custom_labels: { [name]: value } }));
  expect(reply).toMatchObject({ status: 400, body: { details: [{ field: `custom_labels.${name}` }] } });
});

test('a node has at most 64 labels', async () => {
  const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, 'v']));
  expect((await add(generic({ node_name: 'l65', custom_labels: labels(65) }))).status).toBe(400);
  expect((await add(generic({ node_name: 'l64', custom_labels: labels(64) }))).status).toBe(201);
});

test('an address with credentials is refused, and the error does not repeat it', async () => {
  const reply = await add(generic({ node_name: 'url', address: 'mysql://root:hunter2@db' }));
  expect(reply.status).toBe(400);
  expect(reply.text).not.toContain('hunter2');
});
