/** The whole life of a monitored cluster, in order: each test continues where the one before it ended. */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { listAgents, listNodes, listServices } from '../../functions/api/endpoint-table.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { describeInFull } from '../../shared/testing/extent.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type HttpsReply } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { bearer, bodyOf, type Client, clientOf, everything, listAll, makeKeys, PASSWORD } from './client.ts';

const NODES = ['a', 'b', 'c'] as const;
const NOBODY = '00000000-0000-4000-8000-000000000000';

let server: RunningServer;
let keys: Awaited<ReturnType<typeof makeKeys>>['keys'];
/** With an Editor's key, that is enough for all of the inventory. */
let editor: Client;
let viewer: Client;

/** Ids of the cluster's objects. */
const nodes: Record<string, string> = {};
const pmmAgents: Record<string, string> = {};
const nodeExporters: Record<string, string> = {};
const mysqldExporters: Record<string, string> = {};
let pxc: string;
let serverless: string;
let external: string;

function connectClients(): void {
  editor = clientOf(server, bearer(keys.Editor));
  viewer = clientOf(server, bearer(keys.Viewer));
}

async function restart(signal: NodeJS.Signals): Promise<void> {
  await server.stop(signal);
  server = await startServer(server.dataDir);
  connectClients();
}

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  ({ keys } = await makeKeys(server));
  connectClients();
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

/** Adds an object, and checks all that an add promises about its reply. */
async function add(path: string, idField: string, body: Record<string, unknown>): Promise<any> {
  const before = Date.now();
  const reply = await editor('POST', path, { body });
  const object = bodyOf(reply, 201);
  expect(object).toMatchObject({ ...body, revision: 1, updated_at: object.created_at });
  expect(Date.parse(object.created_at)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(object.created_at)).toBeLessThanOrEqual(Date.now());
  expect(reply.headers).toMatchObject({ location: `${path}/${object[idField]}`, etag: '"1"' });
  const got = await viewer('GET', String(reply.headers['location']));
  expect(got).toMatchObject({ status: 200, headers: { etag: '"1"' } });
  // What a read tells in addition: nothing has reported yet.
  expect(got.body).toEqual({ ...object, state: 'never_seen' });
  return object;
}

const addNode = (body: Record<string, unknown>) => add('/v1/nodes', 'node_id', body);
const addService = (body: Record<string, unknown>) => add('/v1/services', 'service_id', body);
const addAgent = (body: Record<string, unknown>) => add('/v1/agents', 'agent_id', body);

const get = async (path: string) => bodyOf(await viewer('GET', path), 200);
const node = (name: string) => `/v1/nodes/${nodes[name]!}`;
const agent = (id: string) => `/v1/agents/${id}`;
const service = (id: string) => `/v1/services/${id}`;

describe('adding', () => {
  test('three nodes succeeds', async () => {
    for (const [index, name] of NODES.entries())
      nodes[name] = (
        await addNode({
          node_type: name === 'c' ? 'container' : 'generic',
          node_name: `pxc-${name}`,
          address: `10.0.0.${index + 1}`,
          region: name === 'a' ? 'eu-west-1' : 'eu-west-2',
          custom_labels: { rack: `r${index}`, team: 'db' },
          ...(name === 'c' ? { container_id: 'c0ffee' } : { distro: 'Oracle Linux 9' }),
        })
      ).node_id;
  });

  test('one service that runs on all three succeeds', async () => {
    const added = await addService({
      service_type: 'mysql',
      service_name: 'pxc',
      node_ids: NODES.map((name) => nodes[name]),
      cluster: 'pxc',
      environment: 'prod',
      replication_set: 'rs0',
      address: 'pxc.example.internal',
      port: 3306,
      version: '8.0.36',
    });
    pxc = added.service_id;
  });

  test('a serverless service that runs on no node succeeds', async () => {
    const added = await addService({
      service_type: 'postgresql',
      service_name: 'aurora',
      node_ids: [],
      environment: 'prod',
      address: 'aurora.example.internal',
      port: 5432,
    });
    expect(added).toMatchObject({ database_name: 'postgres', auto_discovery_limit: 0 });
    serverless = added.service_id;
  });

  test('an agent process on each node makes it not connected yet', async () => {
    for (const name of NODES) {
      const added = await addAgent({ agent_type: 'pmm_agent', runs_on_node_id: nodes[name] });
      expect(added).toMatchObject({ connected: false, disabled: false, insights: { node_ids: [], service_ids: [] } });
      expect(added).not.toHaveProperty('status');
      pmmAgents[name] = added.agent_id;
    }
  });

  test('a node_exporter under each agent process runs on that node and monitors it', async () => {
    for (const name of NODES) {
      const reply = await editor('POST', '/v1/agents', {
        body: { agent_type: 'node_exporter', pmm_agent_id: pmmAgents[name], listen_port: 42_000 },
      });
      const added = bodyOf(reply, 201);
      expect(added).toMatchObject({
        runs_on_node_id: nodes[name],
        pmm_agent_id: pmmAgents[name],
        insights: { node_ids: [nodes[name]], service_ids: [] },
        status: 'unknown',
      });
      nodeExporters[name] = added.agent_id;
    }
  });

  test('a mysqld_exporter under each agent process gives insight into the one service', async () => {
    for (const name of NODES) {
      const added = await addAgent({
        agent_type: 'mysqld_exporter',
        pmm_agent_id: pmmAgents[name],
        insights: { node_ids: [], service_ids: [pxc] },
        username: 'monitor',
      });
      expect(added).toMatchObject({ runs_on_node_id: nodes[name], status: 'unknown' });
      mysqldExporters[name] = added.agent_id;
    }
  });

  test('an external exporter on no node gives insight into two nodes and a service', async () => {
    const added = await addAgent({
      agent_type: 'external_exporter',
      insights: { node_ids: [nodes['a'], nodes['c']], service_ids: [serverless] },
      listen_port: 9_100,
    });
    expect(added).not.toHaveProperty('runs_on_node_id');
    expect(added).not.toHaveProperty('pmm_agent_id');
    external = added.agent_id;
  });
});

