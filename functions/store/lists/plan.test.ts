import { inFull } from '../../../shared/testing/extent.ts';
import { addAgent, addHost, addNode, addService } from '../../../tests/support/add.ts';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { useInventory } from '../../../tests/support/fixtures.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { statesAt } from './by-states.ts';
import { type NodeFilters, nodeQuestion } from './list-nodes.ts';
import { type ServiceFilters, serviceQuestion } from './list-services.ts';
import { planOf } from './plan.ts';

const inventory = useInventory();

type List = 'nodes' | 'services' | 'agents';

/** Names (or types) of all objects in a list, page by page. */
async function listed(list: List, query: Record<string, string>, size = 1000): Promise<string[]> {
  const listedNames: string[] = [];
  for (let token: Record<string, string> = {}; ;) {
    const search = new URLSearchParams({ ...query, page_size: String(size), ...token }).toString();
    const reply = await inventory.request('GET', `/v1/${list}?${search}`, { as: 'Viewer' });
    expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
    expect(reply.body[list].length).toBeLessThanOrEqual(size);
    listedNames.push(
      ...reply.body[list].map(
        (object: Record<string, string>) => object['node_name'] ?? object['service_name'] ?? object['agent_id'],
      ),
    );
    if (reply.body.next_page_token === undefined) return listedNames;
    token = { page_token: reply.body.next_page_token };
  }
}

