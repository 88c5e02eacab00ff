import { addHost, addNode } from '../../../tests/support/add.ts';
import { sampleOf } from '../../../tests/pmm/objects.ts';
import { CANARY, uniqueName } from '../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';
import { agentDeclaration } from '../declarations/agents.ts';
import { managedServices } from '../declarations/management.ts';

const { inventory, client, refusal, registeredHost } = await startPmmInventory();

const SERVICES = '/v1/management/services';

describe.each(managedServices)('$key', ({ key, title, agents, required, service: type }) => {
  const message = async () => {
    const { nodeId, pmmAgentId } = await registeredHost();
    const flags = Object.fromEntries(agents.flatMap(({ flag }) => (flag === undefined ? [] : [[flag, true]])));
    const fields = agents.map((agent) => sampleOf(agentDeclaration(agent.type).fields));
    return {
      ...Object.assign({}, ...fields),
      ...{ ...flags, service_name: uniqueName('service'), node_id: nodeId, pmm_agent_id: pmmAgentId },
      ...(key === 'external' ? { runs_on_node_id: nodeId } : { runs_on_node_id: undefined }),
      ...{ address: '10.0.0.1', port: 3306, custom_labels: { team: 'shop' }, metrics_mode: 'METRICS_MODE_AUTO' },
      ...{ skip_connection_check: true, disable_collectors: null, max_slowlog_file_size: '0' },
    } as Record<string, unknown>;
  };

  test('is added with all its agents in one reply, and removed with them by its name', async () => {
    const sent = await message();
    const reply = (await client.post(SERVICES, { [key]: sent }))[key];
    expect(reply.service).toMatchObject({ service_name: sent['service_name'], custom_labels: { team: 'shop' } });
    const { service_id: serviceId } = reply.service;
    for (const { reply: name, type: agentType } of agents) {
      const labels = agentType === 'external_exporter' ? { team: 'shop' } : {};
      expect(reply[name]).toMatchObject({ service_id: serviceId, custom_labels: labels });
    }
    const listed = await client.get(`/v1/inventory/agents?service_id=${serviceId}`);
    for (const agent of agents) expect(listed[agent.type]).toEqual([reply[agent.reply]]);
    expect(reply[agents[0]!.reply].push_metrics_enabled).toBe(false);
    const other = type === 'mysql' ? 'MONGODB' : 'MYSQL';
    const path = `${SERVICES}/${encodeURIComponent(String(sent['service_name']))}`;
    expect((await client.send('DELETE', `${path}?service_type=SERVICE_TYPE_${other}_SERVICE`)).body).toMatchObject({
      ...{ code: 3, message: 'wrong service type' },
    });
    expect(await client.remove(`${path}?service_type=SERVICE_TYPE_${type.toUpperCase()}_SERVICE`)).toEqual({});
    for (const { reply: name } of agents)
      expect((await client.send('GET', `/v1/inventory/agents/${reply[name].agent_id}`)).status).toBe(404);
  });

  test('is refused with its first missing field, needs one node, and is not added when an agent is refused', async () => {
    const sent = await message();
    const given: Record<string, unknown> = {};
    for (const name of required) {
      const shown = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
      const rule =
        name === 'listen_port' ? 'value must be inside range (0, 65536)' : 'value length must be at least 1 runes';
      expect((await client.send('POST', SERVICES, { [key]: given })).body.message).toBe(
        `invalid Add${title}ServiceParams.${shown}: ${rule}`,
      );
      given[name] = sent[name];
    }
    const rule = 'expected only one param; node id, node name or register node params';
    for (const place of [{ node_id: '', runs_on_node_id: undefined }, { node_name: 'x' }])
      expect((await client.send('POST', SERVICES, { [key]: { ...sent, ...place } })).body.message).toBe(rule);
    if (key === 'haproxy' || key === 'external') return;
    const name = uniqueName('refused');
    const refused = await client.send('POST', SERVICES, { [key]: { ...sent, service_name: name, pmm_agent_id: 'x' } });
    expect([refused.status, refused.body.message]).toEqual([404, 'Agent with ID x not found.']);
    expect(JSON.stringify(await client.get('/v1/inventory/services'))).not.toContain(name);
  });
});

