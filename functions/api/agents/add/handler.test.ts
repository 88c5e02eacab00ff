import { agentAddition } from '../../../domain/agent/schema.ts';
import { agentTypeEntry, agentTypes } from '../../../domain/agent/types.ts';
import { nodeTypes } from '../../../domain/node/types.ts';
import { serviceTypes } from '../../../domain/service/types.ts';
import { addHost, addNode, addService, unseen } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = (body: Record<string, unknown>) => inventory.request('POST', '/v1/agents', { body, as: 'Editor' });

/** The fields that a type requires besides its place. */
const needs: Record<string, object> = {
  azure_database_exporter: { azure_database_resource_type: 'mysql' },
  otel_collector: { collector_name: 'otelcol' },
  external_exporter: { listen_port: 9100 },
};

function minimal(type: string, host: { nodeId: string; pmmAgentId: string }) {
  const { place } = agentTypeEntry(type as never);
  const where = place === 'pmm_agent' ? { pmm_agent_id: host.pmmAgentId } : { runs_on_node_id: host.nodeId };
  return { agent_type: type, ...where, ...needs[type] };
}

test.each(agentTypes)('%s with only its required fields runs on the node and is in its first state', async (type) => {
  const host = await addHost(inventory);
  const reply = await add(minimal(type, host));
  expect(reply.status).toBe(201);
  expect(reply.body).toMatchObject({ agent_type: type, runs_on_node_id: host.nodeId, disabled: false, revision: 1 });
  if (type === 'pmm_agent') {
    expect(reply.body).toMatchObject({ connected: false });
    expect(reply.body).not.toHaveProperty('status');
  } else expect(reply.body).toMatchObject({ status: 'unknown' });
  expect((await inventory.request('GET', reply.headers['Location']!)).body).toEqual(unseen(reply.body));
});

/** A service and a node of each type, which agents of all types try to watch. */
const ofServiceType = new Map<string, string>();
const ofNodeType = new Map<string, string>();
beforeAll(async () => {
  for (const serviceType of serviceTypes) {
    const body = { service_type: serviceType, service_name: serviceType };
    const reachable = ['haproxy', 'external'].includes(serviceType) ? {} : { address: 'a', port: 1 };
    const service = await inventory.request('POST', '/v1/services', { body: { ...body, ...reachable } });
    ofServiceType.set(serviceType, service.body.service_id);
  }
  for (const nodeType of nodeTypes) {
    const region = nodeType.startsWith('remote_') ? { region: 'eu' } : {};
    const target = await addNode(inventory, { node_type: nodeType, ...region, address: nodeType });
    ofNodeType.set(nodeType, target.node_id);
  }
});

test.each(agentTypes)(
  '%s gives insight into exactly the types of services and nodes that its entry names',
  async (type) => {
    const host = await addHost(inventory);
    const entry = agentTypeEntry(type);
    for (const serviceType of serviceTypes) {
      const reply = await add({ ...minimal(type, host), insights: { service_ids: [ofServiceType.get(serviceType)] } });
      if (entry.services.includes(serviceType)) expect(reply.status).toBe(201);
      else
        expect(reply).toMatchObject({
          status: 400,
          body: { code: 9, message: `invalid combination of service type ${serviceType} and agent type ${type}` },
        });
    }
    for (const nodeType of nodeTypes) {
      const reply = await add({ ...minimal(type, host), insights: { node_ids: [ofNodeType.get(nodeType)] } });
      if (entry.nodes.includes(nodeType)) expect(reply.status).toBe(201);
      else
        expect(reply.body).toMatchObject({
          code: 9,
          message: `invalid combination of node type ${nodeType} and agent type ${type}`,
        });
    }
  },
);

