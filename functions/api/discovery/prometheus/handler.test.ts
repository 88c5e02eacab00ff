import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { wipe } from '../../../../tests/consistency/invariants.ts';
import { changeStored } from '../../../../tests/support/stored-object.ts';
import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { external as externalExporter, node } from '../../../../tests/support/store.ts';
import { putObjectsAlone } from '../../../../tests/support/stored-objects.ts';
import { lambdaContext } from '../../../../local/gateway/lambda-context.ts';
import { eventOf } from '../../../../tests/costs/invocation.ts';
import { digestTag } from '../../../../shared/http/etag.ts';
import { inFull } from '../../../../shared/testing/extent.ts';
import { targetAttributes } from '../../../domain/fields/filterable-labels.ts';
import { objectKinds } from '../../../domain/fields/object-kind.ts';
import { idOf } from '../../../store/entities/entity.ts';
import { objectKey } from '../../../store/table/keys.ts';
import { handlerWith } from './handler.ts';
import { withSend } from '../../../../tests/support/table.ts';

let inventory: Inventory;
/** Runs between the reads of the agents and of their nodes and services. */
let meanwhile: (() => unknown) | undefined;
let under: unknown;
const inside = new AsyncLocalStorage<true>();

beforeAll(async () => {
  inventory = await startInventory({
    table: (table) =>
      withSend(table, async (command: { input: { RequestItems?: unknown } }) => {
        if (command.input.RequestItems !== undefined && inside.getStore() !== true) {
          const work = meanwhile;
          meanwhile = undefined;
          if (work !== undefined) under = inside.run(true, work);
          await under;
        }
        return table.client.send(command);
      }),
  });
});
afterAll(() => inventory.stop());
afterEach(async () => {
  meanwhile = undefined;
  await wipe(inventory.table);
});

interface Group {
  targets: string[];
  labels: Record<string, string>;
}

const discover = async (query = '', headers = {}) =>
  inventory.request('GET', `/v1/discovery/prometheus${query}`, { as: 'Viewer', headers });

const groups = async (selector?: string): Promise<Group[]> => {
  const reply = await discover(selector === undefined ? '' : `?selector=${encodeURIComponent(selector)}`);
  expect(reply).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/json' } });
  return reply.body;
};

const targets = async (selector?: string) => (await groups(selector)).map(({ targets: [target] }) => target);

const exporter = async (more: Record<string, unknown>, node: Record<string, unknown> = {}) => {
  const { node_id: nodeId } = await addNode(inventory, node);
  const { agent_id: id } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  return addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: id, listen_port: 9100, ...more });
};

const external = (more: Record<string, unknown>) =>
  addAgent(inventory, { agent_type: 'external_exporter', listen_port: 9187, ...more });

test('an empty inventory is an empty list', async () => {
  const reply = await discover();
  expect([reply.status, reply.text, reply.headers['Content-Type']]).toEqual([200, '[]', 'application/json']);
});

test('a target has the labels of its node, service and agent; the nearest object has priority', async () => {
  const { node_id: nodeId } = await addNode(inventory, {
    node_name: 'db "1" \u4e2d',
    region: 'eu',
    az: 'eu-1a',
    distro: 'not a label',
    custom_labels: { a: 'node', b: 'node', c: 'node' },
  });
  const { agent_id: processId } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const { service_id: serviceId } = await addService(inventory, {
    service_name: 'orders',
    cluster: 'pxc',
    environment: 'prod',
    replication_set: 'rs0',
    custom_labels: { b: 'service', c: 'service', cluster: 'its own', constructor: '' },
  });
  const { agent_id: agentId } = await addAgent(inventory, {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: processId,
    listen_port: 42001,
    expose_exporter: true,
    insights: { service_ids: [serviceId] },
    custom_labels: { c: 'agent' },
  });
  expect(await groups()).toEqual([
    {
      targets: ['10.0.0.1:42001'],
      labels: {
        __metrics_path__: '/metrics',
        __scheme__: 'http',
        job: 'mysqld_exporter',
        __meta_inventory_expose_exporter: 'true',
        __meta_inventory_node_id: nodeId,
        __meta_inventory_node_name: 'db "1" \u4e2d',
        __meta_inventory_node_type: 'generic',
        __meta_inventory_region: 'eu',
        __meta_inventory_az: 'eu-1a',
        __meta_inventory_service_id: serviceId,
        __meta_inventory_service_name: 'orders',
        __meta_inventory_service_type: 'mysql',
        __meta_inventory_environment: 'prod',
        __meta_inventory_cluster: 'pxc',
        __meta_inventory_replication_set: 'rs0',
        __meta_inventory_agent_id: agentId,
        __meta_inventory_agent_type: 'mysqld_exporter',
        __meta_inventory_label_a: 'node',
        __meta_inventory_label_b: 'service',
        __meta_inventory_label_c: 'agent',
        __meta_inventory_label_constructor: '',
      },
    },
  ]);
});