describe('getting', () => {
  const paths = (): [path: string, status: 200 | 304, ifNoneMatch: string][] => [
    [node('a'), 304, '"1"'],
    [service(pxc), 304, 'W/"1"'],
    [agent(external), 304, '"7", "1"'],
    [agent(pmmAgents['a']!), 304, '*'],
    [node('a'), 200, '"2"'],
    [service(pxc), 200, '"3"'],
    [agent(external), 200, '"other"'],
  ];

  test('returns a 304 without a body to a client with the present revision, and a 200 to others', async () => {
    for (const [path, status, ifNoneMatch] of paths()) {
      const reply = await viewer('GET', path, { headers: { 'If-None-Match': ifNoneMatch } });
      expect([path, ifNoneMatch, reply.status, reply.headers['etag']]).toEqual([path, ifNoneMatch, status, '"1"']);
      expect(reply.text === '').toBe(status === 304);
    }
  });

  test('of a missing object is a 404 with its id', async () => {
    for (const [kind, noun] of [
      ['nodes', 'Node'],
      ['services', 'Service'],
      ['agents', 'Agent'],
    ] as const) {
      const reply = await viewer('GET', `/v1/${kind}/${NOBODY}`);
      expect(reply).toMatchObject({ status: 404, body: { code: 5, error: `${noun} with ID "${NOBODY}" not found.` } });
    }
  });
});

