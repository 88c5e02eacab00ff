import { addAgent, addHost, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const list = async (query: string) => {
  const agents: { agent_type: string; agent_id: string }[] = [];
  for (let token = ''; ;) {
    const reply = await inventory.request('GET', `/v1/agents?page_size=2${query}${token}`, { as: 'Viewer' });
    expect(reply.status).toBe(200);
    agents.push(...reply.body.agents);
    if (reply.body.next_page_token === undefined) return agents;
    token = `&page_token=${reply.body.next_page_token}`;
  }
};

test('every relation selects agents, with and without a type, sorted by type, then id', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const other = await addHost(inventory);
  const { service_id: serviceId } = await addService(inventory);
  const node = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const insights = { service_ids: [serviceId] };
  const exporters = [];
  for (let i = 0; i < 3; i += 1)
    exporters.push(await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights }));
  const far = await addAgent(inventory, {
    agent_type: 'external_exporter',
    listen_port: 1,
    insights: { node_ids: [nodeId], ...insights },
  });

  const ids = (agents: { agent_id: string }[]) => agents.map(({ agent_id: id }) => id);
  const sorted = ids(exporters).sort();
  expect(ids(await list(`&runs_on_node_id=${nodeId}`))).toEqual([...sorted, node.agent_id, pmmAgentId]);
  expect(ids(await list(`&pmm_agent_id=${pmmAgentId}`))).toEqual([...sorted, node.agent_id]);
  expect(ids(await list(`&node_id=${nodeId}`))).toEqual([far.agent_id, node.agent_id]);
  expect(ids(await list(`&service_id=${serviceId}`))).toEqual([far.agent_id, ...sorted]);
  expect(ids(await list(`&service_id=${serviceId}&agent_type=mysqld_exporter`))).toEqual(sorted);
  expect(ids(await list(`&node_id=${nodeId}&agent_type=pmm_agent`))).toEqual([]);
  expect(ids(await list('&agent_type=pmm_agent'))).toEqual([pmmAgentId, other.pmmAgentId].sort());
  expect((await list('')).length).toBe(7);
});

test('several ids of a relation list each agent once, in list order', async () => {
  const hosts = [await addHost(inventory), await addHost(inventory), await addHost(inventory)];
  const services = [await addService(inventory), await addService(inventory)];
  const serviceIds = services.map(({ service_id: id }) => String(id));
  const watch = async (host: number, ids: string[]) => {
    const { agent_id: id } = await addAgent(inventory, {
      agent_type: 'mysqld_exporter',
      pmm_agent_id: hosts[host]?.pmmAgentId,
      insights: { service_ids: ids },
    });
    return String(id);
  };
  const agents = [await watch(0, serviceIds.slice(0, 1)), await watch(1, serviceIds), await watch(2, [])];
  const idsFor = async (query: string) => (await list(query)).map(({ agent_id: id }) => id);
  const [first, second] = hosts.map(({ nodeId }) => nodeId);
  const processes = hosts.map(({ pmmAgentId }) => pmmAgentId);
  expect(await idsFor(`&service_id=${serviceIds.join(',')}`)).toEqual(agents.slice(0, 2).sort());
  expect(await idsFor(`&pmm_agent_id=${processes.join(',%20')},nope`)).toEqual(agents.toSorted());
  const types = `&agent_type=pmm_agent`;
  expect(await idsFor(`&runs_on_node_id=${first},${second},${first}${types}`)).toEqual(processes.slice(0, 2).sort());
});

test.each(['a,', ',', 'x'.repeat(37), Array.from({ length: 51 }, (_, index) => index).join()])(
  'ids that match no object, and too many ids, are a 400 (%#)',
  async (ids) => {
    const reply = await inventory.request('GET', `/v1/agents?service_id=${ids}`);
    expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'service_id' }] } });
  },
);

test('two relations at once are refused, and the error names both', async () => {
  const reply = await inventory.request('GET', '/v1/agents?node_id=a&service_id=b');
  expect(reply).toMatchObject({
    status: 400,
    body: { code: 3, details: [{ field: 'node_id' }, { field: 'service_id' }] },
  });
});

test.each([
  ['runs_on_node_id', 'Node'],
  ['node_id', 'Node'],
  ['pmm_agent_id', 'Agent'],
  ['service_id', 'Service'],
])('%s of a missing object: 404', async (filter, noun) => {
  const reply = await inventory.request('GET', `/v1/agents?${filter}=nope`);
  expect(reply).toMatchObject({ status: 404, body: { message: `${noun} with ID "nope" not found.` } });
});