test.each([
  ['10.0.0.1', '10.0.0.1:9100'],
  ['db.example', 'db.example:9100'],
  ['2001:db8::7', '[2001:db8::7]:9100'],
  ['::ffff:10.0.0.1', '[::ffff:10.0.0.1]:9100'],
])('the address %s is the target %s', async (address, target) => {
  await exporter({}, { address });
  expect(await targets()).toEqual([target]);
});

test.each(['127.0.0.1', '169.254.169.254', '0x7f.1', '1.2.3.4:5', 'user:pass@host', 'a/b', '[::1]', 'localhost'])(
  'the address %s of an existing node is no target',
  async (address) => {
    const { runs_on_node_id: nodeId } = await exporter({});
    await changeStored(inventory.table, objectKey('node', nodeId), { address }, { address });
    expect(await targets()).toEqual([]);
  },
);

test('shards are disjoint and complete, and other parameters filter each of them', async () => {
  for (let index = 0; index < 6; index += 1) await external({ runs_on_node_id: (await addNode(inventory)).node_id });
  const all = (await discover()).body;
  const parts = async (count: number, more = '') => {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, index) => discover(`?shard=${index}/${count}${more}`)),
    );
    return replies.flatMap(({ body }) => body);
  };
  const byAgent = (groupList: Group[]) =>
    new Map(groupList.map((group) => [group.labels['__meta_inventory_agent_id'], group] as const));
  expect(all).toHaveLength(6);
  for (const count of inFull([1, 2, 16, 64], [2, 64])) {
    const partGroups = await parts(count);
    expect([count, partGroups.length, byAgent(partGroups)]).toEqual([count, 6, byAgent(all)]);
  }
  expect(await parts(3, '&selector=agent_type=node_exporter')).toEqual([]);
});

test.each(['3', '16/16', '-1/4', '1/0', '1/65', '01/4', '1/4/2', '1%2F4%20', '', 'a/b'])(
  'shard=%s is refused',
  async (shard) => {
    const reply = await discover(`?shard=${shard}`);
    const message = 'Must be the number of a part and the number of parts: 0/1 to 63/64, the first below the second.';
    expect(reply).toMatchObject({
      status: 400,
      body: { status: 'INVALID_ARGUMENT', details: [{ field: 'shard', reason: 'invalid_format', message }] },
    });
  },
);

test('networks selects targets by address in any spelling, and no host names', async () => {
  const hosts = ['10.1.2.3', '10.2.0.1', '192.168.0.9', '2001:db8::7', 'db.example'];
  for (const address of hosts) await exporter({}, { address });
  const within = async (networks: string): Promise<string[]> => {
    const { body } = await discover(`?networks=${encodeURIComponent(networks)}`);
    return body.map((group: Group) => group.targets[0]).sort();
  };
  expect(await within('10.0.0.0/8')).toEqual(['10.1.2.3:9100', '10.2.0.1:9100']);
  expect(await within('10.2.0.1, 2001:db8::/32')).toEqual(['10.2.0.1:9100', '[2001:db8::7]:9100']);
  expect(await within('0.0.0.0/0,::/0')).toHaveLength(4);
  expect(await within('172.16.0.0/12')).toEqual([]);
});