describe('listing', () => {
  type Case = [query: () => string, expected: () => (string | undefined)[]];
  const each = (objects: Record<string, string>) => NODES.map((name) => objects[name]);

  const nodeLists: Case[] = [
    [() => '', () => each(nodes)],
    [() => 'node_type=generic', () => [nodes['a'], nodes['b']]],
    [() => 'node_type=container', () => [nodes['c']]],
    [() => 'node_type=remote', () => []],
    [() => 'name_prefix=pxc-', () => each(nodes)],
    [() => 'name_prefix=pxc-b', () => [nodes['b']]],
    [() => 'name_prefix=p_c-', () => []],
    [() => 'region=eu-west-2', () => [nodes['b'], nodes['c']]],
    [() => 'region=eu-west-2&node_type=container', () => [nodes['c']]],
    [() => 'region=eu-west-2&name_prefix=pxc-b', () => [nodes['b']]],
    [() => 'region=eu-west', () => []],
    [() => 'selector=team%3Ddb', () => each(nodes)],
    [() => `selector=${encodeURIComponent('team = db, rack in ("r1",r2), !legacy')}`, () => [nodes['b'], nodes['c']]],
    [() => 'selector=rack%3Dr0&region=eu-west-2', () => []],
    [() => 'selector=rack%3Dr1&updated_since=2020-01-01T00:00:00%2B02:00&fields=node_id', () => [nodes['b']]],
    [() => 'updated_since=2999-01-01T00:00:00Z', () => []],
    [() => 'state=never_seen', () => each(nodes)],
    [() => 'state=live', () => []],
    [() => 'include=state&region=eu-west-2', () => [nodes['b'], nodes['c']]],
    [() => 'cluster=pxc&region=eu-west-2', () => [nodes['b'], nodes['c']]],
    [() => 'az=', () => each(nodes)],
    [() => 'az=eu-west-2a', () => []],
    [() => 'address=10.0.0.2', () => [nodes['b']]],
    [() => 'address=10.0.0&total=true', () => []],
    [() => 'total=true&region=eu-west-2', () => [nodes['b'], nodes['c']]],
    [() => 'agent_version=&region=eu-west-2', () => [nodes['b'], nodes['c']]],
    [() => 'agent_version=3.3.1', () => []],
  ];
  const serviceLists: Case[] = [
    [() => '', () => [serverless, pxc]],
    [() => 'service_type=mysql', () => [pxc]],
    [() => 'service_type=haproxy', () => []],
    [() => 'name_prefix=aur', () => [serverless]],
    [() => `node_id=${nodes['a']!}`, () => [pxc]],
    [() => `node_id=${nodes['c']!}&service_type=postgresql`, () => []],
    [() => 'cluster=pxc', () => [pxc]],
    [() => 'environment=prod', () => [serverless, pxc]],
    [() => 'environment=prod&cluster=pxc', () => [pxc]],
    [() => 'environment=prod&service_type=postgresql', () => [serverless]],
    [() => 'group=external', () => []],
    [() => 'selector=cluster,environment%3Dprod', () => [pxc]],
    [() => 'selector=environment%3Dprod&fields=cluster&updated_since=2020-01-01T00:00:00Z', () => [serverless, pxc]],
    [() => 'state=never_seen&environment=prod', () => [serverless, pxc]],
    [() => 'state=offline', () => []],
    [() => 'include=state&cluster=pxc', () => [pxc]],
    [() => 'region=eu-west-2', () => [pxc]],
    [() => 'az=&version=', () => [serverless]],
    [() => 'version=8.0.36', () => [pxc]],
    [() => 'address=pxc.example.internal&total=true', () => [pxc]],
  ];
  const byId = (...ids: (string | undefined)[]) => ids.toSorted();
  const agentLists: Case[] = [
    // Sorted by type, then id.
    [
      () => '',
      () => [external, ...byId(...each(mysqldExporters)), ...byId(...each(nodeExporters)), ...byId(...each(pmmAgents))],
    ],
    [() => 'agent_type=pmm_agent', () => byId(...each(pmmAgents))],
    [() => 'agent_type=vm_agent', () => []],
    [() => `runs_on_node_id=${nodes['b']!}`, () => [mysqldExporters['b'], nodeExporters['b'], pmmAgents['b']]],
    [() => `runs_on_node_id=${nodes['b']!}&agent_type=node_exporter`, () => [nodeExporters['b']]],
    [() => `pmm_agent_id=${pmmAgents['b']!}`, () => [mysqldExporters['b'], nodeExporters['b']]],
    [() => `node_id=${nodes['a']!}`, () => [external, nodeExporters['a']]],
    [() => `node_id=${nodes['b']!}`, () => [nodeExporters['b']]],
    [() => `service_id=${pxc}`, () => byId(...each(mysqldExporters))],
    [() => `service_id=${serverless}`, () => [external]],
    [() => `service_id=${serverless}&agent_type=mysqld_exporter`, () => []],
    [
      () => `selector=agent_type!%3Dmysqld_exporter&node_id=${nodes['a']!}&fields=disabled`,
      () => [external, nodeExporters['a']],
    ],
    [() => 'selector=agent_type%3Dpmm_agent&updated_since=2020-01-01T00:00:00Z', () => byId(...each(pmmAgents))],
    [() => 'state=never_seen&agent_type=pmm_agent', () => byId(...each(pmmAgents))],
    [() => 'state=stale,offline', () => []],
    [() => 'status=running,waiting', () => []],
    [() => 'status=unknown&agent_type=node_exporter', () => byId(...each(nodeExporters))],
    [() => 'status_for=1h', () => []],
    [() => 'include=state&agent_type=pmm_agent', () => byId(...each(pmmAgents))],
    [() => 'region=eu-west-1', () => [external, mysqldExporters['a'], nodeExporters['a'], pmmAgents['a']]],
    [() => 'cluster=pxc&az=', () => byId(...each(mysqldExporters))],
    [() => 'environment=prod', () => [external, ...byId(...each(mysqldExporters))]],
    [() => 'version=&agent_type=pmm_agent', () => byId(...each(pmmAgents))],
    [() => 'total=true&agent_type=pmm_agent', () => byId(...each(pmmAgents))],
  ];
  const lists = [
    { endpoint: listNodes, field: 'nodes', idField: 'node_id', cases: nodeLists },
    { endpoint: listServices, field: 'services', idField: 'service_id', cases: serviceLists },
    { endpoint: listAgents, field: 'agents', idField: 'agent_id', cases: agentLists },
  ];

  test.each(lists)(
    '$field by every filter returns the order, on one page or on many',
    async ({ endpoint, field, idField, cases }) => {
      const filters = Object.keys((endpoint.query as any).shape).filter((name) => !name.startsWith('page_'));
      const used = cases.flatMap(([query]) => [...new URLSearchParams(query()).keys()]);
      expect(new Set(used)).toEqual(new Set(filters));
      for (const [query, expected] of cases) {
        for (const pageSize of [1, 1000]) {
          const listedObjects = await listAll(viewer, `${endpoint.path}?${query()}`, field, pageSize);
          expect([query(), listedObjects.map((object) => object[idField])]).toEqual([query(), expected()]);
        }
      }
    },
  );

  test('is case-sensitive for names and prefixes', async () => {
    const upper = await addNode({ node_type: 'remote', node_name: 'PXC-a', address: '10.0.0.9' });
    const namesWith = async (prefix: string) =>
      (await listAll(viewer, `/v1/nodes?name_prefix=${prefix}`, 'nodes')).map((node) => node.node_name);
    const [upperNames, lowerNames] = [await namesWith('PXC'), await namesWith('pxc')];
    bodyOf(await editor('DELETE', `/v1/nodes/${upper.node_id}`), 204);
    expect(upperNames).toEqual(['PXC-a']);
    expect(lowerNames).toEqual(['pxc-a', 'pxc-b', 'pxc-c']);
  });

  test('shows every object exactly as a get does', async () => {
    const { nodes: allNodes, services, agents } = await everything(viewer);
    for (const node of allNodes) expect(await get(`/v1/nodes/${node.node_id}`)).toEqual(node);
    for (const listedService of services) expect(await get(service(listedService.service_id))).toEqual(listedService);
    for (const listedAgent of agents) expect(await get(agent(listedAgent.agent_id))).toEqual(listedAgent);
  });

  test('the types of services returns existing types', async () => {
    expect(await get('/v1/services/types')).toEqual({ service_types: ['mysql', 'postgresql'] });
  });

  test('by two relations, an unknown type or an unknown filter is a 400', async () => {
    for (const query of [
      `agents?node_id=${nodes['a']!}&service_id=${pxc}`,
      `agents?runs_on_node_id=${nodes['a']!}&pmm_agent_id=${pmmAgents['a']!}`,
      'agents?agent_type=mysql',
      'nodes?node_type=Generic',
      'services?group_name=external',
    ])
      expect(await viewer('GET', `/v1/${query}`)).toMatchObject({ status: 400, body: { code: 3 } });
  });

  test('by a relation to a missing object is a 404', async () => {
    for (const query of [
      'agents?node_id',
      'agents?service_id',
      'agents?pmm_agent_id',
      'agents?runs_on_node_id',
      'services?node_id',
    ])
      expect(await viewer('GET', `/v1/${query}=${NOBODY}`)).toMatchObject({
        status: 404,
        body: { error: expect.stringContaining(NOBODY) },
      });
  });
});

