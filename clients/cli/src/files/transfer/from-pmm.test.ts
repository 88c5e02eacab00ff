import { checkInvariants } from '../../../../../tests/consistency/invariants.ts';
import { agents, ids, nodes, services } from '../../../../../tests/bulk/pmm-replies.ts';
import { useInventory } from '../../../../../tests/support/fixtures.ts';
import { fromPmm } from './from-pmm.ts';

const { lines, remarks, problems } = fromPmm([agents, nodes, services]);

const byId = (id: string) =>
  lines
    .map(({ object }) => object as any)
    .find((candidate) => [candidate.node_id, candidate.service_id, candidate.agent_id].includes(id));
const agent = (last: number) => byId(`9e107d9d-372b-4b68-9a5d-2f0e1c3b5a0${last}`);
const said = (about: RegExp, field: string) =>
  remarks.filter((remark) => about.test(remark.about) && remark.field === field).map(({ message }) => message);

test('every object is converted, after the objects to which it refers', () => {
  expect(problems).toEqual([]);
  expect(lines.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 4 }, () => 'node'),
    ...Array.from({ length: 4 }, () => 'service'),
    ...Array.from({ length: 9 }, () => 'agent'),
  ]);
  const types = lines.flatMap(({ kind, object }) => (kind === 'agent' ? [object.agent_type] : []));
  expect(types.slice(0, 2)).toEqual(['pmm_agent', 'pmm_agent']);
});

test('an agent process precedes its agents, whatever order the reply has', () => {
  const reversed = Object.fromEntries(Object.entries(agents).toReversed());
  const types = fromPmm([reversed, nodes, services])
    .lines.map(({ object }) => (object as any).agent_type)
    .filter(Boolean);
  expect(types.slice(0, 2)).toEqual(['pmm_agent', 'pmm_agent']);
});

test('an object without an id is a problem, and gets no id that another one has', () => {
  const { lines: made, problems: missingIds } = fromPmm([
    {
      generic: [
        { node_name: 'a', address: 'h' },
        { node_name: 'b', address: 'i' },
      ],
    },
  ]);
  expect(made).toEqual([]);
  expect(missingIds.map(({ field, message }) => [field, message])).toEqual([
    ['node_id', 'Required.'],
    ['node_id', 'Required.'],
  ]);
});

test('an object of PMM that has a name for its id always gets the same id, a UUID of version 8', () => {
  const idOf = (node_id: string) =>
    (fromPmm([{ generic: [{ node_id, node_name: 'n', address: 'h' }] }]).lines[0]!.object as any).node_id;
  expect(idOf('pmm-server')).toBe('922d61e8-1b2f-8390-b9a8-e11d55ac52c9');
  expect(idOf('/node_id/PMM-Server')).toBe(idOf('pmm-server'));
  const made = Array.from({ length: 50 }, (_, index) => idOf(`name-${index}`));
  expect(new Set(made).size).toBe(50);
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a port of 0 is none: PMM has it beside a socket', () => {
  const convert = (place: object) => {
    const node = { node_id: ids.hostId, node_name: 'n', address: 'h' };
    const service = { service_id: 'orders', service_name: 's', node_id: ids.hostId, ...place };
    return fromPmm([{ generic: [node] }, { mysql: [service] }]).lines.map(({ object }) => object)[1];
  };
  expect(convert({ address: '', port: 0, socket: '/s' })).toMatchObject({ socket: '/s' });
  expect(convert({ address: '', port: 0, socket: '/s' })).not.toHaveProperty('port');
  expect(convert({ address: 'h', port: 1 })).toMatchObject({ address: 'h', port: 1 });
});

test("fields have this service's names and values, and empty ones are omitted", () => {
  expect(byId(ids.hostId)).toEqual({
    node_id: ids.hostId,
    node_type: 'generic',
    node_name: 'shop-db-1',
    address: '10.0.1.11',
    machine_id: '7c1f',
    distro: 'linux',
    node_model: 'r6',
    region: 'eu-west-1',
    az: 'eu-west-1a',
    custom_labels: { team: 'shop' },
  });
  expect(byId(ids.rdsId)).toMatchObject({ node_type: 'remote_rds', instance_id: 'db-ABC' });
  expect(byId(ids.mysqlId)).toEqual({
    service_id: ids.mysqlId,
    service_type: 'mysql',
    service_name: 'shop-mysql',
    node_ids: [ids.hostId],
    address: '10.0.1.11',
    port: 3306,
    environment: 'prod',
    cluster: 'shop',
    version: '8.0.36',
    custom_labels: { tier: 'gold' },
  });
  expect(byId(ids.externalId)).toMatchObject({ service_type: 'external', group: 'rabbitmq' });
  expect(byId(ids.processId)).toMatchObject({ agent_type: 'pmm_agent', runs_on_node_id: ids.hostId, connected: true });
  expect(agent(3)).toMatchObject({
    agent_type: 'node_exporter',
    pmm_agent_id: ids.processId,
    status: 'running',
    push_metrics: true,
    disable_collectors: ['zfs'],
    metrics_resolutions: { hr: '600s', mr: '300s' },
    log_level: 'error',
  });
  // The next start has another one.
  expect(agent(3)).not.toHaveProperty('listen_port');
  expect(said(/^node_exporter/, 'listen_port')).toContain('omitted: is chosen by the agent process at each start.');
  expect(agent(4)).toMatchObject({
    agent_type: 'mysqld_exporter',
    insights: { node_ids: [], service_ids: [ids.mysqlId] },
    username: 'monitor',
    tls: true,
    tablestats_group_table_limit: 1000,
    extra_dsn_params: { allowCleartextPasswords: '1' },
  });
  expect(agent(4)).not.toHaveProperty('log_level');
  expect(agent(5)).toMatchObject({
    disabled: true,
    status: 'done',
    disable_query_examples: true,
    max_slowlog_file_size: 1073741824,
    log_level: 'warn',
  });
  expect(agent(6)).toMatchObject({ insights: { node_ids: [ids.rdsId] }, disable_basic_metrics: true });
  expect(agent(6)).not.toHaveProperty('listen_port');
  expect(agent(7)).toMatchObject({ azure_subscription_id: 'sub-1', azure_database_resource_type: 'mysql' });
  expect(agent(8)).toMatchObject({
    runs_on_node_id: ids.hostId,
    insights: { service_ids: [ids.externalId] },
    scheme: 'https',
    metrics_path: '/m',
    listen_port: 15692,
    tls_skip_verify: true,
  });
});