test.each(['', ',', '10.0.0.0/33', '10.0.0.0/8,', 'db.example', '10.0.0.0/8;::/0', '10.0.0.0/x'])(
  'networks=%s is refused',
  async (networks) => {
    const reply = await inventory.request('GET', `/v1/discovery/prometheus?networks=${encodeURIComponent(networks)}`);
    expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'networks' }] } });
  },
);

test('disabled, pushing and non-listening agents are no targets', async () => {
  await exporter({ disabled: true });
  await exporter({ push_metrics: true });
  await exporter({ listen_port: undefined });
  await external({ disabled: true });
  const { pmmAgentId } = await addHost(inventory);
  const { service_id: serviceId } = await addService(inventory);
  await addAgent(inventory, {
    agent_type: 'qan_mysql_slowlog_agent',
    pmm_agent_id: pmmAgentId,
    insights: { service_ids: [serviceId] },
  });
  expect(await groups()).toEqual([]);
  const { agent_id: id } = await exporter({ listen_port: 1 });
  expect(await targets()).toEqual(['10.0.0.1:1']);
  await inventory.request('PATCH', `/v1/agents/${id}`, { body: { disabled: true } });
  expect(await groups()).toEqual([]);
});

test('scheme and path are those of the agent, or the defaults of its type', async () => {
  const { node_id: nodeId } = await addNode(inventory);
  await external({ runs_on_node_id: nodeId, scheme: 'https', metrics_path: '/m', listen_port: 1 });
  await exporter({ agent_type: 'rds_exporter', listen_port: 2 });
  await exporter({ agent_type: 'rds_exporter', listen_port: 3, disable_basic_metrics: true });
  await exporter({ agent_type: 'nomad_agent', listen_port: 4 });
  await exporter({ agent_type: 'vm_agent', listen_port: 5 });
  const rows = (await groups()).map(({ targets: [target], labels }) => [
    target?.split(':')[1],
    `${labels['__scheme__']} ${labels['__metrics_path__']} ${labels['__param_format']}`,
  ]);
  expect(Object.fromEntries(rows)).toEqual({
    1: 'https /m undefined',
    2: 'http /basic undefined',
    3: 'http /enhanced undefined',
    4: 'http /v1/metrics prometheus',
    5: 'http /metrics undefined',
  });
});

describe('an external exporter that runs on no node', () => {
  test('is scraped at its node, its service, or the node of a service without an address', async () => {
    const { node_id: nodeId } = await addNode(inventory, { address: 'node', node_name: 'n' });
    const { service_id: placed } = await addService(inventory, { address: 'service', node_ids: [nodeId] });
    const { service_id: haproxy } = await addService(inventory, {
      service_type: 'haproxy',
      address: undefined,
      port: undefined,
      node_ids: [nodeId],
    });
    await external({ listen_port: 1, insights: { node_ids: [nodeId] } });
    await external({ listen_port: 2, insights: { service_ids: [placed] } });
    await external({ listen_port: 3, insights: { service_ids: [haproxy] } });
    await external({ listen_port: 4, insights: { node_ids: [nodeId], service_ids: [placed] } });
    expect((await targets()).sort()).toEqual(['node:1', 'node:3', 'node:4', 'service:2']);
    expect(await targets('node_name=n')).toHaveLength(4);
  });

  test('is no target without an address, or with several', async () => {
    const [{ node_id: nodeId }, { node_id: other }] = [
      await addNode(inventory, { address: 'a' }),
      await addNode(inventory, { address: 'b' }),
    ];
    const socket = { socket: '/s', address: undefined, port: undefined };
    const { service_id: local } = await addService(inventory, socket);
    await external({ insights: { node_ids: [nodeId, other] } });
    await external({ insights: { service_ids: [local] } });
    await external({});
    expect(await groups()).toEqual([]);
  });
});