describe('changing', () => {
  const change = (path: string, body: unknown, ifMatch?: string): Promise<HttpsReply> =>
    editor('PATCH', path, { body, headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch } });

  test('labels merges by name: new ones are added, null removes, and other labels and fields stay', async () => {
    const before = await get(node('a'));
    const reply = await change(node('a'), { custom_labels: { rack: null, team: 'dba', owner: 'x' } }, '"1"');
    const { updated_at: updatedAt, ...after } = bodyOf(reply, 200);
    expect(reply.headers).toMatchObject({ etag: '"2"' });
    const { updated_at: _, state, ...rest } = before;
    expect(after).toEqual({ ...rest, revision: 2, custom_labels: { team: 'dba', owner: 'x' } });
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    expect(await get(node('a'))).toEqual({ ...reply.body, state });
  });

  test('a field to null clears it, also for lists that filter by it', async () => {
    expect(await listAll(viewer, '/v1/nodes?region=eu-west-1', 'nodes')).toHaveLength(1);
    const cleared = bodyOf(await change(node('a'), { distro: null, region: null }, '"2"'), 200);
    expect(cleared).not.toHaveProperty('distro');
    expect(cleared).not.toHaveProperty('region');
    expect(await listAll(viewer, '/v1/nodes?region=eu-west-1', 'nodes')).toEqual([]);
    bodyOf(await change(node('a'), { region: 'eu-west-1' }, '*'), 200);
    expect(await listAll(viewer, '/v1/nodes?region=eu-west-1', 'nodes')).toHaveLength(1);
  });

  test('with If-Match and another revision is a 412 and changes nothing', async () => {
    const before = await get(node('a'));
    for (const ifMatch of ['"1"', 'W/"4"', '"99"', '""'])
      expect(await change(node('a'), { distro: 'other' }, ifMatch)).toMatchObject({
        status: 412,
        body: { code: 9, status: 'FAILED_PRECONDITION' },
      });
    expect(await get(node('a'))).toEqual(before);
    expect(before.revision).toBe(4);
  });

  test('succeeds exactly once among simultaneous changes with the same If-Match', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(node('b'), { distro: `distro ${index}` }, '"1"')),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    const winner = replies.find(({ status }) => status === 200)!;
    expect(await get(node('b'))).toEqual({ ...winner.body, state: 'never_seen' });
  });

  test('loses none of simultaneous changes without If-Match', async () => {
    const before = await get(node('c'));
    const labels = Array.from({ length: 8 }, (_, index) => `label_${index}`);
    for (const reply of await Promise.all(labels.map((name) => change(node('c'), { custom_labels: { [name]: 'x' } }))))
      bodyOf(reply, 200);
    const after = await get(node('c'));
    expect(after.revision).toBe(Number(before.revision) + labels.length);
    expect(Object.keys(after.custom_labels)).toEqual(expect.arrayContaining(labels));
    bodyOf(await change(node('c'), { custom_labels: null }), 200);
    expect((await get(node('c'))).custom_labels).toEqual({});
  });

  test('nothing keeps the revision', async () => {
    const { state: _, ...before } = await get(service(pxc));
    expect(bodyOf(await change(service(pxc), { cluster: 'pxc', custom_labels: {} }), 200)).toEqual(before);
  });

  test('the nodes of a service replaces them as a whole, and every list follows', async () => {
    const onC = () => listAll(viewer, `/v1/services?node_id=${nodes['c']!}`, 'services');
    bodyOf(await change(service(pxc), { node_ids: [nodes['b'], nodes['a']] }, '"1"'), 200);
    expect(await onC()).toEqual([]);
    const all = NODES.map((name) => nodes[name]);
    bodyOf(await change(service(pxc), { node_ids: all }, '"2"'), 200);
    expect(await onC()).toMatchObject([{ service_id: pxc, node_ids: all, revision: 3 }]);
  });

  test('an agent to disabled sets it to done at once', async () => {
    const disabled = bodyOf(await change(agent(nodeExporters['a']!), { disabled: true }), 200);
    expect(disabled).toMatchObject({ disabled: true, status: 'done', revision: 2 });
    expect(bodyOf(await change(agent(nodeExporters['a']!), { disabled: false }), 200)).toMatchObject({
      status: 'done',
    });
  });
});

