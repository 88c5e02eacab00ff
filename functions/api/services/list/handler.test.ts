import { addHost, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

let nodeId: string;
beforeAll(async () => {
  const host = await addHost(inventory);
  ({ nodeId } = host);
  await inventory.request('POST', `/v1/agents/${host.pmmAgentId}/report`, { body: { agents: [] } });
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
  const serviceNames: string[] = [];
  for (let token = ''; ;) {
    const reply = await inventory.request('GET', `/v1/services?${query}&page_size=${size}${token}`, { as: 'Viewer' });
    expect(reply.status).toBe(200);
    serviceNames.push(...reply.body.services.map((service: { service_name: string }) => service.service_name));
    if (reply.body.next_page_token === undefined) return serviceNames;
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

test('the filter by node combines with other filters', async () => {
  for (const size of [1, 3, 100]) {
    expect(await names(`node_id=${nodeId}`, size)).toEqual(['db 0', 'db 1', 'db 2', 'db 3']);
    expect(await names(`node_id=${nodeId}&cluster=two`, size)).toEqual(['db 3']);
    expect(await names(`node_id=${nodeId}&name_prefix=db%202`, size)).toEqual(['db 2']);
  }
});

test('the filter by a missing node is a 404', async () => {
  expect(await inventory.request('GET', '/v1/services?node_id=nope')).toMatchObject({
    status: 404,
    body: { message: 'Node with ID "nope" not found.' },
  });
});

test('a list shows the state of a service only on request, and its own version', async () => {
  const body = { service_name: 'stated', node_ids: [nodeId], version: '8.4' };
  const service = await addService(inventory, body);
  const listStated = async (query: string) => {
    const reply = await inventory.request('GET', `/v1/services?name_prefix=stated${query}`);
    return reply.body.services;
  };
  const whole = (await inventory.request('GET', `/v1/services/${service.service_id}`)).body;
  expect(whole).toEqual({ ...service, state: 'live', reported_at: expect.any(String) });
  for (const relation of ['', `&node_id=${nodeId}`]) {
    expect(await listStated(relation)).toEqual([service]);
    for (const query of ['&include=state', '&state=live'])
      expect([query, await listStated(relation + query)]).toEqual([query, [whole]]);
    const { service_id } = service;
    expect(await listStated(`${relation}&fields=state`)).toEqual([{ service_id, state: 'live' }]);
    expect(await listStated(`${relation}&fields=version`)).toEqual([{ service_id, version: '8.4' }]);
  }
});

test('include accepts no other value', async () => {
  const reply = await inventory.request('GET', '/v1/services?include=status');
  expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'include' }] } });
});