test('an agent with insight into other nodes and several services has their common labels', async () => {
  const { node_id: rdsId } = await addNode(inventory, {
    node_type: 'remote_rds',
    node_name: 'rds',
    address: 'orders-rds',
    region: 'eu',
  });
  const services = [];
  for (const name of ['one', 'two'])
    services.push(
      await addService(inventory, {
        service_name: name,
        cluster: 'both',
        environment: name,
        custom_labels: { shared: 'yes', differs: name },
      }),
    );
  const ids = services.map(({ service_id: id }) => id);
  await exporter(
    { agent_type: 'rds_exporter', insights: { node_ids: [rdsId], service_ids: ids } },
    { node_name: 'host', address: '10.9.9.9' },
  );
  const [group, ...others] = await groups();
  expect(others).toEqual([]);
  expect(group!.targets).toEqual(['10.9.9.9:9100']);
  expect(group!.labels).toMatchObject({
    __meta_inventory_node_name: 'host',
    __meta_inventory_insight_node_name: 'rds',
    __meta_inventory_insight_region: 'eu',
    __meta_inventory_cluster: 'both',
    __meta_inventory_service_type: 'mysql',
    __meta_inventory_service_ids: `,${ids.join(',')},`,
    __meta_inventory_label_shared: 'yes',
  });
  for (const name of ['service_id', 'service_name', 'environment', 'label_differs', 'region'])
    expect(group!.labels).not.toHaveProperty(`__meta_inventory_${name}`);
});

test('no custom label replaces an attribute, an identity or a Prometheus label', async () => {
  const attributes = objectKinds.flatMap((kind) => targetAttributes(kind).map(([name]) => name));
  const lists = ['node_ids', 'service_ids', 'insight_node_id', 'insight_node_name', 'insight_node_ids'];
  const reserved = ['instance', 'job', 'le', 'quantile', 'vmrange', 'vm_account_id', 'vm_project_id'];
  const others = ['expose_exporter', 'push_metrics', 'team', 'label_team', 'insight_region'];
  const hostile = [...attributes, ...lists, ...reserved, ...others];
  const custom_labels = Object.fromEntries(hostile.map((name) => [name, 'hostile']));
  const { node_id: nodeId } = await addNode(inventory, { region: 'eu', address: randomUUID(), custom_labels });
  const { service_id: serviceId } = await addService(inventory, { cluster: 'shop', node_ids: [nodeId] });
  const process = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const under = { pmm_agent_id: process.agent_id, listen_port: 9100 };
  const ownExporter = await addAgent(inventory, { ...under, agent_type: 'node_exporter' });
  const database = { agent_type: 'mysqld_exporter', insights: { service_ids: [serviceId] } };
  const watching = await addAgent(inventory, { ...under, ...database });
  const labelsOf = async ({ agent_id: id }: Record<string, unknown>) => {
    const [group] = await groups(`agent_id=${String(id)}`);
    const custom = Object.keys(group!.labels).filter((name) => group!.labels[name] === 'hostile');
    return { ...group!.labels, custom: custom.map((name) => name.replace('__meta_inventory_label_', '')).sort() };
  };
  const kept = ['az', 'container_name', 'environment', 'group', 'insight_region', 'instance_id', 'label_team'];
  const rest = ['machine_id', 'node_model', 'push_metrics', 'replication_set', 'team'];
  expect(await labelsOf(watching)).toMatchObject({
    ...{ custom: [...kept, ...rest], job: 'mysqld_exporter' },
    ...{ __meta_inventory_region: 'eu', __meta_inventory_cluster: 'shop' },
  });
  // Without a service, labels of the node may stand for attributes of a service that do not identify it.
  expect(await labelsOf(ownExporter)).toMatchObject({ custom: [...kept, ...rest, 'cluster', 'service_type'].sort() });
});