describe('a refusal', () => {
  /** Refused requests, with the status, the code and the message of each. */
  type Refusal = [method: string, path: string, body: unknown, status: number, code: number, error: string];

  const mysql = { service_type: 'mysql', service_name: 'other', address: 'h', port: 1 };
  const generic = { node_type: 'generic', node_name: 'other', address: 'h' };
  const groups: Record<string, () => Refusal[]> = {
    'a removal while anything depends on it': () => [
      ['DELETE', node('a'), undefined, 400, 9, `Node with ID "${nodes['a']!}" has agents.`],
      ['DELETE', `${node('a')}?force=false`, undefined, 400, 9, `Node with ID "${nodes['a']!}" has agents.`],
      ['DELETE', service(pxc), undefined, 400, 9, `Service with ID "${pxc}" has agents.`],
      ['DELETE', service(serverless), undefined, 400, 9, `Service with ID "${serverless}" has agents.`],
      ['DELETE', agent(pmmAgents['b']!), undefined, 400, 9, `pmm-agent with ID "${pmmAgents['b']!}" has agents.`],
    ],
    'a name, an address in a region or a container that is taken': () => [
      ['POST', '/v1/nodes', { ...generic, node_name: 'pxc-a' }, 409, 6, 'Node with name "pxc-a" already exists.'],
      [
        'POST',
        '/v1/services',
        { ...mysql, service_name: 'aurora' },
        409,
        6,
        'Service with name "aurora" already exists.',
      ],
      [
        'POST',
        '/v1/nodes',
        { ...generic, address: '10.0.0.2', region: 'eu-west-2' },
        409,
        6,
        'Node with address "10.0.0.2" and region "eu-west-2" already exists.',
      ],
      [
        'PATCH',
        node('b'),
        { address: '10.0.0.3' },
        409,
        6,
        'Node with address "10.0.0.3" and region "eu-west-2" already exists.',
      ],
      [
        'POST',
        '/v1/nodes',
        { node_type: 'container', node_name: 'other', address: 'h', container_id: 'c0ffee' },
        409,
        6,
        'Node with container ID "c0ffee" already exists.',
      ],
    ],
    'a reference to what is not there': () => [
      [
        'POST',
        '/v1/services',
        { ...mysql, node_ids: [nodes['a'], NOBODY] },
        404,
        5,
        `Node with ID "${NOBODY}" not found.`,
      ],
      ['PATCH', service(pxc), { node_ids: [NOBODY] }, 404, 5, `Node with ID "${NOBODY}" not found.`],
      [
        'POST',
        '/v1/agents',
        { agent_type: 'pmm_agent', runs_on_node_id: NOBODY },
        404,
        5,
        `Node with ID "${NOBODY}" not found.`,
      ],
      [
        'POST',
        '/v1/agents',
        { agent_type: 'node_exporter', pmm_agent_id: NOBODY },
        404,
        5,
        `Agent with ID "${NOBODY}" not found.`,
      ],
      [
        'POST',
        '/v1/agents',
        { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgents['a'], insights: { service_ids: [pxc, NOBODY] } },
        404,
        5,
        `Service with ID "${NOBODY}" not found.`,
      ],
      ['PATCH', agent(external), { insights: { node_ids: [NOBODY] } }, 404, 5, `Node with ID "${NOBODY}" not found.`],
      ['PATCH', node('x'), { address: 'h' }, 404, 5, 'Node with ID "undefined" not found.'],
    ],
    'types that do not go together': () => [
      [
        'POST',
        '/v1/agents',
        { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgents['a'], insights: { service_ids: [serverless] } },
        400,
        9,
        'invalid combination of service type postgresql and agent type mysqld_exporter',
      ],
      [
        'POST',
        '/v1/agents',
        { agent_type: 'rds_exporter', pmm_agent_id: pmmAgents['a'], insights: { node_ids: [nodes['b']] } },
        400,
        9,
        'invalid combination of node type generic and agent type rds_exporter',
      ],
      [
        'PATCH',
        agent(mysqldExporters['a']!),
        { insights: { service_ids: [serverless] } },
        400,
        9,
        'invalid combination of service type postgresql and agent type mysqld_exporter',
      ],
      [
        'POST',
        '/v1/agents',
        { agent_type: 'node_exporter', pmm_agent_id: nodeExporters['a'] },
        400,
        9,
        `Agent with ID "${nodeExporters['a']!}" is not a pmm_agent.`,
      ],
    ],
  };

  test.each(Object.entries(groups))('%s: states the error and changes nothing', async (_name, cases) => {
    const before = await everything(viewer);
    for (const [method, path, body, status, code, error] of cases()) {
      const reply = await editor(method, path, { body });
      expect([method, path, reply.status, reply.body]).toEqual([
        method,
        path,
        status,
        expect.objectContaining({ code, error }),
      ]);
    }
    expect(await everything(viewer)).toEqual(before);
  });

  /** Bad fields: every one of them is named in the details, with its reason. */
  const fields: Record<string, () => [method: string, path: string, body: object, reasons: Record<string, string>][]> =
    {
      'credentials in a body': () => [
        [
          'POST',
          '/v1/services',
          { ...mysql, password: 'x', tls_key: 'x' },
          { password: 'credential', tls_key: 'credential' },
        ],
        [
          'POST',
          '/v1/agents',
          {
            agent_type: 'mysqld_exporter',
            pmm_agent_id: pmmAgents['a'],
            username: 'kept',
            agent_password: 'x',
            tls_ca: 'x',
            tls_cert: 'x',
          },
          { agent_password: 'credential', tls_ca: 'credential', tls_cert: 'credential' },
        ],
        [
          'PATCH',
          agent(external),
          { aws_secret_key: 'x', aws_access_key: 'x' },
          { aws_secret_key: 'credential', aws_access_key: 'credential' },
        ],
        ['PATCH', service(pxc), { password: null }, { password: 'credential' }],
        ['POST', '/v1/nodes', { ...generic, address: 'mysql://root:secret@h' }, { address: 'invalid_format' }],
      ],
      'fields that never change': () => [
        [
          'PATCH',
          node('a'),
          { node_name: 'x', node_type: 'remote' },
          { node_name: 'immutable', node_type: 'immutable' },
        ],
        [
          'PATCH',
          service(pxc),
          { service_name: 'x', service_type: 'mongodb' },
          { service_name: 'immutable', service_type: 'immutable' },
        ],
        [
          'PATCH',
          agent(nodeExporters['a']!),
          { agent_type: 'vm_agent', runs_on_node_id: nodes['b'], pmm_agent_id: pmmAgents['b'] },
          { agent_type: 'immutable', runs_on_node_id: 'immutable', pmm_agent_id: 'immutable' },
        ],
      ],
      'fields that only the server sets': () => [
        [
          'POST',
          '/v1/nodes',
          { ...generic, node_id: NOBODY, revision: 7 },
          { node_id: 'read_only', revision: 'read_only' },
        ],
        [
          'PATCH',
          node('a'),
          { created_at: '2020-01-01T00:00:00Z', updated_at: null },
          { created_at: 'read_only', updated_at: 'read_only' },
        ],
        [
          'PATCH',
          agent(external),
          { status: 'running', agent_id: NOBODY },
          { status: 'read_only', agent_id: 'read_only' },
        ],
        ['PATCH', agent(pmmAgents['a']!), { connected: true }, { connected: 'read_only' }],
      ],
      'fields that an object of this type does not have': () => [
        [
          'POST',
          '/v1/nodes',
          { ...generic, container_id: 'x', colour: 'x' },
          { container_id: 'unknown_field', colour: 'unknown_field' },
        ],
        ['PATCH', node('a'), { container_id: 'x' }, { container_id: 'unknown_field' }],
        ['PATCH', service(pxc), { group: 'x' }, { group: 'unknown_field' }],
        [
          'POST',
          '/v1/agents',
          { agent_type: 'external_exporter', listen_port: 1, pmm_agent_id: NOBODY },
          { pmm_agent_id: 'unknown_field' },
        ],
      ],
      'everything that is wrong at once': () => [
        [
          'POST',
          '/v1/services',
          {
            service_type: 'mysql',
            service_name: '',
            address: 'h',
            port: 70_000,
            custom_labels: { '1x': 'y' },
            colour: 'red',
            password: 'x',
          },
          {
            service_name: 'invalid_format',
            port: 'out_of_range',
            'custom_labels.1x': 'invalid_label_name',
            colour: 'unknown_field',
            password: 'credential',
          },
        ],
      ],
    };

  test.each(Object.entries(fields))(
    '%s: 400 that names each field with its reason, and nothing changes',
    async (_name, cases) => {
      const before = await everything(viewer);
      for (const [method, path, body, reasons] of cases()) {
        const reply = await editor(method, path, { body });
        expect([method, path, reply.status]).toEqual([method, path, 400]);
        const given = reply.body.details.map(({ field, reason }: { field: string; reason: string }) => [field, reason]);
        expect(Object.fromEntries(given)).toEqual(reasons);
      }
      expect(await everything(viewer)).toEqual(before);
    },
  );

  test('of a credential has its reason', async () => {
    const reply = await editor('POST', '/v1/services', { body: { ...mysql, password: 'x' } });
    expect(reply.body.details[0].message).toBe(
      'Credentials are not stored here. Configure them on the host of the agent.',
    );
  });

  test('of a removal with the wrong If-Match is a 412, with and without force', async () => {
    const before = await everything(viewer);
    for (const query of ['', '?force=true'])
      expect(await editor('DELETE', node('a') + query, { headers: { 'If-Match': '"1"' } })).toMatchObject({
        status: 412,
      });
    expect(await everything(viewer)).toEqual(before);
  });
});

