import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const remove = (id: string, query = '', headers = {}) =>
  inventory.request('DELETE', `/v1/nodes/${id}${query}`, { headers, as: 'Editor' });
const get = async (path: string) => (await inventory.request('GET', path)).body;
const gone = async (path: string) => (await inventory.request('GET', path)).status === 404;

test('a node without dependants is removed, and its name, address and container id are free', async () => {
  const fields = { node_type: 'container', node_name: 'again', address: 'a', region: 'r', container_id: 'c' };
  for (let i = 0; i < 2; i += 1) {
    const { node_id: id } = await addNode(inventory, fields);
    expect(await remove(id)).toMatchObject({ status: 204, text: '' });
    expect(await gone(`/v1/nodes/${id}`)).toBe(true);
    expect((await remove(id)).status).toBe(404);
  }
});

test('the refusal names the dependants: agents with insight into the node, then pmm_agents, then services', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { service_id: serviceId } = await addService(inventory, { node_ids: [nodeId] });
  const { agent_id: exporter } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const refusal = async () => (await remove(nodeId)).body;
  expect(await refusal()).toMatchObject({ code: 9, message: `Node with ID "${nodeId}" has agents.` });
  await inventory.request('DELETE', `/v1/agents/${exporter}`);
  expect(await refusal()).toMatchObject({ code: 9, message: `Node with ID "${nodeId}" has pmm-agent.` });
  await inventory.request('DELETE', `/v1/agents/${pmmAgentId}`);
  expect(await refusal()).toMatchObject({ code: 9, message: `Node with ID "${nodeId}" has services.` });
  await inventory.request('DELETE', `/v1/services/${serviceId}`);
  expect((await remove(nodeId)).status).toBe(204);
});

test('with force, objects that run only on the node are removed, others lose it, and remote agents lose the target', async () => {
  const here = await addHost(inventory);
  const there = await addHost(inventory);
  const only = await addService(inventory, { node_ids: [here.nodeId] });
  const both = await addService(inventory, { node_ids: [here.nodeId, there.nodeId] });
  const ownExporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: here.pmmAgentId });
  const watcher = (insights: object) =>
    addAgent(inventory, { agent_type: 'external_exporter', listen_port: 1, insights });
  const ofOnly = await watcher({ service_ids: [only.service_id] });
  const ofOnlyAndNode = await watcher({ service_ids: [only.service_id], node_ids: [here.nodeId] });
  const ofBoth = await watcher({ service_ids: [only.service_id, both.service_id] });
  const ofNode = await watcher({ node_ids: [here.nodeId] });

  expect((await remove(here.nodeId, '?force=true')).status).toBe(204);

  for (const path of [
    `/v1/nodes/${here.nodeId}`,
    `/v1/agents/${here.pmmAgentId}`,
    `/v1/agents/${ownExporter.agent_id}`,
    `/v1/services/${only.service_id}`,
    `/v1/agents/${ofOnly.agent_id}`,
    `/v1/agents/${ofOnlyAndNode.agent_id}`,
  ])
    expect([path, await gone(path)]).toEqual([path, true]);
  expect(await get(`/v1/services/${both.service_id}`)).toMatchObject({ node_ids: [there.nodeId], revision: 2 });
  expect((await get(`/v1/agents/${ofBoth.agent_id}`)).insights).toEqual({
    node_ids: [],
    service_ids: [both.service_id],
  });
  expect((await get(`/v1/agents/${ofNode.agent_id}`)).insights).toEqual({ node_ids: [], service_ids: [] });
  expect((await get(`/v1/agents/${there.pmmAgentId}`)).agent_id).toBe(there.pmmAgentId);
});

test('a forced removal of 100 dependants, more than a transaction holds, succeeds', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const service = await addService(inventory, { node_ids: [nodeId] });
  const body = {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: pmmAgentId,
    insights: { service_ids: [service.service_id] },
  };
  const operations = Array.from({ length: 100 }, () => ({ op: 'addAgent', body }));
  const added = await inventory.request('POST', '/v1/batch', { body: { operations } });
  expect(new Set(added.body.results.map(({ status }: { status: number }) => status))).toEqual(new Set([201]));
  expect((await remove(nodeId, '?force=true')).status).toBe(204);
  expect((await get(`/v1/agents?agent_type=mysqld_exporter`)).agents).toEqual([]);
  expect(await gone(`/v1/services/${service.service_id}`)).toBe(true);
});

test('If-Match applies, and force must be true or false', async () => {
  const { node_id: id } = await addNode(inventory);
  expect((await remove(id, '', { 'If-Match': '"2"' })).status).toBe(412);
  expect((await remove(id, '?force=yes')).body.details).toEqual([
    { field: 'force', reason: 'invalid_type', message: 'Must be true or false.' },
  ]);
  expect((await remove(id, '?force=false', { 'If-Match': '"1"' })).status).toBe(204);
});