test('a selector matches attributes and custom labels of node, service and agent', async () => {
  await exporter({ listen_port: 1, custom_labels: { tier: 'gold' } }, { region: 'eu', address: 'a' });
  await exporter(
    { listen_port: 2, custom_labels: { region: 'eu' } },
    { address: 'b', custom_labels: { tier: 'silver' } },
  );
  await external({ runs_on_node_id: (await addNode(inventory, { address: 'c' })).node_id, listen_port: 3 });
  const ports = async (selector: string) => (await targets(selector)).map((target) => target!.split(':')[1]);
  expect((await ports('tier in (gold,silver)')).sort()).toEqual(['1', '2']);
  expect(await ports('tier=gold')).toEqual(['1']);
  expect(await ports('!tier')).toEqual(['3']);
  // The attribute takes precedence, even if it is not set.
  expect(await ports('region=eu')).toEqual(['1']);
  expect(await ports('agent_type=external_exporter')).toEqual(['3']);
  expect((await ports('agent_type notin (external_exporter),tier')).sort()).toEqual(['1', '2']);
  expect(await ports('agent_type=pmm_agent')).toEqual([]);
  expect(await discover('?selector=tier%20in')).toMatchObject({
    status: 400,
    body: { details: [{ field: 'selector', reason: 'invalid_selector' }] },
  });
});

test('a target with large labels loses the largest, selectors still match them, and other targets are unaffected', async () => {
  const large = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`l${index}`, 'x'.repeat(1024)]));
  await exporter({ custom_labels: { team: 'a' } }, { address: 'large', custom_labels: { ...large, l0: 'small' } });
  await exporter({}, { address: 'usual', custom_labels: { tier: 'gold' } });
  const all = await groups();
  const { labels } = all.find(({ targets: [target] }) => target === 'large:9100')!;
  expect(JSON.stringify(labels).length).toBeLessThan(8000);
  expect(labels).toMatchObject({
    __meta_inventory_dropped_labels: '56',
    __meta_inventory_label_team: 'a',
    __meta_inventory_label_l0: 'small',
  });
  expect(labels).not.toHaveProperty('__meta_inventory_label_l1');
  expect(await targets(`l1=${large['l1']}`)).toEqual(['large:9100']);
  const usual = all.find(({ targets: [target] }) => target === 'usual:9100')!;
  expect(usual.labels).toMatchObject({ __meta_inventory_label_tier: 'gold' });
  expect(usual.labels).not.toHaveProperty('__meta_inventory_dropped_labels');
  const metrics = await inventory.request('GET', '/v1/metrics');
  expect(metrics.text).toContain('\ninventory_targets_with_dropped_labels 1\n');
});

/** Writes nodes with as many targets, and returns the labels of each target by the name of its node. */
async function putTargets(labels: Record<string, string>, counts: Readonly<Record<string, number>>): Promise<void> {
  const nodes = Object.keys(counts).map((name) => node({ node_name: name, custom_labels: { ...labels, team: name } }));
  const agents = nodes.flatMap(({ object: { node_id: id, node_name: name } }) =>
    Array.from({ length: counts[name]! }, (_, port) =>
      externalExporter({}, { runs_on_node_id: id, listen_port: port + 1 }),
    ),
  );
  await putObjectsAlone(inventory.table, [...nodes, ...agents]);
}

test('a list that is too large omits labels of the largest owner and keeps all targets, for any accepted encoding', async () => {
  const texts = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 'x'.repeat(1000)]));
  await putTargets(texts, { large: 1000, other: 50 });
  for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
    const reply = await discover('', headers);
    expect([reply.status, reply.body.length]).toEqual([200, 1050]);
    const isWhole = 'Accept-Encoding' in headers;
    for (const { labels } of reply.body) {
      expect(labels['__meta_inventory_label_team']).toBe(labels['__meta_inventory_node_name']);
      const isLarge = labels['__meta_inventory_node_name'] === 'large';
      expect(labels['__meta_inventory_dropped_labels']).toBe(isLarge && !isWhole ? '1' : undefined);
    }
    expect(reply.headers['ETag']).toBe(digestTag(reply.text));
  }
  const message = 'targets lack labels because the list is too large';
  expect(inventory.logged.filter((line) => line.message === message)).toEqual([
    { level: 'info', message, targets: 1000 },
  ]);
});