describe('after a restart or a removal', () => {
  test('everything is unchanged, and the same keys work', async () => {
    const before = await everything(viewer);
    await restart('SIGTERM');
    expect(await everything(viewer)).toEqual(before);
    expect(server.errors()).toEqual([]);
  });

  test('a forced removal of a node removes its agents and keeps the service on the other two', async () => {
    const before = await get(service(pxc));
    const watcher = await get(agent(external));
    bodyOf(
      await editor('DELETE', `${node('c')}?force=true`, {
        headers: { 'If-Match': `"${(await get(node('c'))).revision}"` },
      }),
      204,
    );
    for (const path of [node('c'), agent(pmmAgents['c']!), agent(nodeExporters['c']!), agent(mysqldExporters['c']!)])
      expect(await viewer('GET', path)).toMatchObject({ status: 404 });
    expect(await get(service(pxc))).toMatchObject({
      node_ids: [nodes['a'], nodes['b']],
      revision: Number(before.revision) + 1,
    });
    expect(await get(agent(external))).toMatchObject({
      insights: { node_ids: [nodes['a']], service_ids: [serverless] },
      revision: Number(watcher.revision) + 1,
    });
    const left = await everything(viewer);
    expect([left.nodes, left.services, left.agents].map(({ length }) => length)).toEqual([2, 2, 7]);
    expect(await editor('DELETE', `${node('c')}?force=true`)).toMatchObject({ status: 404 });
  });
});