test('a node exporter without targets watches the node that it runs on, whatever its type', async () => {
  const { node_id: nodeId } = await addNode(inventory, { node_type: 'remote' });
  const { body: process } = await add({ agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const { body } = await add({ agent_type: 'node_exporter', pmm_agent_id: process.agent_id });
  expect(body.insights).toEqual({ node_ids: [nodeId], service_ids: [] });
  expect((await inventory.request('GET', `/v1/agents?node_id=${nodeId}`)).body.agents).toHaveLength(1);
});

test('an external exporter runs on no node, or on one', async () => {
  const { body } = await add({ agent_type: 'external_exporter', listen_port: 9100 });
  expect(body).toMatchObject({ scheme: 'http', metrics_path: '/metrics', listen_port: 9100 });
  expect(body).not.toHaveProperty('runs_on_node_id');
  expect((await add({ agent_type: 'external_exporter' })).body.details).toMatchObject([
    { field: 'listen_port', reason: 'required' },
  ]);
});

test('an agent that is added disabled is done', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const { body } = await add({ agent_type: 'vm_agent', pmm_agent_id: pmmAgentId, disabled: true });
  expect(body).toMatchObject({ disabled: true, status: 'done' });
});

test('references must exist, and a pmm_agent must be one', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { body: exporter } = await add({ agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const cases: [object, number, string][] = [
    [{ agent_type: 'pmm_agent', runs_on_node_id: 'nope' }, 404, 'Node with ID "nope" not found.'],
    [{ agent_type: 'vm_agent', pmm_agent_id: 'nope' }, 404, 'Agent with ID "nope" not found.'],
    [{ agent_type: 'vm_agent', pmm_agent_id: nodeId }, 404, `Agent with ID "${nodeId}" not found.`],
    [
      { agent_type: 'vm_agent', pmm_agent_id: exporter.agent_id },
      400,
      `Agent with ID "${exporter.agent_id}" is not a pmm_agent.`,
    ],
    [
      { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights: { service_ids: ['nope'] } },
      404,
      'Service with ID "nope" not found.',
    ],
    [
      { agent_type: 'external_exporter', listen_port: 1, insights: { node_ids: ['nope'] } },
      404,
      'Node with ID "nope" not found.',
    ],
  ];
  for (const [body, status, message] of cases)
    expect(await add(body as never)).toMatchObject({ status, body: { message } });
});

test('fields of another type, of the server and credentials are refused, each by name', async () => {
  const { pmmAgentId } = await addHost(inventory);
  const given = { agent_type: 'postgres_exporter', pmm_agent_id: pmmAgentId };
  const refused = {
    runs_on_node_id: 'x',
    status: 'running',
    agent_id: 'x',
    stats_collections: [],
    password: 'hunter2',
    tls_cert: 'x',
  };
  const reply = await add({ ...given, ...refused });
  expect(reply.body.details.map(({ field }: { field: string }) => field).sort()).toEqual(Object.keys(refused).sort());
  expect(reply.text).not.toContain('hunter2');
});

test('20 targets of each kind are taken, 21 are not', async () => {
  const ids = (await Promise.all(Array.from({ length: 20 }, () => addService(inventory)))).map(
    (service) => service.service_id,
  );
  const nodes = (await Promise.all(Array.from({ length: 20 }, () => addNode(inventory)))).map((node) => node.node_id);
  const external = { agent_type: 'external_exporter', listen_port: 1 };
  expect((await add({ ...external, insights: { service_ids: ids, node_ids: nodes } })).status).toBe(201);
  expect((await add({ ...external, insights: { service_ids: [...ids, 'x'] } })).body.details).toMatchObject([
    { field: 'insights.service_ids', reason: 'out_of_range' },
  ]);
});

test('every option of every type is stored and returned', async () => {
  const host = await addHost(inventory);
  const samples: Record<string, unknown> = {
    log_level: 'debug',
    scheme: 'https',
    metrics_path: '/m',
    azure_database_resource_type: 'maria',
    metrics_resolutions: { hr: '5s', lr: '1.5s' },
    extra_dsn_params: { allowCleartextPasswords: '1' },
    rta_options: { collect_interval: '2s' },
    connection_timeout: '3s',
  };
  for (const option of agentAddition._zod.innerType.def.options) {
    const { agent_type, ...shape } = option.shape as Record<string, any>;
    const type = agent_type.def.values[0];
    const given = Object.fromEntries(
      agentTypeEntry(type).options.map((name) => {
        const inner = shape[name].def.innerType ?? shape[name];
        const value =
          samples[name] ?? { boolean: true, number: 7, array: ['a', 'b'] }[inner.def.type as string] ?? 'text';
        return [name, value];
      }),
    );
    const reply = await add({ ...minimal(type, host), ...given });
    expect(reply).toMatchObject({ status: 201, body: given });
  }
});