test('a list with too many targets is refused and names the nodes and the owner with most bytes; shards of it are returned', async () => {
  const texts = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(900)]));
  await putTargets(texts, { most: 1400, second: 1000, third: 600, other: 200 });
  const reply = await discover();
  expect([reply.status, reply.body.status]).toEqual([413, 'RESOURCE_EXHAUSTED']);
  expect(reply.body.message).toContain('Request parts: ?shard=0/4.');
  expect(reply.body.message.match(/"(most|second|third|other)"/g)).toEqual(['"most"', '"second"', '"third"', '"most"']);
  expect((await discover('?shard=0/4')).status).toBe(200);
});

test('a list whose objects exceed the memory is refused with a number of shards and the owner with most bytes', async () => {
  const { object: place } = node({});
  const agents = Array.from({ length: 80 }, (_, number) => {
    const custom_labels = { team: number % 4 === 0 ? 'other' : 'most' };
    return externalExporter({}, { runs_on_node_id: place.node_id, listen_port: number + 1, custom_labels });
  });
  await putObjectsAlone(inventory.table, [{ kind: 'node', object: place }, ...agents]);
  const ask = async (maxBytes: number, path = '/v1/discovery/prometheus') => {
    const event = eventOf({ method: 'GET', url: path });
    const reply = await handlerWith({ ...inventory.dependencies, maxBytes })(event, lambdaContext('f', 'r', 1000));
    return { status: reply.statusCode, message: JSON.parse(reply.body).message };
  };
  const refused = await ask(100_000);
  expect(refused).toEqual({ status: 413, message: expect.stringMatching(/memory\. Request parts: \?shard=0\/4\. /) });
  expect(refused.message).toMatch(/ The owner with the most bytes: "most" \(\d+ objects, \d+ bytes\)\.$/);
  expect((await ask(1_000_000)).status).toBe(200);
  // What one part lacks memory for, smaller ones contain: of 80 agents with random ids less than 20 are in one of 16 parts.
  expect(await ask(10_000, '/v1/discovery/prometheus?shard=1/4')).toEqual({
    status: 413,
    message: expect.stringContaining('?shard=0/16.'),
  });
  expect((await ask(45_000, '/v1/discovery/prometheus?shard=1/16')).status).toBe(200);
});

test('a list that takes too long is refused with a number of shards', async () => {
  await external({ runs_on_node_id: (await addNode(inventory)).node_id });
  meanwhile = () => inventory.passing.advance(20_000);
  const { status, body } = await discover();
  expect([status, body.message]).toEqual([503, expect.stringContaining('Request parts: ?shard=0/4.')]);
});

test('an unchanged list is a 304, and any change makes a new list', async () => {
  const { agent_id: id } = await exporter({});
  const first = await discover();
  const tag = first.headers['ETag']!;
  expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
  const again = await discover('', { 'If-None-Match': `"other", ${tag}` });
  expect([again.status, again.text, again.headers['ETag']]).toEqual([304, '', tag]);
  expect(again.headers).not.toHaveProperty('Content-Type');
  expect((await discover('', { 'If-None-Match': '"other"' })).status).toBe(200);
  await inventory.request('PATCH', `/v1/agents/${id}`, { body: { custom_labels: { new: 'one' } } });
  const changed = await discover('', { 'If-None-Match': tag });
  expect(changed.status).toBe(200);
  expect(changed.headers['ETag']).not.toBe(tag);
});