describeInFull('kill -9 while many write', () => {
  const WRITERS = 8;
  const ROUNDS = 4;

  /** What a service may be afterwards, by name: its version, or `undefined` for not there. Two when a call was cut off. */
  const allowed = new Map<string, (string | undefined)[]>();
  let acknowledged = 0;
  let cutOff = 0;

  /** Adds a service, changes it, and removes every third, over and over, until the server is gone. */
  async function write(writer: number, round: number): Promise<void> {
    const on = [nodes['a'], nodes['b']];
    // Of this round: the server that comes after it is none of a writer's business.
    const client = editor;
    for (let count = 0; ; count += 1) {
      const name = `w${round}-${writer}-${count}`;
      let path = '';
      const calls: [result: string | undefined, call: () => Promise<HttpsReply>, status: number][] = [
        [
          'added',
          () =>
            client('POST', '/v1/services', {
              body: {
                service_type: 'mysql',
                service_name: name,
                address: 'h',
                port: 1,
                node_ids: on,
                version: 'added',
              },
            }),
          201,
        ],
        ['changed', () => client('PATCH', path, { body: { version: 'changed', node_ids: on.slice(count % 2) } }), 200],
        ...(count % 3 === 0
          ? [[undefined, () => client('DELETE', path), 204] as [undefined, () => Promise<HttpsReply>, number]]
          : []),
      ];
      let last: string | undefined;
      for (const [result, call, status] of calls) {
        allowed.set(name, [last, result]);
        let reply: HttpsReply;
        try {
          reply = await call();
        } catch {
          cutOff += 1;
          return;
        }
        const body = bodyOf(reply, status);
        acknowledged += 1;
        last = result;
        allowed.set(name, [last]);
        if (status === 201) path = service(body.service_id);
      }
    }
  }

  async function check(): Promise<void> {
    const servicesByName = new Map(
      (await listAll(viewer, '/v1/services?name_prefix=w', 'services')).map((listed) => [listed.service_name, listed]),
    );
    for (const name of servicesByName.keys()) expect(allowed.has(name)).toBe(true);
    for (const [name, versions] of allowed)
      expect([name, versions]).toEqual([name, expect.arrayContaining([servicesByName.get(name)?.version])]);
    // The lists by relation, which are read from other items, say the same: no transaction was torn apart.
    for (const name of ['a', 'b']) {
      const here = await listAll(viewer, `/v1/services?node_id=${nodes[name]!}&name_prefix=w`, 'services');
      const expected = [...servicesByName.values()].filter(({ node_ids: ids }) => ids.includes(nodes[name]));
      expect(here).toEqual(expected);
    }
    // The outcome of each interrupted write is known from here on.
    for (const name of allowed.keys()) allowed.set(name, [servicesByName.get(name)?.version]);
  }

  test('the server loses no acknowledged write, keeps none in part, and restarts silently', async () => {
    const cluster = await everything(viewer);
    for (let round = 0; round < ROUNDS; round += 1) {
      const writing = Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer, round)));
      const before = acknowledged;
      do await delay(randomInt(250, 500));
      while (acknowledged - before < 2 * WRITERS);
      await restart('SIGKILL');
      const refused = (await writing).filter((end) => end.status === 'rejected');
      expect(refused).toEqual([]);
      expect(server.errors()).toEqual([]);
      await check();
    }
    expect(cutOff).toBe(WRITERS * ROUNDS);
    // The other objects are unchanged.
    const after = await everything(viewer);
    expect({ ...after, services: after.services.filter((listed) => !listed.service_name.startsWith('w')) }).toEqual(
      cluster,
    );
  });
});