test('a service is added on a new remote node with its own address', async () => {
  const name = uniqueName('serverless');
  const add = { node_type: 'NODE_TYPE_REMOTE_NODE', node_name: name };
  const sent = { add_node: add, address: '127.0.0.1', service_name: name, listen_port: 9093, group: 'external' };
  const { external } = await client.post(SERVICES, { external: { ...sent, metrics_mode: 'METRICS_MODE_PULL' } });
  expect(external.external_exporter).toMatchObject({ runs_on_node_id: external.service.node_id, listen_port: 9093 });
  expect(await client.get(`/v1/inventory/nodes/${external.service.node_id}`)).toMatchObject({
    remote: { address: name },
  });
  const refused = { ...sent, address: '', add_node: { ...add, node_name: uniqueName('s') } };
  expect((await client.send('POST', SERVICES, { external: refused })).body.message).toBe(
    "address can't be empty for add node request.",
  );
});

test('an RDS database is added with node, service and exporters', async () => {
  const { pmmAgentId } = await registeredHost();
  const sent = {
    ...{ region: 'us-east-1', instance_id: uniqueName('rds'), address: 'db.example', port: 3306, username: 'u' },
    ...{
      engine: 'DISCOVER_RDS_ENGINE_MYSQL',
      rds_exporter: true,
      qan_mysql_perfschema: true,
      pmm_agent_id: pmmAgentId,
    },
    ...{ aws_secret_key: CANARY, password: CANARY, az: 'us-east-1b' },
  };
  const { rds } = await client.post(SERVICES, { rds: sent });
  expect(rds).toMatchObject({
    node: {
      node_name: sent.instance_id,
      address: sent.instance_id,
      instance_id: sent.instance_id,
      region: 'us-east-1',
    },
    mysql: { service_name: sent.instance_id, address: 'db.example' },
    rds_exporter: { node_id: rds.node.node_id },
    qan_mysql_perfschema: { service_id: rds.mysql.service_id },
  });
  const other = { mysql: { node_id: rds.node.node_id, service_name: uniqueName('second'), socket: '/s' } };
  const { mysql: second } = await client.post('/v1/inventory/services', other);
  const status = async (path: string) => (await client.send('GET', `/v1/inventory/${path}`)).status;
  // The node stays while another service is on it, and goes with the last one, with its exporter.
  await client.remove(`/v1/inventory/services/${second.service_id}?force=true`);
  expect(await status(`nodes/${rds.node.node_id}`)).toBe(200);
  await client.remove(`/v1/management/services/${sent.instance_id}`);
  const gone = [`nodes/${rds.node.node_id}`, `agents/${rds.rds_exporter.agent_id}`, `services/${rds.mysql.service_id}`];
  for (const path of gone) expect([path, await status(path)]).toEqual([path, 404]);
  expect(await status(`agents/${pmmAgentId}`)).toBe(200);
});

test.each(['MYSQL', 'POSTGRESQL'])('an RDS database is added by its PMM 2 name for %s', async (engine) => {
  const { pmmAgentId } = await registeredHost();
  const sent = { region: 'us-east-1', address: 'db.example', port: 3306, username: 'u', pmm_agent_id: pmmAgentId };
  const add = (word: string | number) =>
    client.post('/v1/management/RDS/Add', { ...sent, instance_id: uniqueName('rds'), engine: word });
  const added = await add(`DISCOVER_RDS_${engine}`);
  expect(added[engine.toLowerCase()]).toMatchObject({ address: 'db.example' });
  // Names of PMM 3, and those without a prefix.
  for (const word of [`DISCOVER_RDS_ENGINE_${engine}`, engine])
    expect(Object.keys(await add(word)).sort()).toEqual(Object.keys(added).sort());
});