async function expectListed(list: List, query: Record<string, string>, expected: string[]): Promise<void> {
  for (const size of inFull([1, 2, 3, 100], [2, 100])) expect(await listed(list, query, size)).toEqual(expected);
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index).padStart(2, '0')}`, `v${index}`]));

describe('a selector', () => {
  const LONG = 'x'.repeat(1000);

  beforeAll(async () => {
    const node = (node_name: string, custom_labels: Record<string, string>, more = {}) =>
      addNode(inventory, { node_name, custom_labels, ...more });
    await node('n1', { env: 'prod', tier: 'gold' });
    await node('n2', { env: 'prod', tier: 'silver', legacy: '' });
    await node('n3', { env: 'dev', tier: 'gold' }, { az: 'a', region: 'eu', address: 'n3' });
    await node('n4', { env: 'prod', owner: 'Jane "JD" Doe, \\ team', note: `${LONG}1` });
    await node('n5', {}, { node_type: 'container', container_id: 'c5', region: 'eu', address: 'n5' });
    await node('n6', { region: 'eu', note: `${LONG}2` });
    await node('n7', { ...many(60), zone: 'z', env: 'prod' });
    await node('n8', { ...many(60), zone: 'y' });
  });

  test.each<[string, string[]]>([
    ['env=prod', ['n1', 'n2', 'n4', 'n7']],
    ['env=prod,tier in (gold,silver),!legacy', ['n1']],
    ['tier=gold', ['n1', 'n3']],
    ['tier in (gold, silver, bronze)', ['n1', 'n2', 'n3']],
    ['tier in (gold,gold)', ['n1', 'n3']],
    ['legacy', ['n2']],
    ['legacy=""', ['n2']],
    ['env!=prod', ['n3', 'n5', 'n6', 'n8']],
    ['env,env!=prod', ['n3']],
    ['env notin (prod,dev),!zone', ['n5', 'n6']],
    ['env=dev,env=prod', []],
    ['tier=none', []],
    ['owner="Jane \\"JD\\" Doe, \\\\ team"', ['n4']],
    // Long values are hashed in the key.
    [`note="${LONG}1"`, ['n4']],
    [`note=${LONG}2`, ['n6']],
    // An attribute takes precedence over a custom label with its name, even if it is not set.
    ['region=eu', ['n3', 'n5']],
    ['region=eu,az=a', ['n3']],
    ['!region,note', ['n4', 'n6']],
    ['node_name=n1', ['n1']],
    ['node_name in (n4,n2,n2,nope)', ['n2', 'n4']],
    ['node_name in (n4,n2),tier', ['n2']],
    ['container_id=c5', ['n5']],
    ['node_type=container', ['n5']],
    ['node_type in (container,remote)', ['n5']],
    ['node_type=nope', []],
    ['node_type!=generic', ['n5']],
    ['node_id=nope', []],
    [`node_id=${'x'.repeat(1500)}`, []],
    [`node_name=${'x'.repeat(1500)}`, []],
    [`node_type=${'x'.repeat(1500)}`, []],
    // Labels beyond the limit of label index entries: these two objects are found by the overflow entry.
    ['zone=z', ['n7']],
    ['zone in (z,y)', ['n7', 'n8']],
    ['k00=v0', ['n7', 'n8']],
    ['k59=v59,env=prod', ['n7']],
    ['constructor', []],
    ['toString=x', []],
    ['constructor=x', []],
  ])('%s lists exactly the matching nodes', async (selector, expected) => {
    await expectListed('nodes', { selector }, expected);
  });

  test('combines with the other filters', async () => {
    await expectListed('nodes', { selector: 'env=prod', name_prefix: 'n2' }, ['n2']);
    await expectListed('nodes', { selector: 'env=dev', region: 'eu' }, ['n3']);
    await expectListed('nodes', { selector: 'env=prod', region: 'eu' }, []);
    await expectListed('nodes', { selector: '!env', node_type: 'container' }, ['n5']);
    await expectListed('nodes', { selector: 'node_name in (n1,n2,n3)', name_prefix: 'n2' }, ['n2']);
  });

  test('lists by ids, and by more values than are looked up one by one', async () => {
    const { body } = await inventory.request('GET', '/v1/nodes');
    const ids: string[] = body.nodes.map((node: { node_id: string }) => node.node_id);
    await expectListed('nodes', { selector: `node_id in (${ids.slice(0, 5).join()})` }, ['n1', 'n2', 'n3', 'n4', 'n5']);
    const values = Array.from({ length: 30 }, (_, index) => `v${index}`);
    await expectListed('nodes', { selector: `tier in (gold,${values.join()})` }, ['n1', 'n3']);
  });

  test('follows changes and removals', async () => {
    const { node_id: id } = await addNode(inventory, {
      node_name: 'changing',
      custom_labels: { step: '1', kept: 'x' },
    });
    const change = (body: object) => inventory.request('PATCH', `/v1/nodes/${id}`, { body });
    await expectListed('nodes', { selector: 'step=1' }, ['changing']);
    await change({ custom_labels: { step: '2' } });
    await expectListed('nodes', { selector: 'step=1' }, []);
    await expectListed('nodes', { selector: 'step=2,kept=x' }, ['changing']);
    await change({ custom_labels: { step: null } });
    await expectListed('nodes', { selector: 'step=2' }, []);
    await change({ custom_labels: many(63) });
    await expectListed('nodes', { selector: 'k62=v62,kept' }, ['changing']);
    expect(await checkInvariants(inventory.table)).toEqual([]);
    await change({ custom_labels: null });
    await expectListed('nodes', { selector: 'k62=v62,kept' }, []);
    await inventory.request('DELETE', `/v1/nodes/${id}`);
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });

  test.each([
    ['env=', 5, /expected a value/],
    ['env prod', 5, /expected =, ==, !=, in, notin, a comma or the end/],
    ['', 1, /expected a label name/],
    [`env="${'x'.repeat(2000)}"`, 2001, /at most 2000 characters/],
  ])('%j is refused with the place of the error', async (selector, position, message) => {
    const search = new URLSearchParams({ selector });
    for (const list of ['nodes', 'services', 'agents']) {
      const reply = await inventory.request('GET', `/v1/${list}?${search.toString()}`);
      expect(reply).toMatchObject({
        status: 400,
        body: { status: 'INVALID_ARGUMENT', details: [{ field: 'selector', reason: 'invalid_selector' }] },
      });
      expect(reply.body.message).toContain(`At character ${position}: `);
      expect(reply.body.message).toMatch(message);
      expect(reply.text).not.toContain('prod');
    }
  });

  test('belongs to the page token', async () => {
    const { body } = await inventory.request('GET', '/v1/nodes?selector=env%3Dprod&page_size=1');
    const next = (query: string) => inventory.request('GET', `/v1/nodes?${query}&page_token=${body.next_page_token}`);
    expect((await next('selector=env%3Dprod')).status).toBe(200);
    expect((await next('selector=env%3Dprod&fields=address')).status).toBe(200);
    for (const query of ['selector=env%3Ddev', 'page_size=1', 'selector=env%3Dprod&updated_since=2020-01-01T00:00:00Z'])
      expect(await next(query)).toMatchObject({ status: 400, body: { details: [{ field: 'page_token' }] } });
  });
});

test('a selector matches the labels of services and agents, and combines with relations', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const custom_labels = { team: 'dba' };
  const service = (service_name: string, more: object) => addService(inventory, { service_name, ...more });
  const { service_id: watched } = await service('s1', { node_ids: [nodeId], cluster: 'one', custom_labels });
  await service('s2', { node_ids: [nodeId], cluster: 'one', replication_set: 'rs' });
  await service('s3', { cluster: 'one', custom_labels });
  await service('s4', { service_type: 'external', address: undefined, port: undefined, custom_labels });
  await expectListed('services', { selector: 'team=dba' }, ['s1', 's3', 's4']);
  await expectListed('services', { selector: 'team=dba,cluster=one' }, ['s1', 's3']);
  await expectListed('services', { selector: 'team=dba', cluster: 'one', node_id: nodeId }, ['s1']);
  await expectListed('services', { selector: '!team', node_id: nodeId }, ['s2']);
  await expectListed('services', { selector: 'replication_set=rs' }, ['s2']);
  await expectListed('services', { selector: 'group=external' }, ['s4']);
  await expectListed('services', { selector: 'service_name in (s4,s1)', node_id: nodeId }, ['s1']);

  const insights = { service_ids: [watched] };
  const agent = (more: object) =>
    addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights, ...more });
  const { agent_id: labelled } = await agent({ custom_labels });
  const { agent_id: plain } = await agent({});
  const { agent_id: monster } = await agent({ custom_labels: { ...many(50), team: 'dba' } });
  await expectListed('agents', { selector: 'team=dba' }, [labelled, monster].sort());
  await expectListed('agents', { selector: 'team=dba', service_id: watched }, [labelled, monster].sort());
  await expectListed('agents', { selector: 'team=dba', agent_type: 'pmm_agent' }, []);
  await expectListed('agents', { selector: 'agent_type=mysqld_exporter,!team' }, [plain]);
  await expectListed(
    'agents',
    { selector: 'agent_type in (pmm_agent,mysqld_exporter),!team', pmm_agent_id: pmmAgentId },
    [plain],
  );
  await expectListed('agents', { selector: `agent_id in (${plain},${labelled})`, pmm_agent_id: pmmAgentId }, [
    ...[plain, labelled].sort(),
  ]);
  const missing = await inventory.request('GET', '/v1/agents?selector=team%3Ddba&node_id=nope');
  expect(missing).toMatchObject({ status: 404, body: { message: 'Node with ID "nope" not found.' } });
});

describe('updated_since', () => {
  test('lists what was added or changed at that moment or later, and combines with other filters', async () => {
    const at = (time: string) => (inventory.clock.now = new Date(time));
    at('2030-01-01T00:00:00.000Z');
    const { node_id: id } = await addNode(inventory, { node_name: 'u1', custom_labels: { since: 'x' } });
    at('2030-01-02T00:00:00.500Z');
    await addNode(inventory, { node_name: 'u2', custom_labels: { since: 'y' } });
    const since = (updated_since: string, more = {}) => listed('nodes', { updated_since, ...more }, 3);
    expect(await since('2030-01-01T00:00:00Z')).toEqual(['u1', 'u2']);
    expect(await since('2030-01-01T00:00:00.001Z')).toEqual(['u2']);
    expect(await since('2030-01-02T02:00:00.500+02:00')).toEqual(['u2']);
    expect(await since('2030-01-02T00:00:00.501Z')).toEqual([]);
    expect(await since('2030-01-01T00:00:00Z', { selector: 'since=x' })).toEqual(['u1']);
    at('2030-01-03T00:00:00Z');
    await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { address: 'moved' } });
    expect(await since('2030-01-03T00:00:00Z')).toEqual(['u1']);
    inventory.clock.now = undefined;
  });

  test.each([
    'yesterday',
    '2030-01-01',
    '2030-01-01T00:00:00',
    '2030-02-30T00:00:00Z',
    '',
    '2030-01-01T00:00:00 02:00',
  ])('%j is refused', async (time) => {
    const reply = await inventory.request(
      'GET',
      `/v1/agents?${new URLSearchParams({ updated_since: time }).toString()}`,
    );
    expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'updated_since' }] } });
    expect(reply.body.message).toContain('RFC 3339');
  });
});

describe('fields', () => {
  const ask = (list: List, fields: string) =>
    inventory.request('GET', `/v1/${list}?page_size=1&${new URLSearchParams({ fields }).toString()}`, { as: 'Viewer' });

  test('limit the reply to the named fields and the id', async () => {
    expect((await ask('nodes', 'node_name, address')).body.nodes[0]).toEqual({
      node_id: expect.any(String),
      node_name: expect.any(String),
      address: expect.any(String),
    });
    expect(Object.keys((await ask('services', 'custom_labels,custom_labels')).body.services[0])).toEqual([
      'service_id',
      'custom_labels',
    ]);
    // A field of other types only is no error.
    const reply = await ask('agents', 'agent_id,rta_options');
    expect(Object.keys(reply.body.agents[0])).toEqual(['agent_id']);
    expect(reply.body.next_page_token).toEqual(expect.any(String));
  });

  test.each([
    ['nodes', 'node_name,colour', 'colour'],
    ['nodes', 'node_name,', ''],
    ['services', 'node_name', 'node_name'],
    ['agents', 'insights.node_ids', 'insights.node_ids'],
    ['nodes', 'pk', 'pk'],
    ['nodes', '__proto__', '__proto__'],
    ['nodes', 'constructor', 'constructor'],
  ] as const)('%s: %j is refused, and says which it is', async (list, fields, wrong) => {
    expect(await ask(list, fields)).toMatchObject({
      status: 400,
      body: {
        details: [{ field: 'fields', reason: 'unknown_field', message: `No such field: "${wrong}".` }],
      },
    });
  });

  test('are refused when empty', async () => {
    expect(await ask('nodes', '')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'fields', message: 'Must not be empty.' }] },
    });
  });
});

describe('as many labels and references as there may be', () => {
  const labels = many(64);
  const others = Object.fromEntries(Object.keys(labels).map((label) => [label, 'other']));

  test('fit an add, a change of all labels, and a removal', async () => {
    const cloud = { machine_id: 'm', container_id: 'most', container_name: 'n', node_model: 'm', region: 'r' };
    const { node_id: id } = await addNode(inventory, {
      node_type: 'container',
      ...cloud,
      az: 'a',
      instance_id: 'i',
      custom_labels: labels,
    });
    const { status } = await inventory.request('PATCH', `/v1/nodes/${id}`, {
      body: {
        custom_labels: others,
        machine_id: 'm2',
        container_id: 'most2',
        container_name: 'n2',
        node_model: 'm2',
        region: 'r2',
        az: 'a2',
        instance_id: 'i2',
        address: 'b',
      },
    });
    expect(status).toBe(200);
    expect(await checkInvariants(inventory.table)).toEqual([]);
    expect((await inventory.request('DELETE', `/v1/nodes/${id}`)).status).toBe(204);
  });

  test('fit with every reference, although one change cannot replace them all', async () => {
    const nodes = (await Promise.all(Array.from({ length: 40 }, () => addNode(inventory)))).map(
      (added) => added.node_id,
    );
    const services = (await Promise.all(Array.from({ length: 40 }, () => addService(inventory)))).map(
      (added) => added.service_id,
    );
    const place = { cluster: 'c', environment: 'e', replication_set: 'r' };
    const service = await addService(inventory, { node_ids: nodes.slice(0, 20), ...place, custom_labels: labels });
    const servicePath = `/v1/services/${service.service_id}`;
    const agent = await addAgent(inventory, {
      agent_type: 'external_exporter',
      listen_port: 1,
      runs_on_node_id: nodes[0],
      insights: { node_ids: nodes.slice(0, 20), service_ids: services.slice(0, 20) },
      custom_labels: labels,
    });
    const agentPath = `/v1/agents/${agent.agent_id}`;
    const change = (path: string, body: object) => inventory.request('PATCH', path, { body });

    expect((await change(servicePath, { custom_labels: others, cluster: 'x', environment: 'x' })).status).toBe(200);
    expect((await change(agentPath, { custom_labels: others })).status).toBe(200);
    expect((await change(servicePath, { node_ids: nodes.slice(20) })).status).toBe(200);
    const refused = {
      status: 400,
      body: { status: 'FAILED_PRECONDITION', message: expect.stringContaining('Split the change') },
    };
    expect(await change(servicePath, { node_ids: nodes.slice(0, 20), custom_labels: labels })).toMatchObject(refused);
    const otherTargets = { node_ids: nodes.slice(20), service_ids: services.slice(20) };
    expect(await change(agentPath, { insights: otherTargets })).toMatchObject(refused);
    expect((await change(agentPath, { insights: { node_ids: otherTargets.node_ids } })).status).toBe(200);
    expect(await checkInvariants(inventory.table)).toEqual([]);
    expect((await inventory.request('DELETE', agentPath)).status).toBe(204);
    expect((await inventory.request('DELETE', `/v1/nodes/${nodes[20]}?force=true`)).status).toBe(204);
    expect((await inventory.request('DELETE', `${servicePath}?force=true`)).status).toBe(204);
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });
});

test('services without a version are those with an empty one', async () => {
  await addService(inventory, { service_name: 'versioned', version: '9.9', cluster: 'versions' });
  await addService(inventory, { service_name: 'unversioned', cluster: 'versions' });
  await expectListed('services', { cluster: 'versions', version: '' }, ['unversioned']);
  await expectListed('services', { cluster: 'versions', version: '9.9' }, ['versioned']);
});

test.each<[NodeFilters, number | undefined]>([
  [{ region: 'eu' }, 1],
  [{ selector: 'region in (eu,us)' }, 2],
  [{}, undefined],
  [{ node_type: 'container' }, undefined],
  [{ selector: 'env=prod' }, undefined],
  [{ region: 'eu', az: 'a' }, undefined],
  [{ region: 'eu', name_prefix: 'n' }, undefined],
  [{ region: 'eu', updated_since: '2030-01-01T00:00:00Z' }, undefined],
  [{ region: 'eu', state: 'live' }, undefined],
  [{ region: 'eu', selector: '!env' }, undefined],
])('nodes by %j are counted by the entries of %j partitions alone', async (filters, partitions) => {
  const { table } = inventory;
  const question = await nodeQuestion(table, filters, undefined);
  const { counted } = await planOf(table, 'node', question, undefined, { states: statesAt(testTime()) });
  expect(counted?.length).toBe(partitions);
});

test('services by a value of their own and one of their nodes are not counted by the entries of a partition', async () => {
  // A value that more than 50 nodes have is no source of the list.
  for (let number = 0; number < 51; number += 1) await addNode(inventory, { region: 'crowded', address: `c${number}` });
  const countedBy = async (filters: ServiceFilters) =>
    (await planOf(inventory.table, 'service', serviceQuestion(filters), undefined)).counted?.length;
  expect(await countedBy({ cluster: 'one' })).toBe(1);
  expect(await countedBy({ cluster: 'one', region: 'crowded' })).toBeUndefined();
});
