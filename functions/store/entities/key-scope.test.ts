/** The rights of a Registrar: one mechanism in the store, tested through every endpoint that is open to a Registrar. */
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { addAgent, addNode, addService } from '../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { useAttributes } from '../table/keys.ts';
import { endpoints } from '../../api/endpoints.ts';
import { withSend } from '../../../tests/support/table.ts';

let inventory: Inventory;
/** Runs once, just before the next write of a request: a concurrent change at the worst moment. */
let meanwhile: (() => Promise<unknown>) | undefined;

const start = () =>
  startInventory({
    table: (table) =>
      withSend(table, async (command: any) => {
        if (command instanceof PutCommand || command instanceof TransactWriteCommand) {
          const work = meanwhile;
          meanwhile = undefined;
          await work?.();
        }
        return table.client.send(command);
      }),
  });

/** An inventory for this block only, whose tests compare all its items. */
function useOwnInventory(): void {
  let outer: Inventory;
  beforeAll(async () => {
    outer = inventory;
    inventory = await start();
  });
  afterAll(async () => {
    expect(await checkInvariants(inventory.table)).toEqual([]);
    await inventory.stop();
    inventory = outer;
  });
}

useOwnInventory();

type Ask = (method: string, path: string, body?: unknown) => ReturnType<Inventory['request']>;

