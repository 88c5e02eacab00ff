import { randomUUID } from 'node:crypto';
import { addNode, unseen } from '../../../../tests/support/add.ts';
import { addObject } from '../../../store/inventory/entities.ts';
import { newRecord } from '../../../domain/fields/record.ts';
import { jobContext } from '../../../store/entities/write-context.ts';
import { idOf, type Entity } from '../../../store/entities/entity.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const change = (id: string, body: unknown, headers = {}) =>
  inventory.request('PATCH', `/v1/nodes/${id}`, { body, headers, as: 'Editor' });

test('absent fields stay, null clears, and labels merge by name', async () => {
  const node = await addNode(inventory, { distro: 'd', az: 'z', custom_labels: { a: '1', b: '2' } });
  const reply = await change(node.node_id, { distro: null, node_model: 'm', custom_labels: { b: null, c: '3' } });
  const { distro: _, ...rest } = node;
  expect(reply.body).toEqual({
    ...rest,
    node_model: 'm',
    custom_labels: { a: '1', c: '3' },
    revision: 2,
    updated_at: reply.body.updated_at,
  });
  expect(reply.headers['ETag']).toBe('"2"');
  expect((await inventory.request('GET', `/v1/nodes/${node.node_id}`)).body).toEqual(unseen(reply.body));
  expect((await change(node.node_id, { custom_labels: null })).body.custom_labels).toEqual({});
});

test('a change without an effect writes nothing, and the revision stays', async () => {
  const node = await addNode(inventory, { az: 'z', custom_labels: { a: '1' } });
  for (const body of [{}, { az: 'z' }, { custom_labels: { a: '1' } }, { distro: null }])
    expect((await change(node.node_id, body)).body).toEqual(node);
});

test.each(['node_id', 'node_type', 'node_name', 'created_at', 'revision', 'no_such'])(
  '%s cannot be changed',
  async (field) => {
    const { node_id: id } = await addNode(inventory);
    expect(await change(id, { [field]: 'x' })).toMatchObject({ status: 400, body: { details: [{ field }] } });
  },
);

test('a field of another type of node is refused', async () => {
  const { node_id: id } = await addNode(inventory);
  expect(await change(id, { container_id: 'c' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'container_id', reason: 'unknown_field' }] },
  });
});

test('a field that an add requires cannot be cleared', async () => {
  const { node_id: id } = await addNode(inventory, { node_type: 'remote_rds', region: 'eu', address: 'cleared' });
  expect(await change(id, { region: null })).toMatchObject({ status: 400, body: { details: [{ field: 'region' }] } });
  expect((await change(id, { address: null })).status).toBe(400);
  expect((await change(id, { address: 'a.b' })).status).toBe(400);
});

test('labels cannot grow past 64 by changes', async () => {
  const labels = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${from + i}`, 'v']));
  const { node_id: id } = await addNode(inventory, { custom_labels: labels(0, 60) });
  expect((await change(id, { custom_labels: labels(60, 5) })).status).toBe(400);
  expect((await change(id, { custom_labels: { ...labels(60, 5), l0: null } })).status).toBe(200);
});

test('a changed address or region frees the old place, and a taken place is a conflict', async () => {
  const { node_id: id } = await addNode(inventory, { region: 'm1', address: 'm' });
  expect((await change(id, { region: 'm2' })).status).toBe(200);
  await addNode(inventory, { region: 'm1', address: 'm' });
  expect((await change(id, { region: 'm1' })).status).toBe(409);
  expect((await inventory.request('GET', '/v1/nodes?region=m2')).body.nodes).toHaveLength(1);
  expect((await change(id, { region: null })).status).toBe(200);
  expect((await inventory.request('GET', '/v1/nodes?region=m2')).body.nodes).toHaveLength(0);
});

test('If-Match requires the present revision', async () => {
  const { node_id: id } = await addNode(inventory);
  for (const tag of ['"2"', 'W/"1"', '""'])
    expect(await change(id, { az: 'x' }, { 'If-Match': tag })).toMatchObject({ status: 412, body: { code: 9 } });
  expect((await change(id, { az: 'x' }, { 'If-Match': '"1"' })).status).toBe(200);
  expect((await change(id, { az: 'y' }, { 'If-Match': '"1"' })).status).toBe(412);
  expect((await change(id, { az: 'y' }, { 'If-Match': '*' })).status).toBe(200);
});

test('changing a missing node is a 404', async () => {
  expect((await change('nope', { az: 'x' })).status).toBe(404);
});

describe('a stored object that violates a newer rule for names or addresses', () => {
  const actor = { kind: 'system', id: 'test', name: 'test' } as const;
  const writeContext = jobContext({ actor, requestId: 'test', limit: undefined }, () => testTime());
  const make = async (kind: 'node' | 'service', fields: Record<string, unknown>) => {
    const { object } = await addObject(inventory.table, { kind, idempotency: undefined, writeContext }, () => ({
      ...{ [`${kind}_id`]: randomUUID(), custom_labels: {}, ...newRecord(testTime()) },
      ...fields,
    }));
    return { id: idOf({ kind, object } as Entity), revision: 1 };
  };
  const old = {
    node: { node_type: 'generic', node_name: ' re\u00adg-2', address: '169.254.169.254:80' },
    service: {
      ...{ service_type: 'mysql', service_name: 's\u200c \ufffe', node_ids: [], address: 'user:pass@0.0.0.0', port: 1 },
    },
  };

  test.each(['node', 'service'] as const)('a %s is shown, listed, exported, changed and removed', async (kind) => {
    const { id } = await make(kind, old[kind]);
    const path = `/v1/${kind}s/${id}`;
    expect(await inventory.request('GET', path)).toMatchObject({ status: 200, body: old[kind] });
    expect(JSON.stringify((await inventory.request('GET', `/v1/${kind}s?page_size=1000`)).body)).toContain(id);
    expect((await inventory.request('GET', '/v1/export')).text).toContain(id);
    const labelled = await inventory.request('PATCH', path, { body: { custom_labels: { a: 'b' } } });
    expect(labelled).toMatchObject({ status: 200, body: { ...old[kind], custom_labels: { a: 'b' }, revision: 2 } });
    const { address } = old[kind];
    expect((await inventory.request('PATCH', path, { body: { address } })).status).toBe(400);
    const moved = await inventory.request('PATCH', path, { body: { address: '10.0.0.1' } });
    expect(moved).toMatchObject({ status: 200, body: { address: '10.0.0.1', revision: 3 } });
    expect((await inventory.request('GET', `${path}/history`)).status).toBe(200);
    expect((await inventory.request('DELETE', path)).status).toBe(204);
    const [removal] = (await inventory.request('GET', '/v1/removed')).body.removals;
    expect((await inventory.request('POST', `/v1/removed/${removal.removal_id}/restore`)).status).toBe(200);
  });
});
