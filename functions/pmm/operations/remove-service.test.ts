import { addAgent, addNode, addService } from '../../../tests/support/add.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';

const { inventory } = await startPmmInventory();

const remove = async (body: object) => {
  const { status, body: reply } = await inventory.request('POST', '/v1/management/Service/Remove', { body });
  return [status, reply.code, reply.message];
};

const statusOf = async (id: string) => (await inventory.request('GET', `/v1/services/${id}`)).status;

test('a removal of generation 2 requires exactly one of id and name', async () => {
  const service = await addService(inventory);
  const other = await addService(inventory);
  const both = [400, 3, 'service_id or service_name expected; not both'];
  for (const name of [other.service_name, service.service_name])
    expect(await remove({ service_id: service.service_id, service_name: name })).toEqual(both);
  expect(await remove({ service_id: other.service_id, service_name: 'missing' })).toEqual(both);
  expect(await remove({ service_id: '', service_name: '' })).toEqual([
    ...[400, 3, 'service_id or service_name expected'],
  ]);
  expect([await statusOf(service.service_id), await statusOf(other.service_id)]).toEqual([200, 200]);
  expect(await remove({ service_id: service.service_id, service_name: '' })).toEqual([200, undefined, undefined]);
  expect(await remove({ service_name: other.service_name })).toEqual([200, undefined, undefined]);
  expect([await statusOf(service.service_id), await statusOf(other.service_id)]).toEqual([404, 404]);
});

test('a removal of generation 3 takes the id or name from the path, which has no other parameter', async () => {
  const service = await addService(inventory, { service_name: 'by-name' });
  const path = `/v1/management/services/${service.service_name}?service_name=other`;
  expect((await inventory.request('DELETE', path)).status).toBe(200);
  expect(await statusOf(service.service_id)).toBe(404);
});

test('the node of a removed database stays while an agent runs on it', async () => {
  const { node_id: id } = await addNode(inventory, {
    node_type: 'remote_rds',
    region: 'us-east-1',
    address: 'database',
  });
  const service = await addService(inventory, { node_ids: [id] });
  await addAgent(inventory, { agent_type: 'external_exporter', runs_on_node_id: id, listen_port: 1 });
  expect(await remove({ service_id: service.service_id })).toEqual([200, undefined, undefined]);
  expect(await statusOf(service.service_id)).toBe(404);
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(200);
});