/** An enrolled host with its own service and exporter. */
async function newHost() {
  const token = await inventory.request('POST', '/v1/enrolment-tokens', {
    body: { name: 'test', allowed_addresses: ['a'] },
  });
  const name = `host-${token.body.token_id}`;
  const body = { token: token.body.token, node: { node_type: 'generic', node_name: name, address: 'a' } };
  const enrolled = (await inventory.request('POST', '/v1/enrolment', { as: null, body })).body;
  const headers = { Authorization: `Bearer ${enrolled.api_key.key}` };
  const ask: Ask = (method, path, sent) =>
    inventory.request(method, path, { as: null, headers, ...(sent === undefined ? {} : { body: sent }) });
  const nodeId: string = enrolled.node.node_id;
  const must = async (path: string, sent: object) => {
    const reply = await ask('POST', path, sent);
    expect([path, reply.status, reply.text]).toEqual([path, 201, reply.text]);
    return reply.body;
  };
  const service = { service_type: 'mysql', address: 'a', port: 3306, node_ids: [nodeId] };
  const { service_id: serviceId } = await must('/v1/services', { ...service, service_name: `mysql-${name}` });
  const { agent_id: pmmAgentId } = await must('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId };
  const { agent_id: agentId } = await must('/v1/agents', { ...exporter, insights: { service_ids: [serviceId] } });
  return {
    ask,
    authorization: headers.Authorization,
    name,
    nodeId,
    serviceId,
    pmmAgentId,
    agentId,
    service: { ...service, service_name: `more-${name}` },
    exporter,
  };
}

type Host = Awaited<ReturnType<typeof newHost>>;

async function everything() {
  const { Items = [], LastEvaluatedKey } = await inventory.table.client.send(
    new ScanCommand({ TableName: inventory.table.name, ConsistentRead: true }),
  );
  expect(LastEvaluatedKey).toBeUndefined();
  // The count of refusals is no effect of the request itself.
  const effects = Items.filter(({ pk }) => pk !== 'AUDIT#REFUSED');
  return Object.fromEntries(
    effects.map((item) => [
      `${String(item['pk'])} ${String(item['sk'])}`,
      Object.fromEntries(Object.entries(item).filter(([name]) => !useAttributes.includes(name))),
    ]),
  );
}

interface SharedObjects {
  /** A service of the host that also runs on another node. */
  serviceId: string;
  /** An exporter on the host that watches a service on another node. */
  agentId: string;
  nodeId: string;
}

type Try = readonly [method: string, path: string, body?: unknown];

const declaredNode = { node_type: 'generic', address: 'a' };

const label = { custom_labels: { a: 'b' } };

/**
 * By endpoint: calls that a host may make for its own objects, and calls that it must not make for foreign or shared
 * ones.
 */
const tries: Record<
  string,
  { allowed: (host: Host) => Try[]; foreign: (host: Host, other: Host, shared: SharedObjects) => Try[] }
> = {
  discoverTargets: {
    allowed: () => [['GET', '/v1/discovery/prometheus?node=self']],
    foreign: (_, other, shared) =>
      ['', ...[other.nodeId, shared.nodeId].map((id) => `?node=${id}`)].map((query): Try => [
        'GET',
        `/v1/discovery/prometheus${query}`,
      ]),
  },
  getNode: {
    allowed: (host) => [['GET', `/v1/nodes/${host.nodeId}`]],
    foreign: (_, other, shared) => [other.nodeId, shared.nodeId].map((id): Try => ['GET', `/v1/nodes/${id}`]),
  },
  listNodeHistory: {
    allowed: (host) => [['GET', `/v1/nodes/${host.nodeId}/history`]],
    foreign: (_, other, shared) => [other.nodeId, shared.nodeId].map((id): Try => ['GET', `/v1/nodes/${id}/history`]),
  },
  changeNode: {
    allowed: (host) => [['PATCH', `/v1/nodes/${host.nodeId}`, label]],
    foreign: (_, other) => [
      ['PATCH', `/v1/nodes/${other.nodeId}`, label],
      ['PATCH', `/v1/nodes/${other.nodeId}`, {}],
    ],
  },
  upsertNode: {
    allowed: (host) => [
      ['PUT', `/v1/nodes/by-name/${host.name}`, declaredNode],
      ['PUT', `/v1/nodes/by-name/${host.name}`, { ...declaredNode, ...label }],
    ],
    foreign: (host, other) => [
      ['PUT', `/v1/nodes/by-name/${other.name}`, declaredNode],
      ['PUT', `/v1/nodes/by-name/${other.name}`, { ...declaredNode, ...label }],
      ['PUT', `/v1/nodes/by-name/${other.name}`, { ...declaredNode, node_type: 'container' }],
      ['PUT', `/v1/nodes/by-name/new-${host.name}`, declaredNode],
    ],
  },
  getService: {
    allowed: (host) => [['GET', `/v1/services/${host.serviceId}`]],
    foreign: (_, other, shared) => [other.serviceId, shared.serviceId].map((id): Try => ['GET', `/v1/services/${id}`]),
  },
  listServiceHistory: {
    allowed: (host) => [['GET', `/v1/services/${host.serviceId}/history`]],
    foreign: (_, other, shared) =>
      [other.serviceId, shared.serviceId].map((id): Try => ['GET', `/v1/services/${id}/history`]),
  },
  addService: {
    allowed: (host) => [['POST', '/v1/services', host.service]],
    foreign: (host, other) => [
      ['POST', '/v1/services', { ...host.service, service_name: 'x1', node_ids: [other.nodeId] }],
      ['POST', '/v1/services', { ...host.service, service_name: 'x2', node_ids: [host.nodeId, other.nodeId] }],
      ['POST', '/v1/services', { ...host.service, service_name: 'x3', node_ids: [] }],
    ],
  },
  changeService: {
    allowed: (host) => [['PATCH', `/v1/services/${host.serviceId}`, { ...label, cluster: 'c' }]],
    foreign: (host, other, shared) => [
      ['PATCH', `/v1/services/${other.serviceId}`, label],
      ['PATCH', `/v1/services/${shared.serviceId}`, label],
      ['PATCH', `/v1/services/${shared.serviceId}`, { node_ids: [host.nodeId] }],
      ['PATCH', `/v1/services/${host.serviceId}`, { node_ids: [host.nodeId, other.nodeId] }],
      ['PATCH', `/v1/services/${host.serviceId}`, { node_ids: [other.nodeId] }],
      ['PATCH', `/v1/services/${host.serviceId}`, { node_ids: null }],
    ],
  },
  upsertService: {
    allowed: (host) => {
      const { service_name: name, ...declared } = host.service;
      return [
        ['PUT', `/v1/services/by-name/${name}`, declared],
        ['PUT', `/v1/services/by-name/${name}`, declared],
        ['PUT', `/v1/services/by-name/${name}`, { ...declared, ...label }],
      ];
    },
    foreign: (host, other) => {
      const { service_name: _, ...declared } = host.service;
      const theirs = `/v1/services/by-name/mysql-${other.name}`;
      return [
        ['PUT', theirs, { ...declared, node_ids: [other.nodeId] }],
        ['PUT', theirs, declared],
        ['PUT', `/v1/services/by-name/mysql-${host.name}`, { ...declared, node_ids: [host.nodeId, other.nodeId] }],
        ['PUT', `/v1/services/by-name/new-${host.name}`, { ...declared, node_ids: [other.nodeId] }],
        ['PUT', `/v1/services/by-name/new-${host.name}`, { ...declared, node_ids: [] }],
      ];
    },
  },
  getAgent: {
    allowed: (host) => [['GET', `/v1/agents/${host.agentId}`]],
    foreign: (_, other) => [['GET', `/v1/agents/${other.agentId}`]],
  },
  listAgentHistory: {
    allowed: (host) => [['GET', `/v1/agents/${host.agentId}/history`]],
    foreign: (_, other) => [['GET', `/v1/agents/${other.agentId}/history`]],
  },
  addAgent: {
    allowed: (host) => [
      ['POST', '/v1/agents', { ...host.exporter, insights: { service_ids: [host.serviceId] } }],
      ['POST', '/v1/agents', { agent_type: 'node_exporter', pmm_agent_id: host.pmmAgentId }],
    ],
    foreign: (host, other, shared) => {
      const watching = (id: string) => ({ insights: { service_ids: [id] } });
      const external = { agent_type: 'external_exporter', listen_port: 1 };
      return [
        ['POST', '/v1/agents', { ...other.exporter, ...watching(other.serviceId) }],
        ['POST', '/v1/agents', { ...other.exporter, ...watching(host.serviceId) }],
        ['POST', '/v1/agents', { ...host.exporter, ...watching(other.serviceId) }],
        ['POST', '/v1/agents', { ...host.exporter, ...watching(shared.serviceId) }],
        ['POST', '/v1/agents', { ...external, ...watching(host.serviceId) }],
        ['POST', '/v1/agents', { ...external, runs_on_node_id: host.nodeId, insights: { node_ids: [other.nodeId] } }],
        ['POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: other.nodeId }],
      ];
    },
  },
  upsertAgent: {
    allowed: (host) => {
      const watching = { ...host.exporter, insights: { service_ids: [host.serviceId] } };
      return [
        ['PUT', '/v1/agents/by-key', watching],
        ['PUT', '/v1/agents/by-key', watching],
        ['PUT', '/v1/agents/by-key', { ...watching, disabled: true }],
        ['PUT', '/v1/agents/by-key', { agent_type: 'node_exporter', pmm_agent_id: host.pmmAgentId }],
      ];
    },
    foreign: (host, other, shared) => {
      const watching = (id: string) => ({ insights: { service_ids: [id] } });
      return [
        ['PUT', '/v1/agents/by-key', { ...other.exporter, ...watching(other.serviceId) }],
        // It may read this one: an equal declaration changes nothing.
        ['PUT', '/v1/agents/by-key', { ...host.exporter, ...watching(other.serviceId), disabled: true }],
        ['PUT', '/v1/agents/by-key', { ...host.exporter, ...watching(shared.serviceId) }],
        ['PUT', '/v1/agents/by-key', { agent_type: 'pmm_agent', runs_on_node_id: other.nodeId }],
      ];
    },
  },
  changeAgent: {
    allowed: (host) => [
      ['PATCH', `/v1/agents/${host.agentId}`, { disabled: true }],
      ['PATCH', `/v1/agents/${host.agentId}`, { insights: { service_ids: [] } }],
    ],
    foreign: (host, other, shared) => [
      ['PATCH', `/v1/agents/${other.agentId}`, { disabled: true }],
      ['PATCH', `/v1/agents/${shared.agentId}`, { disabled: true }],
      ['PATCH', `/v1/agents/${shared.agentId}`, { insights: { service_ids: [] } }],
      ['PATCH', `/v1/agents/${host.agentId}`, { insights: { service_ids: [other.serviceId] } }],
      ['PATCH', `/v1/agents/${host.agentId}`, { insights: { service_ids: [host.serviceId, shared.serviceId] } }],
    ],
  },
  removeAgent: {
    allowed: (host) => [['DELETE', `/v1/agents/${host.agentId}`]],
    foreign: (_, other, shared) => [
      ['DELETE', `/v1/agents/${other.agentId}`],
      ['DELETE', `/v1/agents/${other.pmmAgentId}?force=true`],
      ['DELETE', `/v1/agents/${shared.agentId}`],
    ],
  },
  reportAgents: {
    allowed: (host) => [
      ['POST', `/v1/agents/${host.pmmAgentId}/report`, { agents: [{ agent_id: host.agentId, status: 'running' }] }],
    ],
    foreign: (_, other) => [['POST', `/v1/agents/${other.pmmAgentId}/report`, { agents: [] }]],
  },
  removeService: {
    allowed: (host) => [['DELETE', `/v1/services/${host.serviceId}?force=true`]],
    foreign: (_, other, shared) => [
      ['DELETE', `/v1/services/${other.serviceId}?force=true`],
      ['DELETE', `/v1/services/${shared.serviceId}`],
      ['DELETE', `/v1/services/${shared.serviceId}?force=true`],
    ],
  },
  removeNode: {
    allowed: (host) => [['DELETE', `/v1/nodes/${host.nodeId}?force=true`]],
    foreign: (host, other) => [
      ['DELETE', `/v1/nodes/${other.nodeId}`],
      ['DELETE', `/v1/nodes/${other.nodeId}?force=true`],
      // It would remove its node from the shared service, and the exporter that watches a foreign service.
      ['DELETE', `/v1/nodes/${host.nodeId}?force=true`],
    ],
  },
};

/** Endpoints that return or change no object of the inventory. */
const withoutObjects = ['getVersion', 'getCaller', 'rotateOwnApiKey'];

test('every endpoint for Registrars is tried', () => {
  const open = endpoints.filter(({ scoped }) => scoped === true).map(({ id }) => id);
  expect([...Object.keys(tries), ...withoutObjects].sort()).toEqual(open.sort());
});

test.each(Object.entries(tries))('%s of its own: as an Editor would', async (_, { allowed }) => {
  const host = await newHost();
  for (const [method, path, body] of allowed(host)) {
    const reply = await host.ask(method, path, body);
    expect([path, reply.status < 300, reply.text]).toEqual([path, true, reply.text]);
  }
});

describe("for other hosts' objects, and shared ones", () => {
  useOwnInventory();

  // Of all these tests: none of them writes anything.
  let host: Host;
  let other: Host;
  let shared: SharedObjects;
  beforeAll(async () => {
    host = await newHost();
    other = await newHost();
    const more = { service_type: 'mysql', node_ids: [host.nodeId, other.nodeId] };
    const { service_id: serviceId } = await addService(inventory, more);
    const { agent_id: agentId } = await addAgent(inventory, {
      ...host.exporter,
      insights: { service_ids: [other.serviceId] },
    });
    const { node_id: nodeId } = await addNode(inventory);
    shared = { serviceId, agentId, nodeId };
  });

  test.each(Object.entries(tries))('%s is a 403, and nothing is written', async (_, { foreign }) => {
    const before = await everything();
    for (const [method, path, body] of foreign(host, other, shared)) {
      const reply = await host.ask(method, path, body);
      expect([method, path, reply.status, reply.body?.code]).toEqual([method, path, 403, 7]);
    }
    expect(await everything()).toEqual(before);
  });
});

test('no reply reveals whether a node with some name exists', async () => {
  const [host, other] = [await newHost(), await newHost()];
  const declared = (name: string, headers: Record<string, string>) =>
    inventory.request('PUT', `/v1/nodes/by-name/${name}`, {
      as: null,
      headers: { Authorization: host.authorization, ...headers },
      body: declaredNode,
    });
  for (const headers of [
    {},
    { 'If-Match': '*' },
    { 'If-Match': '"1"' },
    { 'If-Match': '"x"' },
    { 'If-None-Match': '*' },
    { 'If-None-Match': '"1"' },
  ]) {
    const replies = await Promise.all([other.name, `no-${other.name}`].map((name) => declared(name, headers)));
    const [exists, doesNot] = replies.map(({ status, body: { request_id: _, ...body } }) => ({ status, body }));
    expect([headers, exists]).toEqual([headers, doesNot]);
    expect(exists!.status).toBe(403);
  }
});

describe('the addresses that a host may use', () => {
  useOwnInventory();

  const allowed = ['10.1.0.0/16', 'db-1.example', '*.eu.example', '2001:db8::/32'];
  const source = '192.0.2.7';

  /** A host that has enrolled from `source`, with that address. */
  const enrolled = async (addresses: string[] = allowed) => {
    const body = { name: 'test', ...(addresses.length === 0 ? {} : { allowed_addresses: addresses }) };
    const token = (await inventory.request('POST', '/v1/enrolment-tokens', { body })).body;
    const name = `host-${token.token_id}`;
    const enrol = (address: string) =>
      inventory.request('POST', '/v1/enrolment', {
        as: null,
        sourceIp: source,
        body: { token: token.token, node: { node_type: 'generic', node_name: name, address } },
      });
    return { name, enrol };
  };

  const asHost = async (addresses?: string[]) => {
    const { name, enrol } = await enrolled(addresses);
    const { body } = await enrol(source);
    const ask = (method: string, path: string, sent: unknown, sourceIp = source) =>
      inventory.request(method, path, {
        as: null,
        sourceIp,
        headers: { Authorization: `Bearer ${body.api_key.key}` },
        body: sent,
      });
    return { name, ask, key: body.api_key, path: `/v1/nodes/${body.node.node_id}`, nodeId: body.node.node_id };
  };

  test('at enrolment are its source and those of the token; any other is a 403, and the token stays valid', async () => {
    const { enrol } = await enrolled();
    for (const address of ['10.2.0.1', '192.0.2.8', 'db-2.example', 'eu.example', 'xeu.example', '2001:db9::1'])
      expect([address, (await enrol(address)).status]).toEqual([address, 403]);
    expect((await enrol('10.1.255.1')).status).toBe(201);
    const { enrol: enrolWithout } = await enrolled([]);
    expect((await enrolWithout('10.1.255.1')).status).toBe(403);
    expect((await enrolWithout(source)).status).toBe(201);
  });

  test.each(['10.1.2.3', 'DB-1.example', 'a.b.eu.example', '2001:db8::5', source, `::ffff:${source}`])(
    'for its node may be %s',
    async (address) => {
      const { ask, path, key } = await asHost();
      expect(key.allowed_addresses).toEqual(allowed);
      expect(await ask('PATCH', path, { address })).toMatchObject({ status: 200, body: { address } });
      // The present address is permitted, whatever the source address.
      expect((await ask('PATCH', path, { address, custom_labels: { a: 'b' } }, '198.51.100.1')).status).toBe(200);
    },
  );

  test('for its node may be no other, by a change or a declaration: 403, nothing written', async () => {
    const { ask, path, name } = await asHost();
    const before = await everything();
    for (const address of ['10.2.0.1', '192.0.2.8', 'db-2.example', '2001:db9::1', '1.2.3.4'])
      for (const reply of [
        await ask('PATCH', path, { address }),
        await ask('PUT', `/v1/nodes/by-name/${name}`, { ...declaredNode, address }),
      ])
        expect([address, reply.status, reply.body.code]).toEqual([address, 403, 7]);
    expect(await everything()).toEqual(before);
  });

  test('stay the same after a rotation of its key', async () => {
    const { ask, path, key } = await asHost();
    const rotated = await inventory.request('POST', `/v1/api-keys/${key.key_id}/rotate`, { body: { overlap: '0s' } });
    const headers = { Authorization: `Bearer ${rotated.body.key}` };
    const again = (address: string) =>
      inventory.request('PATCH', path, { as: null, headers, body: { address }, sourceIp: source });
    expect((await ask('PATCH', path, { address: '10.1.0.1' })).status).toBe(401);
    expect([(await again('10.1.0.1')).status, (await again('10.2.0.1')).status]).toEqual([200, 403]);
  });

  test("for its services include its node's present address and the loopback interface", async () => {
    const { ask, path, nodeId } = await asHost(['10.1.0.0/16']);
    const service = (address: string) => ({
      ...{ service_type: 'mysql', port: 3306, node_ids: [nodeId] },
      service_name: `${address} ${nodeId}`,
      address,
    });
    await inventory.request('PATCH', path, { body: { address: 'web-1.example' } });
    for (const address of ['web-1.example', '127.0.0.1', '::1', 'localhost', source, '10.1.0.9'])
      expect([address, (await ask('POST', '/v1/services', service(address))).status]).toEqual([address, 201]);
    for (const address of ['web-2.example', '10.2.0.1'])
      expect([address, (await ask('POST', '/v1/services', service(address))).status]).toEqual([address, 403]);
    meanwhile = () => inventory.request('PATCH', path, { body: { address: 'web-3.example' } });
    const { service_name: _, ...declared } = service('web-1.example');
    expect((await ask('PUT', `/v1/services/by-name/new-${nodeId}`, declared)).status).toBe(403);
  });
});

test('endpoints that are closed to a Registrar reply 403, also for its own objects', async () => {
  const host = await newHost();
  for (const [method, path, body] of [
    ['GET', '/v1/nodes'],
    ['GET', `/v1/services?node_id=${host.nodeId}`],
    ['GET', '/v1/agents'],
    ['GET', '/v1/services/types'],
    ['POST', '/v1/nodes', { node_type: 'generic', node_name: 'second', address: 'a' }],
    ['GET', '/v1/api-keys'],
    ['POST', '/v1/enrolment-tokens', { name: 'x' }],
  ] as const)
    expect([path, (await host.ask(method, path, body)).status]).toEqual([path, 403]);
});

describe('a concurrent change between the check and the write is noticed', () => {
  useOwnInventory();

  const move = (id: string, nodeIds: string[]) =>
    inventory.request('PATCH', `/v1/services/${id}`, { as: 'Editor', body: { node_ids: nodeIds } });

  test.each<[string, (host: Host) => Try]>([
    ['the service is changed', (host) => ['PATCH', `/v1/services/${host.serviceId}`, label]],
    ['the service is removed', (host) => ['DELETE', `/v1/services/${host.serviceId}?force=true`]],
    ['an agent that watches it is added', (host) => tries['addAgent']!.allowed(host)[0]!],
    ['an agent that watches it is changed', (host) => ['PATCH', `/v1/agents/${host.agentId}`, { disabled: true }]],
    ['an agent that watches it is removed', (host) => ['DELETE', `/v1/agents/${host.agentId}`]],
    ['the node is removed with all', (host) => ['DELETE', `/v1/nodes/${host.nodeId}?force=true`]],
  ])('a service is moved to a second node just before %s: 403, nothing written', async (_, what) => {
    const host = await newHost();
    const { node_id: elsewhere } = await addNode(inventory);
    let moved: Record<string, unknown> = {};
    meanwhile = async () => {
      expect((await move(host.serviceId, [host.nodeId, elsewhere])).status).toBe(200);
      moved = await everything();
    };
    const [method, path, body] = what(host);
    const reply = await host.ask(method, path, body);
    expect(moved).not.toEqual({});
    expect([reply.status, reply.body?.code]).toEqual([403, 7]);
    expect(await everything()).toEqual(moved);
  });
});

test('a removal above one transaction is refused, and nothing is closed or removed', async () => {
  const host = await newHost();
  for (let count = 0; count < 30; count += 1)
    await addAgent(inventory, { ...host.exporter, insights: { service_ids: [host.serviceId] } });
  const before = await everything();
  expect(await host.ask('DELETE', `/v1/nodes/${host.nodeId}?force=true`)).toMatchObject({
    status: 400,
    body: { code: 9 },
  });
  expect(await everything()).toEqual(before);
  expect((await host.ask('DELETE', `/v1/agents/${host.agentId}`)).status).toBe(204);
});

test('after its node is removed, a key only shows its own identity', async () => {
  const host = await newHost();
  await inventory.request('DELETE', `/v1/nodes/${host.nodeId}?force=true`);
  expect((await host.ask('GET', '/v1/caller')).status).toBe(200);
  expect((await host.ask('GET', `/v1/nodes/${host.nodeId}`)).status).toBe(404);
  expect(await host.ask('POST', '/v1/services', host.service)).toMatchObject({ status: 404, body: { code: 5 } });
});