describe('fields that follow from reports', () => {
  let nodeId: string;
  let ids: Record<'process' | 'exporter' | 'disabled' | 'external', string>;

  beforeAll(async () => {
    const host = await addHost(inventory);
    ({ nodeId } = host);
    const node_exporter = { agent_type: 'node_exporter', pmm_agent_id: host.pmmAgentId, listen_port: 41000 };
    const add = async (body: object) => String((await addAgent(inventory, { ...body })).agent_id);
    ids = {
      process: host.pmmAgentId,
      exporter: await add(node_exporter),
      disabled: await add({ ...node_exporter, disabled: true }),
      external: await add({ agent_type: 'external_exporter', runs_on_node_id: nodeId, listen_port: 9100 }),
    };
    const said = { agent_id: ids.exporter, status: 'running', listen_port: 42000, version: '1.9.1' };
    await inventory.request('POST', `/v1/agents/${ids.process}/report`, { body: { agents: [said] } });
  });

  /** The agents of the node by their ids. */
  async function shown(query: string): Promise<Record<string, any>> {
    return Object.fromEntries(
      (await list(`&runs_on_node_id=${nodeId}${query}`)).map((agent) => [agent.agent_id, agent]),
    );
  }

  const pick = (agent: object) => {
    const names = ['agent_type', 'state', 'connected', 'status', 'listen_port', 'version'];
    return Object.fromEntries(Object.entries(agent).filter(([name]) => names.includes(name)));
  };

  test('are absent; fields that no report replaces stay', async () => {
    const agents = await shown('');
    expect(pick(agents[ids.process])).toEqual({ agent_type: 'pmm_agent' });
    expect(pick(agents[ids.exporter])).toEqual({ agent_type: 'node_exporter' });
    expect(pick(agents[ids.disabled])).toEqual({ agent_type: 'node_exporter' });
    const external = { agent_type: 'external_exporter', listen_port: 9100, status: 'unknown' };
    expect(pick(agents[ids.external])).toEqual(external);
    for (const agent of Object.values(agents)) expect(agent).not.toHaveProperty('reported_at');
  });

  test.each(['&include=state', '&state=live'])('equal those of a get with %s', async (query) => {
    const agents = await shown(query);
    expect(Object.keys(agents).sort()).toEqual(Object.values(ids).sort());
    for (const [id, agent] of Object.entries(agents))
      expect(agent).toEqual((await inventory.request('GET', `/v1/agents/${id}`)).body);
    expect(agents[ids.process]).toMatchObject({ connected: true, state: 'live' });
    const reported = { status: 'running', listen_port: 42000, version: '1.9.1', state: 'live' };
    expect(agents[ids.exporter]).toMatchObject(reported);
    expect(agents[ids.external]).toMatchObject({ listen_port: 9100, status: 'unknown', state: 'live' });
  });

  test('are the reported values when requested by name', async () => {
    const agents = await shown('&fields=listen_port,disabled');
    expect(agents[ids.exporter]).toEqual({ agent_id: ids.exporter, listen_port: 42000, disabled: false });
    expect(agents[ids.disabled]).toEqual({ agent_id: ids.disabled, listen_port: 41000, disabled: true });
    const plain = await shown('&fields=disabled&include=state');
    expect(plain[ids.exporter]).toEqual({ agent_id: ids.exporter, disabled: false });
  });

  test('select the same agents by status as a get shows, also with a state and a type', async () => {
    const ofStatus = async (query: string) => Object.keys(await shown(`&fields=status&status=${query}`)).sort();
    expect(await ofStatus('running,waiting')).toEqual([ids.exporter]);
    expect(await ofStatus('waiting')).toEqual([]);
    expect(await ofStatus('done')).toEqual([ids.disabled]);
    expect(await ofStatus('unknown')).toEqual([ids.external]);
    expect(await ofStatus('running,done,unknown&state=stale,offline')).toEqual([]);
    expect(await ofStatus('running,done&state=live,stale&agent_type=node_exporter')).toEqual(
      [ids.exporter, ids.disabled].sort(),
    );
  });

  test.each(['status=running,', 'status=asleep', 'state=live,running', 'state='])('%s is refused', async (query) => {
    const reply = await inventory.request('GET', `/v1/agents?${query}`);
    const [field] = query.split('=');
    expect(reply).toMatchObject({ status: 400, body: { details: [{ field, reason: 'invalid_value' }] } });
  });

  test('include accepts no other value', async () => {
    const reply = await inventory.request('GET', '/v1/agents?include=version');
    expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'include' }] } });
  });
});