describe('changes between the reads of the table', () => {
  const remove = (path: string) => inventory.request('DELETE', `${path}?force=true`, { as: 'Admin' });

  test('omit an agent that is removed with its node, and keep the others complete', async () => {
    const { node_id: gone } = await addNode(inventory, { address: 'gone' });
    await external({ runs_on_node_id: gone });
    await exporter({}, { address: 'stays' });
    meanwhile = () => remove(`/v1/nodes/${gone}`);
    expect(await targets()).toEqual(['stays:9100']);
  });

  test('keep an agent that only loses one of its services', async () => {
    const services = [await addService(inventory), await addService(inventory, { cluster: 'left' })];
    const ids = services.map(({ service_id: id }) => id);
    const { node_id: nodeId } = await addNode(inventory);
    await external({ runs_on_node_id: nodeId, insights: { service_ids: ids } });
    meanwhile = () => remove(`/v1/services/${ids[0]}`);
    const [group] = await groups();
    expect(group!.labels).toMatchObject({ __meta_inventory_service_id: ids[1], __meta_inventory_cluster: 'left' });
  });

  test('show an exporter at the new node of its service', async () => {
    const [{ node_id: old }, { node_id: next }] = [
      await addNode(inventory, { address: 'old' }),
      await addNode(inventory, { address: 'next' }),
    ];
    const { service_id: id } = await addService(inventory, {
      service_type: 'haproxy',
      address: undefined,
      port: undefined,
      node_ids: [old],
    });
    await external({ insights: { service_ids: [id] } });
    // The first batch reads services; the change occurs before the next one, which reads their nodes.
    meanwhile = () => {
      meanwhile = async () => {
        await inventory.request('PATCH', `/v1/services/${id}`, { body: { node_ids: [next] } });
        await remove(`/v1/nodes/${old}`);
      };
    };
    expect(await targets()).toEqual(['next:9187']);
  });

  test('keep the labels of another agent of the re-read service', async () => {
    const { service_id: id } = await addService(inventory, { cluster: 'kept' });
    const [{ node_id: stays }, { node_id: gone }] = [await addNode(inventory), await addNode(inventory)];
    await external({ runs_on_node_id: stays, insights: { service_ids: [id] } });
    await external({ runs_on_node_id: gone, insights: { service_ids: [id] } });
    meanwhile = () => remove(`/v1/nodes/${gone}`);
    const remaining = await groups();
    expect(remaining.map(({ labels }) => labels['__meta_inventory_cluster'])).toEqual(['kept']);
  });

  test('make an agent whose node never appears an error, instead of a short list', async () => {
    const { node_id: nodeId } = await addNode(inventory);
    await external({ runs_on_node_id: nodeId });
    const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb');
    const { objectKey } = await import('../../../store/table/keys.ts');
    await inventory.table.client.send(
      new DeleteCommand({ TableName: inventory.table.name, Key: objectKey('node', nodeId) }),
    );
    expect(await discover()).toMatchObject({ status: 503, body: { code: 14 }, headers: { 'Retry-After': '1' } });
  });
});

test('reads hundreds of agents by list pages, and by key what an index does not show yet', async () => {
  const { table } = inventory;
  const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
  const { indexes, objectKey } = await import('../../../store/table/keys.ts');
  const nodes = Array.from({ length: 300 }, (_, index) => node({ address: `host-${index}` }));
  const runsOn = ({ object }: (typeof nodes)[number]) => ({ runs_on_node_id: object.node_id, listen_port: 9187 });
  await putObjectsAlone(table, [...nodes, ...nodes.map((entity) => externalExporter({}, runsOn(entity)))]);
  for (const id of nodes.slice(0, 3).map(idOf))
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: objectKey('node', id),
        UpdateExpression: 'REMOVE #list',
        ExpressionAttributeNames: { '#list': indexes.byName.partitionKey },
      }),
    );
  const addresses = await targets();
  expect(new Set(addresses)).toEqual(new Set(Array.from({ length: 300 }, (_, index) => `host-${index}:9187`)));
  expect(addresses).toHaveLength(300);
});