describe('at the end', () => {
  const remove = async (path: string) => bodyOf(await editor('DELETE', path), 204);

  test('all objects can be removed without force, leaves first', async () => {
    for (const listed of await listAll(viewer, '/v1/services?name_prefix=w', 'services'))
      await remove(service(listed.service_id));
    await remove(agent(external));
    await remove(service(serverless));
    for (const name of ['a', 'b']) {
      await remove(agent(mysqldExporters[name]!));
      await remove(agent(nodeExporters[name]!));
      expect(await editor('DELETE', node(name))).toMatchObject({
        status: 400,
        body: { error: `Node with ID "${nodes[name]!}" has pmm-agent.` },
      });
      await remove(agent(pmmAgents[name]!));
      expect(await editor('DELETE', node(name))).toMatchObject({
        status: 400,
        body: { error: `Node with ID "${nodes[name]!}" has services.` },
      });
    }
    await remove(service(pxc));
    await remove(node('a'));
    await remove(node('b'));
    expect(await everything(viewer)).toEqual({ nodes: [], services: [], agents: [] });
    expect(await get('/v1/services/types')).toEqual({ service_types: [] });
  });

  test('a removed name, address and container are free, and force removes a whole node', async () => {
    const again = await addNode({
      node_type: 'container',
      node_name: 'pxc-a',
      address: '10.0.0.3',
      region: 'eu-west-2',
      container_id: 'c0ffee',
    });
    expect(Object.values(nodes)).not.toContain(again.node_id);
    const only = await addService({
      service_type: 'mysql',
      service_name: 'pxc',
      address: 'h',
      port: 1,
      node_ids: [again.node_id],
    });
    const process = await addAgent({ agent_type: 'pmm_agent', runs_on_node_id: again.node_id });
    await addAgent({
      agent_type: 'mysqld_exporter',
      pmm_agent_id: process.agent_id,
      insights: { node_ids: [], service_ids: [only.service_id] },
    });
    bodyOf(await editor('DELETE', `/v1/nodes/${again.node_id}?force=true`), 204);
    expect(await everything(viewer)).toEqual({ nodes: [], services: [], agents: [] });
  });

  test('the table contains nothing of removed objects, except their records', async () => {
    await server.stop();
    const engine = await startEngine({ dataDir: server.dataDir, environment: process.env });
    try {
      const { client, name } = engine.open('monitoring-inventory');
      const { Items = [] } = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true }));
      const kinds = new Set(Items.map(({ pk }) => String(pk).split('#', 1)[0]));
      const records = ['AUDIT', 'CHANGE', 'REMOVALS'];
      // Released names keep the time of their release for an hour.
      const released = Items.filter(({ pk }) => /^(?:NODE|SERVICE)_NAME#/.test(String(pk)));
      expect(released.map(({ released_at: at, ttl }) => Number(ttl) * 1000 - Number(at))).toEqual(
        released.map(() => expect.closeTo(3_600_000, -4)),
      );
      expect([...kinds].filter((kind) => !records.includes(kind!)).toSorted()).toEqual([
        ...[
          'ACCOUNT',
          'API_KEYS',
          'CLEANUP',
          'FORMAT',
          'KEY',
          'KEY_ID',
          'NODE_NAME',
          'SECRET',
          'SERVICE_NAME',
          'SESSION',
          'SESSIONS',
          'SESSION_ID',
        ],
      ]);
      client.destroy();
    } finally {
      await engine.stop();
    }
  });
});