describe('a service with its agents', () => {
  const message = async (more: object = {}) => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const base = { node_id: nodeId, pmm_agent_id: pmmAgentId, service_name: uniqueName('s'), username: 'u' };
    return { ...base, socket: '/s', ...more };
  };

  test("has PMM's defaults instead of zero, and negative values disable", async () => {
    const limits = async (more: object) => {
      const sent = await message({ qan_mysql_slowlog: true, ...more });
      const { mysqld_exporter: exporter, qan_mysql_slowlog: log } = (await client.post(SERVICES, { mysql: sent }))
        .mysql;
      return [exporter.tablestats_group_table_limit, log.max_slowlog_file_size];
    };
    expect(await limits({})).toEqual([1000, '1073741824']);
    expect(await limits({ max_slowlog_file_size: '0' })).toEqual([1000, '1073741824']);
    expect(await limits({ tablestats_group_table_limit: -5, maxSlowlogFileSize: '-1' })).toEqual([-1, '0']);
    expect(await limits({ tablestats_group_table_limit: 5, max_slowlog_file_size: '7' })).toEqual([5, '7']);
  });

  test('needs no user name for Valkey', async () => {
    const sent = await message({ username: undefined });
    expect((await client.post(SERVICES, { valkey: sent })).valkey.valkey_exporter.username).toBe('');
  });

  test('is added to an existing host or a new remote node', async () => {
    const { node_id: remote, node_name: name } = await addNode(inventory, { node_type: 'remote' });
    const wrong = [400, 3, 'node_id or node_name can be used only for generic nodes or container nodes'];
    expect(await refusal(SERVICES, { mysql: await message({ node_id: remote }) })).toEqual(wrong);
    expect(await refusal(SERVICES, { mysql: await message({ node_id: '', node_name: name }) })).toEqual(wrong);
    const long = await message({ node_id: 'x'.repeat(3000) });
    expect((await refusal(SERVICES, { mysql: long })).slice(0, 2)).toEqual([404, 5]);
    const add = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: uniqueName('n') };
    const adding = (node: object) => message({ node_id: '', address: 'a', port: 1, socket: '', add_node: node });
    expect(await refusal(SERVICES, { mysql: await adding(add) })).toEqual([
      ...[400, 3, 'add_node structure can be used only for remote nodes'],
    ]);
    expect(await refusal(SERVICES, { mysql: await adding({ node_type: 'NODE_TYPE_REMOTE_NODE' }) })).toEqual([
      ...[400, 3, 'invalid AddNodeParams.NodeName: value length must be at least 1 runes'],
    ]);
  });

  test('is not found by a name above the maximum length', async () => {
    const long = 'n'.repeat(3000);
    const missing = (noun: string) => [404, 5, `${noun} with name "${long}" not found.`];
    expect(await refusal(SERVICES, { mysql: await message({ node_id: '', node_name: long }) })).toEqual(
      missing('Node'),
    );
    const removed = await client.send('DELETE', `${SERVICES}/${long}`);
    expect([removed.status, removed.body.code, removed.body.message]).toEqual(missing('Service'));
    const annotation = { text: 't', service_names: [long] };
    expect(await refusal('/v1/management/annotations', annotation)).toEqual(missing('Service'));
  });

  test('has its fields checked before its engine, for RDS', async () => {
    const first = 'invalid AddRDSServiceParams.Region: value length must be at least 1 runes';
    expect(await refusal(SERVICES, { rds: {} })).toEqual([400, 3, first]);
    const sent = { region: 'r', instance_id: 'i', address: 'a', port: 1, username: 'u', pmm_agent_id: 'x' };
    expect(await refusal(SERVICES, { rds: sent })).toEqual([
      ...[400, 3, 'Unsupported Engine type "DISCOVER_RDS_ENGINE_UNSPECIFIED".'],
    ]);
  });
});
