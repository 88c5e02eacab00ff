import { addNode, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

let nodeId: string;
beforeAll(async () => {
  nodeId = (await addNode(inventory)).node_id;
  for (let i = 0; i < 6; i += 1)
    await addService(inventory, {
      service_name: `db ${i}`,
      service_type: i % 2 === 0 ? 'mysql' : 'mongodb',
      node_ids: i < 4 ? [nodeId] : [],
      cluster: i < 3 ? 'one' : 'two',
      environment: i === 5 ? 'dev' : 'prod',
    });
  await inventory.request('POST', '/v1/services', {
    body: { service_type: 'external', service_name: 'x', group: 'redis' },
  });
});

async function names(query: string, size: number): Promise<string[]> {
  const found: string[] = [];
  for (let token = ''; ;) {
    const reply = await inventory.request('GET', `/v1/services?${query}&page_size=${size}${token}`, { as: 'Viewer' });
    expect(reply.status).toBe(200);
    found.push(...reply.body.services.map((service: { service_name: string }) => service.service_name));
    if (reply.body.next_page_token === undefined) return found;
    token = `&page_token=${reply.body.next_page_token}`;
  }
}

test.each([
  ['service_type=mysql', ['db 0', 'db 2', 'db 4']],
  ['cluster=one', ['db 0', 'db 1', 'db 2']],
  ['environment=dev', ['db 5']],
  ['group=redis', ['x']],
  ['cluster=two&environment=prod', ['db 3', 'db 4']],
  ['cluster=one&service_type=mongodb', ['db 1']],
  ['name_prefix=db', ['db 0', 'db 1', 'db 2', 'db 3', 'db 4', 'db 5']],
  ['environment=prod&name_prefix=db%204', ['db 4']],
  ['cluster=nowhere', []],
])('filter %s finds the same at every page size', async (filter, expected) => {
  for (const size of [1, 2, 100]) expect(await names(filter, size)).toEqual(expected);
});

test('the services of a node, with the other filters on top', async () => {
  for (const size of [1, 3, 100]) {
    expect(await names(`node_id=${nodeId}`, size)).toEqual(['db 0', 'db 1', 'db 2', 'db 3']);
    expect(await names(`node_id=${nodeId}&cluster=two`, size)).toEqual(['db 3']);
    expect(await names(`node_id=${nodeId}&name_prefix=db%202`, size)).toEqual(['db 2']);
  }
});

test('the services of a node that is not there: 404', async () => {
  expect(await inventory.request('GET', '/v1/services?node_id=nope')).toMatchObject({
    status: 404,
    body: { message: 'Node with ID "nope" not found.' },
  });
});
