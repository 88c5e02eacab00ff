/** The rules of PMM's wire format, and its errors. */
import { routes } from '../declarations/routes.ts';
import { grpcErrors } from './errors.ts';
import { createGateway } from '../../../local/gateway/gateway.ts';
import { loadFunctions } from '../../../local/gateway/functions.ts';
import { addHost, addNode, addService, addAgent } from '../../../tests/support/add.ts';
import { uniqueName } from '../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';

const { inventory, client } = await startPmmInventory();

const NODES = '/v1/inventory/nodes';
const SERVICES = '/v1/inventory/services';
const AGENTS = '/v1/inventory/agents';

describe('requests', () => {
  test('may have names in camel case, explicit nulls and unknown fields', async () => {
    const sent = { nodeName: uniqueName('n'), address: 'a', customLabels: null, machine_id: null, brand_new: { x: 1 } };
    const { generic } = await client.post(NODES, { generic: sent, container: null });
    expect(generic).toMatchObject({ node_name: sent.nodeName, machine_id: '', custom_labels: {} });
  });

  test('may have numbers as text, numbers of enumerations, and unknown names of enumerations', async () => {
    const { pmmAgentId } = await addHost(inventory);
    const { service_id: serviceId } = await addService(inventory);
    const sent = { pmm_agent_id: pmmAgentId, service_id: serviceId, username: 'u', max_slowlog_file_size: '7' };
    const add = async (more: object) =>
      (await client.post(AGENTS, { qan_mysql_slowlog_agent: { ...sent, ...more } })).qan_mysql_slowlog_agent;
    expect(await add({ max_query_length: '-1', log_level: 5 })).toMatchObject({
      ...{ max_slowlog_file_size: '7', max_query_length: -1, log_level: 'LOG_LEVEL_DEBUG' },
    });
    expect(await add({ log_level: 'LOG_LEVEL_LOUD', max_slowlog_file_size: -3 })).toMatchObject({
      ...{ max_slowlog_file_size: '0', log_level: 'LOG_LEVEL_UNSPECIFIED' },
    });
  });

  test('are refused with a value of another type, malformed JSON, a repeated name, deep nesting, or another value than an object', async () => {
    const message = async (body: unknown) => {
      const reply = await client.send('POST', NODES, body);
      expect([reply.status, reply.body.code]).toEqual([400, 3]);
      return reply.body.message as string;
    };
    expect(await message({ generic: { node_name: 7 } })).toBe('invalid value for string field node_name');
    expect(await message({ generic: [] })).toBe('invalid value for message field generic');
    for (const body of ['{"generic":', '{', '{}{}', "{'a':1}"])
      expect(await message(body)).toMatch(/^The body is not valid JSON: .*line 1, column \d+\.$/);
    expect(await message('{"generic":{},"generic":{}}')).toMatch(/^generic: Given more than once/);
    expect(await message('{"generic":{"__proto__":{}}}')).toMatch(/^generic\.__proto__: /);
    expect(await message(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`)).toMatch(/nested deeper than 32 levels/);
    expect(await message('[]')).toBe('The body is not a JSON object.');
    expect(await message({})).toBe('unsupported node type <nil>');
    expect(await message({ generic: { node_name: 'n', address: 'a', custom_labels: { '1x': 'v' } } })).toBe(
      'Invalid label name "1x".',
    );
    expect(await message({ remote_rds: { node_name: 'n', address: 'a.b', region: 'r' } })).toMatch(
      /^DB instance identifier should not contain dot/,
    );
  });

  test('are refused with two members of a oneof, or a field under both names, and write nothing', async () => {
    const name = uniqueName('n');
    const node = { node_name: name, address: 'a' };
    const message = async (method: string, path: string, body: unknown) => {
      const reply = await client.send(method, path, body);
      expect([path, reply.status, reply.body.code]).toEqual([path, 400, 3]);
      return reply.body.message as string;
    };
    const twice = (member: string, oneof: string) => `error parsing "${member}", oneof ${oneof} is already set`;
    expect(await message('POST', NODES, { generic: node, container: node })).toBe(
      twice('container', 'inventory.v1.AddNodeRequest.node'),
    );
    expect(await message('POST', SERVICES, { mysql: {}, mongodb: {} })).toBe(
      twice('mongodb', 'inventory.v1.AddServiceRequest.service'),
    );
    const both = { nodeExporter: { enable: true }, mysqld_exporter: {} };
    expect(await message('PUT', `${AGENTS}/x`, both)).toBe(
      twice('mysqld_exporter', 'inventory.v1.ChangeAgentRequest.agent'),
    );
    expect(await message('POST', '/v1/management/services', { valkey: {}, rds: {} })).toBe(
      twice('rds', 'management.v1.AddServiceRequest.service'),
    );
    expect(await message('POST', '/v1/inventory/Nodes/Add', { remote: node, generic: node })).toBe(
      twice('generic', 'inventory.AddNodeRequest.node'),
    );
    const repeated = 'duplicate field "nodeName"';
    expect(await message('POST', NODES, { generic: { ...node, nodeName: name } })).toBe(repeated);
    expect(await message('POST', '/v1/management/nodes', { node_name: name, nodeName: null })).toBe(repeated);
    expect(await message('POST', '/v1/inventory/Nodes/AddGeneric', { ...node, nodeName: 'other' })).toBe(repeated);
    expect(JSON.stringify(await client.get(NODES))).not.toContain(name);
    // A path has its own value of a field, whatever the body says.
    const { node_id: id } = await addNode(inventory);
    const { service_id: service } = await addService(inventory, { node_ids: [id] });
    await client.put(`${SERVICES}/${service}`, { serviceId: 'other', cluster: 'c' });
  });

  test("are refused for the first of several violations in PMM's order", async () => {
    const { node_id: nodeId } = await addNode(inventory);
    const message = async (service: object) =>
      (await client.send('POST', SERVICES, { mysql: { service_name: uniqueName('s'), node_id: nodeId, ...service } }))
        .body.message as string;
    const label = { custom_labels: { '1x': 'v' } };
    const long = 'x'.repeat(2000);
    expect(await message({ ...label, socket: '/s', cluster: long, environment: long })).toMatch(
      /^invalid AddMySQLServiceParams\.Environment: /,
    );
    expect(await message({ ...label, socket: '/s', cluster: long })).toMatch(/\.Cluster: /);
    expect(await message({ ...label, socket: '/s', address: 'a', port: 1 })).toBe(
      'Socket and address cannot be specified together.',
    );
    expect(await message({ ...label, socket: '/s' })).toBe('Invalid label name "1x".');
  });

  test('are refused if compressed, with a message that says so', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const { status, body } = await client.send('POST', NODES, { generic: {} }, { headers });
    expect([status, body.code, body.message]).toEqual([
      ...[400, 3, 'The body is compressed (Content-Encoding). Send it without compression.'],
    ]);
  });

  test('with an empty id are refused, and do not become a list', async () => {
    for (const [path, field] of [
      [NODES, 'GetNodeRequest.NodeId'],
      [SERVICES, 'GetServiceRequest.ServiceId'],
      [AGENTS, 'GetAgentRequest.AgentId'],
    ])
      expect(await client.send('GET', `${path}/`)).toMatchObject({
        ...{ status: 400, body: { code: 3, message: `invalid ${field}: value length must be at least 1 runes` } },
      });
    expect((await client.send('DELETE', `${NODES}/`)).body.message).toMatch(/^invalid RemoveNodeRequest\.NodeId: /);
  });

  test("may have flags in Go's and Python's spelling in a query", async () => {
    for (const text of ['true', 'True', '1']) {
      const { nodeId } = await addHost(inventory);
      expect(await client.remove(`${NODES}/${nodeId}?force=${text}`)).toEqual({});
    }
    const { nodeId } = await addHost(inventory);
    for (const text of ['False', '0', ''])
      expect((await client.send('DELETE', `${NODES}/${nodeId}?force=${text}`)).body.code).toBe(9);
    expect((await client.send('DELETE', `${NODES}/${nodeId}?force=yes`)).body).toMatchObject({
      ...{ code: 3, message: 'invalid value for bool field force' },
    });
  });

  test("may contain ids with PMM 2's prefix", async () => {
    const node = await addNode(inventory);
    const path = `${NODES}/${encodeURIComponent(`/node_id/${node.node_id}`)}`;
    expect(await client.get(path)).toMatchObject({ generic: { node_id: node.node_id } });
  });
});

describe('replies', () => {
  test('are JSON, indented by two spaces, with every zero value', async () => {
    const node = await addNode(inventory);
    const { text, headers } = await client.send('GET', `${NODES}/${node.node_id}`);
    expect(text).toMatch(/^\{\n  "generic": \{\n    "node_id": /);
    expect(headers).toMatchObject({ 'Content-Type': 'application/json' });
    expect(JSON.parse(text).generic).toMatchObject({ machine_id: '', az: '', custom_labels: {} });
  });

  test('to health checks are exactly {}, without credentials', async () => {
    for (const path of ['/ping', '/v1/readyz', '/v1/server/readyz', '/v1/server/leaderHealthCheck'])
      expect(await client.send('GET', path, undefined, { as: null })).toMatchObject({ status: 200, text: '{}' });
  });

  test('with the version contain what clients compare, and errors on request', async () => {
    const version = await client.get('/v1/server/version');
    expect(version).toMatchObject({ version: expect.stringMatching(/^3\./), managed: { version: version.version } });
    expect(await client.get('/managed/v1/version')).toMatchObject({ version: expect.stringMatching(/^2\./) });
    for (const [code, [name, http]] of grpcErrors.entries()) {
      if (code === 0) continue;
      const reply = await client.send('GET', `/v1/server/version?dummy=grpccode-${code}`);
      expect([reply.status, reply.body.code, reply.body.message]).toEqual([http, code, `gRPC code ${code} (${name})`]);
    }
    expect(await client.send('GET', '/v1/server/version?dummy=panic-error')).toMatchObject({
      ...{ status: 500, body: { code: 13, message: 'Internal server error.' } },
    });
    expect((await client.send('GET', '/v1/server/version?dummy=other')).status).toBe(200);
  });

  test('show all settings to an Admin, and the read-only ones to every role', async () => {
    expect((await client.get('/v1/server/settings')).settings).toMatchObject({ metrics_resolutions: { hr: '5s' } });
    expect((await client.get('/v1/server/settings/readonly', { as: 'Viewer' })).settings).toHaveProperty(
      'advisor_enabled',
    );
    for (const as of ['Viewer', 'Editor'] as const)
      expect(await client.send('GET', '/v1/server/settings', undefined, { as })).toMatchObject({
        ...{ status: 401, body: { code: 7, message: 'Access denied.' } },
      });
  });
});

describe('the setting pmmCompatibility', () => {
  test('removes the calls: their paths are unknown', async () => {
    const gateway = createGateway(await loadFunctions({ ...inventory.dependencies, pmmCompatibility: false }));
    const rawHeaders = ['Authorization', `Bearer ${inventory.keys.Admin}`];
    const statusOf = async (url: string) =>
      (await gateway({ method: 'GET', url, rawHeaders, body: '', sourceIp: '' })).statusCode;
    expect(await Promise.all([NODES, '/ping', '/v1/server/version', '/v1/nodes'].map(statusOf))).toEqual([
      ...[404, 404, 404, 200],
    ]);
  });
});

describe('errors', () => {
  test('for paths: unknown ones, other methods, and parts of PMM outside the inventory', async () => {
    expect(await client.send('GET', '/v1/inventory/nothing')).toMatchObject({
      ...{ status: 404, body: { code: 5, message: 'Endpoint not found: /v1/inventory/nothing, http method: GET' } },
    });
    expect(await client.send('PUT', NODES, {})).toMatchObject({ status: 404, body: { code: 5 } });
    const outside = routes.filter(({ operation }) => operation === 'unimplemented');
    expect(outside.length).toBeGreaterThan(20);
    for (const { method, path } of outside) {
      const called = path.replace('{call+}', 'x');
      const reply = await client.send(
        method === 'ANY' ? 'GET' : method,
        called,
        method === 'GET' || method === 'ANY' ? undefined : {},
      );
      expect([called, reply.status, reply.body.code]).toEqual([called, 501, 12]);
    }
    // PMM's user of the session: these paths are those of the users of this service, with its own methods.
    for (const method of ['GET', 'PUT']) {
      const { status, body } = await client.send(method, '/v1/users/me', method === 'GET' ? undefined : {});
      expect([method, status, body]).toEqual([
        ...[method, 405],
        expect.objectContaining({ code: 12, error: body.message, message: expect.any(String), details: [] }),
      ]);
    }
  });

  test('for references: used nodes, used agents, agents of another service type', async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const { service_id: serviceId } = await addService(inventory, { node_ids: [nodeId] });
    await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    const send = async (method: string, path: string, body?: object) => {
      const reply = await client.send(method, path, body);
      return [reply.status, reply.body.code, reply.body.message];
    };
    expect(await send('DELETE', `${NODES}/${nodeId}`)).toEqual([400, 9, `Node with ID "${nodeId}" has agents.`]);
    expect(await send('DELETE', `${AGENTS}/${pmmAgentId}`)).toEqual([
      ...[400, 9, `pmm-agent with ID ${pmmAgentId} has agents.`],
    ]);
    const wrong = { mongodb_exporter: { pmm_agent_id: pmmAgentId, service_id: serviceId } };
    expect(await send('POST', AGENTS, wrong)).toEqual([
      ...[400, 9, 'invalid combination of service type mysql and agent type mongodb_exporter'],
    ]);
    expect(await send('DELETE', `${NODES}/pmm-server?force=true`)).toEqual([
      403,
      7,
      "PMM Server node can't be removed.",
    ]);
    expect(await send('DELETE', `${AGENTS}/pmm-server`)).toEqual([403, 7, "pmm-agent on PMM Server can't be removed."]);
    expect(await client.remove(`${NODES}/${nodeId}?force=true`)).toEqual({});
    for (const path of [`${SERVICES}/${serviceId}`, `${AGENTS}/${pmmAgentId}`])
      expect((await client.send('GET', path)).status).toBe(404);
  });

  test('for taken names, DSN parameters, and a change of another type', async () => {
    const { pmmAgentId } = await addHost(inventory);
    const { service_id: serviceId, service_name: name } = await addService(inventory);
    const node = await addNode(inventory, { region: uniqueName('r'), address: '10.1.1.1' });
    const message = async (method: string, path: string, body: object) =>
      (await client.send(method, path, body)).body.message;
    expect(await message('POST', NODES, { generic: { node_name: node.node_name, address: 'a' } })).toBe(
      `Node with name "${node.node_name}" already exists.`,
    );
    const place = { node_name: uniqueName('n'), address: '10.1.1.1', region: node.region };
    expect(await message('POST', NODES, { generic: place })).toBe(
      `Node with address "10.1.1.1" and region "${node.region}" already exists.`,
    );
    const service = { service_name: name, node_id: node.node_id, socket: '/s' };
    expect(await message('POST', SERVICES, { mysql: service })).toBe(`Service with name "${name}" already exists.`);
    const agent = { pmm_agent_id: pmmAgentId, service_id: serviceId, username: 'u' };
    expect(await message('POST', AGENTS, { mysqld_exporter: { ...agent, extra_dsn_params: { x: '1' } } })).toBe(
      'Unsupported DSN parameter: x',
    );
    const { mysqld_exporter: added } = await client.post(AGENTS, { mysqld_exporter: agent });
    expect(await client.send('PUT', `${AGENTS}/${added.agent_id}`, { node_exporter: { enable: false } })).toMatchObject(
      {
        ...{ status: 400, body: { code: 3 } },
      },
    );
    expect(await client.send('PUT', `${SERVICES}/${serviceId}`, { external_group: 'g' })).toMatchObject({
      ...{ status: 400, body: { code: 3 } },
    });
  });
});