test('an id that is no UUID becomes one, the same each time and in references, and different for each kind', () => {
  const process = lines.find(
    ({ kind, object }) => kind === 'agent' && (object as any).connected && object !== byId(ids.processId),
  );
  const { agent_id: agentId, runs_on_node_id: nodeId } = process!.object as any;
  expect(agentId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(nodeId).not.toBe(agentId);
  expect(byId(nodeId)).toMatchObject({ node_name: 'pmm-server', address: 'pmm-server' });
  expect(byId(ids.pmmServerDbId).node_ids).toEqual([nodeId]);
  expect(agent(6).pmm_agent_id).toBe(agentId);
  expect(fromPmm([nodes, services, agents]).lines).toEqual(lines);
  expect(said(/pmm_agent pmm-server/, 'agent_id')).toEqual([`is ${agentId} here.`]);
  // A prefix of PMM 2 is none of the id.
  const remarks = fromPmm([{ generic: [{ node_id: `/node_id/${ids.hostId}`, node_name: 'a', address: 'a' }] }]).remarks;
  expect(remarks).toEqual([]);
});

test('ids of PMM 2 lose their prefix', () => {
  const { lines: old } = fromPmm([
    { generic: [{ node_id: `/node_id/${ids.hostId}`, node_name: 'n', address: 'a' }] },
    { pmm_agent: [{ agent_id: `/agent_id/${ids.processId}`, runs_on_node_id: `/node_id/${ids.hostId}` }] },
  ]);
  expect(old.map(({ object }) => (object as any).node_id ?? (object as any).runs_on_node_id)).toEqual([
    ids.hostId,
    ids.hostId,
  ]);
});

test('omitted values are listed, credentials without their value, empty ones not', () => {
  expect(said(/mysqld_exporter/, 'tls_ca')).toEqual(['omitted: is a credential: none are stored here.']);
  expect(said(/mysqld_exporter/, 'tls_cert')).toEqual([]);
  expect(said(/rds_exporter/, 'aws_access_key')).toHaveLength(1);
  expect(said(/rds_exporter/, 'auto_discovery_limit')).toEqual(['omitted: a rds_exporter has no such field here.']);
  expect(said(/azure/, 'status')).toEqual(['omitted: its value is unknown here.']);
  expect(said(/azure/, 'azure_database_resource_type')).toHaveLength(1);
  expect(JSON.stringify(remarks)).not.toMatch(/AKIAEXAMPLE|BEGIN CERTIFICATE/);
  const unknown = fromPmm([{ generic: [{ node_id: ids.hostId, node_name: 'n', address: 'a', brand_new: 7 }] }]);
  expect(unknown.remarks).toEqual([
    { about: `generic node ${ids.hostId}`, field: 'brand_new', message: 'omitted: a generic has no such field here.' },
  ]);
});

test('an object that cannot be imported is a problem with its reason, and others are converted', () => {
  const { lines: rest, problems: wrong } = fromPmm([
    { generic: [{ node_id: ids.hostId, node_name: 'n', address: '' }, nodes.generic[1]] },
    { later_exporter: [{ agent_id: 'x' }] },
    { status: 'error', code: 16 },
    [],
  ]);
  expect(rest).toHaveLength(1);
  expect(wrong).toContainEqual({ about: `generic node ${ids.hostId}`, field: 'address', message: 'Required.' });
  expect(wrong.map(({ about }) => about)).toEqual([
    'later_exporter',
    'status',
    'code',
    'file 4',
    `generic node ${ids.hostId}`,
  ]);
});

describe('a server', () => {
  const inventory = useInventory();

  test('accepts all objects, also again without a change', async () => {
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const send = async () => (await inventory.request('POST', '/v1/import', { body, headers })).body;
    expect(await send()).toMatchObject({ added: lines.length, refused: 0 });
    expect(await checkInvariants(inventory.table)).toEqual([]);
    expect(await send()).toMatchObject({ unchanged: lines.length, refused: 0 });
    const { body: shown } = await inventory.request('GET', `/v1/agents/${agent(3).agent_id}`);
    // It watches the node that it runs on, which PMM does not tell.
    expect(shown.insights).toEqual({ node_ids: [ids.hostId], service_ids: [] });
  });
});
