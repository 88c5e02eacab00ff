/** Each type of object through the calls of PMM 2, generated from the declarations. */
import { addableAgents, agentDeclaration } from '../../declarations/agents.ts';
import { inventoryRoutes } from '../../declarations/inventory-routes.ts';
import { nodeTypes } from '../../../domain/node/types.ts';
import { serviceTypes } from '../../../domain/service/types.ts';
import { addAgent, addHost, addService } from '../../../../tests/support/add.ts';
import { nodeSample, sampleOf, serviceSample, targetOf } from '../../../../tests/pmm/objects.ts';
import { uniqueName } from '../../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../../tests/pmm/pmm-inventory.ts';

const { inventory, client } = await startPmmInventory();

const call = (path: string, body: object) => client.post(`/v1/inventory/${path}`, body);
const refusal = async (path: string, body: object) => {
  const reply = await client.send('POST', `/v1/inventory/${path}`, body);
  return [reply.status, reply.body.code, reply.body.error];
};

const second = inventoryRoutes.filter(({ generation }) => generation === 2);
const adds = (operation: string, types: readonly string[]) =>
  second.filter((route) => route.operation === operation && types.includes(String(route.type)));

describe.each(adds('addNode', nodeTypes))('$path', ({ path, type }) => {
  const name = path.replace('/v1/inventory/', '');

  test('adds a node with a prefixed id and without zero values, which is read, listed and removed', async () => {
    const sent = nodeSample(nodeTypes.find((candidate) => candidate === type)!);
    const added = (await call(name, sent))[type!];
    expect(added.node_id).toMatch(/^\/node_id\/[0-9a-f-]{36}$/);
    expect(added).toMatchObject({ node_name: sent.node_name });
    expect(await call('Nodes/Get', { node_id: added.node_id })).toEqual({ [type!]: added });
    const bare = added.node_id.replace('/node_id/', '');
    expect(await call('Nodes/Get', { node_id: bare })).toEqual({ [type!]: added });
    const enumName = `${type!.toUpperCase()}_NODE`;
    const listed = await call('Nodes/List', { node_type: enumName });
    expect(Object.keys(listed)).toEqual([type]);
    expect(listed[type!]).toContainEqual(added);
    expect((await client.get(`/v1/inventory/nodes/${bare}`))[type!].node_id).toBe(bare);
    expect(await call('Nodes/Remove', { node_id: added.node_id })).toEqual({});
    expect(await refusal('Nodes/Get', { node_id: added.node_id })).toEqual([
      404,
      5,
      `Node with ID "${added.node_id}" not found.`,
    ]);
  });

  test('is refused with its first missing field', async () => {
    const [status, code, message] = await refusal(name, {});
    expect([status, code]).toEqual([400, 3]);
    const wanted = `invalid ${name.replace('Nodes/', '')}NodeRequest.NodeName: value length must be at least 1 runes`;
    expect(message).toBe(wanted);
  });
});

