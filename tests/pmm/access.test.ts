/** The roles and credentials of PMM's calls; and that no credential of a request stays anywhere. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { agentDeclaration, addableAgents } from '../../functions/pmm/declarations/agents.ts';
import { routes } from '../../functions/pmm/declarations/routes.ts';
import { roles } from '../../shared/auth/roles.ts';
import { addAgent, addHost, addService } from '../support/add.ts';
import { CANARY, uniqueName } from './pmm-client.ts';
import { startPmmInventory } from './pmm-inventory.ts';

const { inventory, client } = await startPmmInventory();

const NODES = '/v1/inventory/nodes';
const SERVICES = '/v1/inventory/services';
const AGENTS = '/v1/inventory/agents';

describe('access', () => {
  // The keys facade has the form of Grafana and its own test.
  const served = routes.filter(
    ({ operation, role, facade }) => operation !== 'unimplemented' && role !== 'none' && facade !== 'keys',
  );
  const callOf = ({ method, path }: (typeof served)[number], as: (typeof roles)[number] | null) =>
    inventory.request(method, path.replaceAll(/\{[^}]+\}/g, 'x'), {
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      as,
    });

  test.each(served)('$method $path: 401 without credentials, and 401 with code 7 for a lower role', async (route) => {
    const anonymous = await callOf(route, null);
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 16]);
    for (const role of roles) {
      const ranks = ['Viewer', 'Editor', 'Admin'];
      const may = role === 'Registrar' ? route.isScoped === true : ranks.indexOf(role) >= ranks.indexOf(route.role);
      const reply = await callOf(route, role);
      const isRefused = reply.status === 401 && reply.body.code === 7 && reply.body.message === 'Access denied.';
      expect([role, isRefused]).toEqual([role, !may]);
    }
  });

  test('a Viewer reads, an Editor changes, and only an Admin reads the settings', () => {
    for (const { operation, role } of served) {
      const isRead = /^(list|get)/.test(operation);
      const wanted = operation === 'getSettings' ? 'Admin' : isRead ? 'Viewer' : 'Editor';
      expect([operation, role]).toEqual([operation, wanted]);
    }
  });

  test("works with every form of PMM's credentials", async () => {
    const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const key = inventory.keys.Admin;
    const forms = [
      `Bearer ${key}`,
      basic('api_key', key),
      basic('service_token', key),
      basic('admin', 'correct horse battery staple'),
    ];
    for (const Authorization of forms)
      expect((await client.send('GET', NODES, undefined, { as: null, headers: { Authorization } })).status).toBe(200);
    const wrong = await client.send('GET', NODES, undefined, {
      as: null,
      headers: { Authorization: basic('bad', 'wrong') },
    });
    expect([wrong.status, wrong.body.code]).toEqual([401, 16]);
  });
});

describe('the key of a host', () => {
  test('registers its own host and adds services only there', async () => {
    const token = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: uniqueName('token') } });
    const node = { node_type: 'generic', node_name: uniqueName('own'), address: '127.0.0.9' };
    const enrolled = await inventory.request('POST', '/v1/enrolment', {
      ...{ body: { token: token.body.token, node: { ...node, address: '10.7.7.7' } }, as: null, sourceIp: '10.7.7.7' },
    });
    expect([enrolled.status, enrolled.text]).toEqual([201, expect.any(String)]);
    const headers = { Authorization: `Bearer ${enrolled.body.api_key.key}` };
    const asHost = { as: null, headers, sourceIp: '10.7.7.7' } as const;
    const sent = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: node.node_name, address: '10.7.7.7' };
    const { generic_node: shown, pmm_agent: process } = await client.post('/v1/management/nodes', sent, asHost);
    expect(shown.node_id).toBe(enrolled.body.node.node_id);
    expect((await client.send('POST', '/v1/management/nodes', sent, asHost)).status).toBe(409);
    const service = {
      node_id: shown.node_id,
      pmm_agent_id: process.agent_id,
      service_name: uniqueName('own'),
      username: 'u',
      socket: '/s',
    };
    expect(
      (await client.post('/v1/management/services', { mysql: service }, asHost)).mysql.mysqld_exporter.service_id,
    ).toMatch(/-/);
    const foreign = await addHost(inventory);
    await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: foreign.pmmAgentId });
    await addService(inventory, { node_ids: [foreign.nodeId] });
    const elsewhere = {
      ...service,
      service_name: uniqueName('x'),
      node_id: foreign.nodeId,
      pmm_agent_id: foreign.pmmAgentId,
    };
    const refused = await client.send('POST', '/v1/management/services', { mysql: elsewhere }, asHost);
    expect([refused.status, refused.body.code]).toEqual([403, 7]);
    const listed = async (path: string) =>
      Object.values<any[]>(await client.get(path, asHost)).flatMap((group) => group);
    expect((await listed(NODES)).map((object) => object.node_id)).toEqual([shown.node_id]);
    expect((await listed(SERVICES)).map((object) => object.node_id)).toEqual([shown.node_id]);
    const agents = await listed(AGENTS);
    expect(agents.length).toBeGreaterThan(2);
    for (const agent of agents) expect(agent.pmm_agent_id ?? agent.agent_id).toBe(process.agent_id);
    for (const query of [`pmm_agent_id=${foreign.pmmAgentId}`, 'pmm_agent_id=none', `node_id=${foreign.nodeId}`])
      expect(await listed(`${AGENTS}?${query}`)).toEqual([]);
    expect(await listed(`${SERVICES}?node_id=${foreign.nodeId}`)).toEqual([]);
    const other = { ...sent, node_name: uniqueName('other') };
    // An unknown name and the name of another host look the same.
    const { node_name: foreignName } = (await inventory.request('GET', `/v1/nodes/${foreign.nodeId}`)).body;
    const foreignService = uniqueName('foreign');
    await addService(inventory, { node_ids: [foreign.nodeId], service_name: foreignService });
    const answers = [
      await client.send('POST', '/v1/management/nodes', other, asHost),
      await client.send('POST', '/v1/management/nodes', { ...sent, node_name: foreignName }, asHost),
      await client.send('POST', '/v1/management/nodes', { ...sent, node_name: foreignName, reregister: true }, asHost),
      await client.send('DELETE', '/v1/management/services/unknown', undefined, asHost),
      await client.send('DELETE', `/v1/management/services/${foreignService}`, undefined, asHost),
    ];
    for (const name of ['unknown', foreignName]) {
      const mysql = { ...elsewhere, service_name: uniqueName('y'), node_id: '', node_name: name };
      answers.push(await client.send('POST', '/v1/management/services', { mysql }, asHost));
    }
    for (const answer of answers)
      expect([answer.status, answer.body.message]).toEqual([403, 'Access denied: this key is bound to another node.']);
  });
});

test('no credential of a request is stored, logged or in a reply', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const replies: string[] = [];
  const canaries = addableAgents.flatMap((type) =>
    agentDeclaration(type).fields.flatMap(({ add, isCredential }) =>
      isCredential === true && add !== undefined ? [add] : [],
    ),
  );
  expect(new Set(canaries)).toContain('password');
  const secrets = Object.fromEntries(canaries.map((name) => [name, CANARY]));
  for (const type of addableAgents) {
    const sent = { pmm_agent_id: pmmAgentId, runs_on_node_id: nodeId, username: 'u', ...secrets };
    replies.push((await client.send('POST', AGENTS, { [type]: sent })).text);
    replies.push((await client.send('PUT', `${AGENTS}/x`, { [type]: sent })).text);
  }
  const host = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: uniqueName('h'), address: 'h', ...secrets };
  replies.push((await client.send('POST', '/v1/management/nodes', host)).text);
  const service = {
    service_name: uniqueName('s'),
    node_id: nodeId,
    pmm_agent_id: pmmAgentId,
    username: 'u',
    socket: '/s',
    ...secrets,
  };
  for (const key of ['mysql', 'mongodb', 'postgresql', 'proxysql', 'valkey', 'rds'])
    replies.push((await client.send('POST', '/v1/management/services', { [key]: service })).text);
  const { client: table, name: TableName } = inventory.table;
  const { Items = [] } = await table.send(new ScanCommand({ TableName, ConsistentRead: true }));
  expect(Items.length).toBeGreaterThan(10);
  expect(JSON.stringify(Items)).not.toContain(CANARY);
  expect(JSON.stringify(inventory.logged)).not.toContain(CANARY);
  expect(replies.join('')).not.toContain(CANARY);
});