describe.each(adds('addService', serviceTypes))('$path', ({ path, type }) => {
  test('adds a service, which is listed, changed, labelled and removed', async () => {
    const { nodeId } = await addHost(inventory);
    const sent = serviceSample(
      serviceTypes.find((candidate) => candidate === type)!,
      `/node_id/${nodeId}`,
    );
    const added = (await call(path.replace('/v1/inventory/', ''), sent))[type!];
    expect(added).toMatchObject({
      node_id: `/node_id/${nodeId}`,
      service_id: expect.stringMatching(/^\/service_id\//),
    });
    const id = { service_id: added.service_id };
    expect(await call('Services/List', { node_id: nodeId, service_type: `${type!.toUpperCase()}_SERVICE` })).toEqual({
      [type!]: [added],
    });
    await call('Services/Change', { ...id, environment: 'e2', cluster: '' });
    await call('Services/CustomLabels/Add', { ...id, custom_labels: { more: 'x' } });
    await call('Services/CustomLabels/Remove', { ...id, custom_label_keys: ['team'] });
    const { cluster: _, ...rest } = added;
    expect(await call('Services/Get', id)).toEqual({
      [type!]: { ...rest, environment: 'e2', custom_labels: { more: 'x' } },
    });
    expect((await call('Services/ListTypes', {})).service_types).toContain(`${type!.toUpperCase()}_SERVICE`);
    expect(await call('Services/Remove', id)).toEqual({});
  });
});

describe.each(adds('addAgent', addableAgents))('$path', ({ path, type }) => {
  test('adds an agent, which is listed, changed and removed', async () => {
    const agentType = addableAgents.find((candidate) => candidate === type)!;
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const target = targetOf(agentType);
    const isEndpointless = target.service === 'external';
    const service = await addService(inventory, {
      ...{ service_type: target.service ?? 'mysql' },
      ...(isEndpointless ? { address: undefined, port: undefined } : {}),
    });
    const { fields, title } = agentDeclaration(agentType);
    const node =
      target.node === undefined
        ? undefined
        : (
            await call('Nodes/Add', {
              [target.node === 'remote_azure_database' ? 'remote_azure' : target.node]: nodeSample(target.node),
            })
          )[target.node].node_id;
    const sent = {
      ...sampleOf(fields),
      ...{ pmm_agent_id: `/agent_id/${pmmAgentId}`, runs_on_node_id: nodeId, service_id: service.service_id },
      ...(node === undefined ? {} : { node_id: node }),
    };
    const added = (await call(path.replace('/v1/inventory/', ''), sent))[type!];
    expect(added.agent_id).toMatch(/^\/agent_id\//);
    const id = { agent_id: added.agent_id };
    expect(await call('Agents/Get', id)).toEqual({ [type!]: added });
    const listed = await call('Agents/List', { agent_type: agentType.toUpperCase() });
    expect(listed[type!]).toContainEqual(added);
    if (agentType !== 'pmm_agent') {
      const change = (common: object) => call(`Agents/Change${title}`, { ...id, common });
      const status = agentType === 'external_exporter' ? {} : { status: 'DONE' };
      expect((await change({ disable: true }))[type!]).toMatchObject({ disabled: true, ...status });
      expect((await change({ enable: true, remove_custom_labels: true }))[type!]).not.toHaveProperty('disabled');
      expect((await call('Agents/Get', id))[type!]).not.toHaveProperty('custom_labels');
      expect((await refusal(`Agents/Change${title}`, {}))[2]).toBe(
        `invalid Change${title}Request.AgentId: value length must be at least 1 runes`,
      );
      expect(await refusal(`Agents/Change${title}`, { ...id, common: { enable: true, disable: true } })).toEqual([
        ...[400, 3, 'expected at most one param: enable or disable'],
      ]);
      const both = { enable_push_metrics: true, disable_push_metrics: true };
      expect((await refusal(`Agents/Change${title}`, { ...id, common: both }))[2]).toBe(
        'expected one of  param: enable_push_metrics or disable_push_metrics',
      );
    }
    expect(await call('Agents/Remove', id)).toEqual({});
    expect(await refusal('Agents/Get', id)).toEqual([404, 5, `Agent with ID "${added.agent_id}" not found.`]);
  });
});

test('each generation has its own words', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const service = { service_name: uniqueName('s'), node_id: nodeId, address: 'a' };
  expect(await refusal('Services/AddMySQL', service)).toEqual([400, 3, 'Port are expected to be passed with address.']);
  expect(await refusal('Agents/Remove', { agent_id: pmmAgentId })).toEqual([
    ...[400, 9, `pmm-agent with ID "${pmmAgentId}" has agents.`],
  ]);
  expect(await call('Nodes/List', { node_type: 'REMOTE_RDS_NODE' })).toEqual(expect.any(Object));
  expect(await call('Agents/GetLogs', { agent_id: pmmAgentId })).toEqual({});
  for (const [path, message] of [
    ['Nodes/Add', { generic: {} }],
    ['Services/Add', { mysql: {} }],
  ] as const)
    expect((await refusal(path, message))[2]).toMatch(/^invalid Add(GenericNode|MySQLService)Request\./);
  // The id has the prefix of the request, and no other text of the message.
  expect(await refusal('Services/Get', { service_id: '/service_id/no' })).toEqual([
    ...[404, 5, 'Service with ID "/service_id/no" not found.'],
  ]);
  expect(await refusal('Nodes/Get', {})).toEqual([
    400,
    3,
    'invalid GetNodeRequest.NodeId: value length must be at least 1 runes',
  ]);
});
