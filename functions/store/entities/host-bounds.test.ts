/** The bounds of what a host writes: one mechanism in the store, tested through every kind of request that writes. */
import { randomUUID } from 'node:crypto';
import { customLabelBytes, hostBounds, MAX_HOST_LABEL_BYTES } from '../../domain/access/host-bounds.ts';
import { addAgent, addService } from '../../../tests/support/add.ts';
import { contextOf, exporter, node, pmmAgent } from '../../../tests/support/store.ts';
import { checkHostSizes, exceededHostBounds, hostBoundConditions } from './host-bounds.ts';
import { useInventory } from '../../../tests/support/fixtures.ts';

const labels = (bytes: number, character = 'x') => {
  const customLabels: Record<string, string> = {};
  for (let left = bytes; left > 0; left -= 1000)
    customLabels[`l${1000 + left}`] = character.repeat(Math.min(left, 1000) - 5);
  return customLabels;
};

describe('custom labels', () => {
  const host = contextOf({ scope: 'own', addresses: { source: '192.0.2.7', allowed: [] } });
  const of = (bytes: number) => node({ custom_labels: labels(bytes) });
  const refused = expect.objectContaining({ kind: 'invalidArgument' });

  test('have a maximum of UTF-8 bytes on objects that a host writes', () => {
    expect(customLabelBytes(labels(MAX_HOST_LABEL_BYTES))).toBe(MAX_HOST_LABEL_BYTES);
    expect(() => checkHostSizes(host, undefined, of(MAX_HOST_LABEL_BYTES))).not.toThrow();
    expect(() => checkHostSizes(host, undefined, node({ custom_labels: { ...labels(4000), a: '' } }))).toThrow(refused);
    expect(() => checkHostSizes(host, undefined, node({ custom_labels: labels(2000, '\u4e2d') }))).toThrow(refused);
  });

  test('above the maximum may stay and shrink, but not grow', () => {
    for (const bytes of [9000, 8000]) expect(() => checkHostSizes(host, of(9000), of(bytes))).not.toThrow();
    expect(() => checkHostSizes(host, of(9000), of(10_000))).toThrow(refused);
    expect(() => checkHostSizes(host, of(3000), of(5000))).toThrow(refused);
  });

  test('have no such maximum for other callers', () => {
    expect(() => checkHostSizes(contextOf(), undefined, of(60_000))).not.toThrow();
  });
});

test('an object that a host writes has a maximum of bytes, whatever its fields', () => {
  const host = contextOf({ scope: 'own', addresses: { source: '192.0.2.7', allowed: [] } });
  const process = pmmAgent(node());
  const of = (names: number) =>
    exporter(process, [], {
      disable_collectors: Array.from({ length: names }, (_, index) => `${index}`.padStart(256, '-')),
    });
  const refused = expect.objectContaining({ kind: 'invalidArgument', message: expect.any(String) });
  expect(() => checkHostSizes(host, undefined, of(60))).not.toThrow();
  expect(() => checkHostSizes(host, undefined, of(64))).toThrow(refused);
  expect(() => checkHostSizes(host, of(100), of(99))).not.toThrow();
  expect(() => checkHostSizes(host, of(99), of(100))).toThrow(refused);
  expect(() => checkHostSizes(contextOf(), undefined, of(100))).not.toThrow();
});

describe('numbers of dependants', () => {
  const host = contextOf({ scope: 'own' });
  const added = (deltas: Record<string, number>, id = 'own') =>
    ({ id, deltas: new Map(Object.entries(deltas)) }) as const;

  test('limit only a host, on its node, when they grow', () => {
    const conditionsOf = (...given: Parameters<typeof hostBoundConditions>) => hostBoundConditions(...given).length;
    expect(conditionsOf(host, added({ agents: 1, services: 2, insights: 3, pmm_agents: 1 }))).toBe(3);
    expect(conditionsOf(host, added({ agents: 0, services: -1, insights: 1 }))).toBe(0);
    expect(conditionsOf(host, added({ agents: 1 }, 'other'))).toBe(0);
    expect(conditionsOf(contextOf(), added({ agents: 1 }))).toBe(0);
  });

  test('name the exceeded bound', () => {
    const full = { agents: hostBounds.agents, services: 0, pmm_agents: 0 };
    expect(exceededHostBounds(host, added({ agents: 1, services: 1 }), full)).toMatchObject([
      { kind: 'resourceExhausted', message: 'A host adds up to 50 agents. Remove one, or let an Editor add it.' },
    ]);
    expect(exceededHostBounds(host, added({ services: 1 }), full)).toEqual([]);
  });
});

describe('a Registrar', () => {
  const inventory = useInventory();

  /** A host, and requests with its key. */
  async function newHost() {
    const token = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: randomUUID() } });
    const name = randomUUID();
    const sourceIp = '10.7.7.7';
    const enrol = (more: object) =>
      inventory.request('POST', '/v1/enrolment', {
        ...{ as: null, sourceIp },
        body: { token: token.body.token, node: { node_type: 'generic', node_name: name, address: sourceIp, ...more } },
      });
    const large = await enrol({ custom_labels: labels(MAX_HOST_LABEL_BYTES + 6) });
    expect([large.status, large.body.details?.[0]?.field]).toEqual([400, 'node.custom_labels']);
    const { body } = await enrol({});
    const headers = { Authorization: `Bearer ${body.api_key.key}` };
    const ask = (method: string, path: string, sent?: unknown) =>
      inventory.request(method, path, { as: null, headers, sourceIp, ...(sent === undefined ? {} : { body: sent }) });
    return { ask, nodeId: String(body.node.node_id) };
  }

  const external = (nodeId: string, more: object = {}) => ({
    agent_type: 'external_exporter',
    runs_on_node_id: nodeId,
    listen_port: 9187,
    ...more,
  });

  const service = (nodeId: string, more: object = {}) => ({
    service_type: 'mysql',
    service_name: randomUUID(),
    node_ids: [nodeId],
    address: '127.0.0.1',
    port: 3306,
    ...more,
  });

  test('cannot exceed the bytes of labels by any request', async () => {
    const { ask, nodeId } = await newHost();
    const large = labels(MAX_HOST_LABEL_BYTES + 6);
    const { body: target } = await ask('POST', '/v1/services', service(nodeId));
    const { body: ownAgent } = await ask('POST', '/v1/agents', external(nodeId, { custom_labels: labels(3000) }));
    const { service_name: declared, ...declaration } = service(nodeId, { custom_labels: large });
    const replies = await Promise.all([
      ask('POST', '/v1/agents', external(nodeId, { custom_labels: large })),
      ask('POST', '/v1/services', service(nodeId, { custom_labels: large })),
      ask('PUT', `/v1/services/by-name/${declared}`, declaration),
      ask('PATCH', `/v1/nodes/${nodeId}`, { custom_labels: large }),
      ask('PATCH', `/v1/agents/${ownAgent.agent_id}`, {
        custom_labels: { more: 'x'.repeat(1000), l2: 'y'.repeat(1000) },
      }),
      ask('POST', '/v1/inventory/agents', {
        external_exporter: {
          runs_on_node_id: nodeId,
          service_id: target.service_id,
          listen_port: 1,
          custom_labels: large,
        },
      }),
    ]);
    const messages = replies.map(({ status, text }) => [status, text.includes('at most 4000 bytes of custom labels')]);
    expect(messages).toEqual(replies.map(() => [400, true]));
    expect((await ask('PATCH', `/v1/nodes/${nodeId}`, { custom_labels: { team: 'a' } })).status).toBe(200);
  });

  test('keeps what an Editor wrote beyond its bounds, and changes other fields', async () => {
    const { ask, nodeId } = await newHost();
    const large = labels(9000);
    await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: { custom_labels: large } });
    expect((await ask('PATCH', `/v1/nodes/${nodeId}`, { distro: 'Debian' })).status).toBe(200);
    const [first] = Object.keys(large);
    expect((await ask('PATCH', `/v1/nodes/${nodeId}`, { custom_labels: { [first!]: null } })).status).toBe(200);
    const agents = await Promise.all(
      Array.from({ length: hostBounds.agents + 1 }, () => addAgent(inventory, external(nodeId))),
    );
    const id = agents[0]!.agent_id;
    expect((await ask('PATCH', `/v1/agents/${id}`, { listen_port: 2 })).status).toBe(200);
    expect((await ask('DELETE', `/v1/agents/${id}`)).status).toBe(204);
    expect((await ask('POST', '/v1/agents', external(nodeId))).status).toBe(429);
    expect((await addService(inventory, service(nodeId))).node_ids).toEqual([nodeId]);
  });

  test('exceeds no number by any request', async () => {
    const { ask, nodeId } = await newHost();
    const add = (kind: 'agents' | 'services', body: object) => ask('POST', `/v1/${kind}`, body);
    const { body: process } = await add('agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
    const {
      body: { service_id: serviceId },
    } = await add('services', service(nodeId));
    const statusesOf = async (count: number, call: () => Promise<{ status: number }>) =>
      new Set((await Promise.all(Array.from({ length: count }, call))).map(({ status }) => status));
    expect(await statusesOf(hostBounds.agents - 1, () => add('agents', external(nodeId)))).toEqual(new Set([201]));
    // One fits: the service and its two agents together do not.
    const managed = {
      mysql: {
        ...{
          node_id: nodeId,
          service_name: randomUUID(),
          address: '127.0.0.1',
          port: 3306,
          pmm_agent_id: process.agent_id,
        },
        ...{ username: 'u', qan_mysql_perfschema: true },
      },
    };
    const exceeds = expect.stringContaining(`adds up to ${hostBounds.agents} agents`);
    expect(await ask('POST', '/v1/management/services', managed)).toMatchObject({ status: 429, text: exceeds });
    expect((await add('agents', external(nodeId))).status).toBe(201);
    expect(await add('agents', external(nodeId))).toMatchObject({ status: 429, text: exceeds });
    const facade = { external_exporter: { runs_on_node_id: nodeId, service_id: serviceId, listen_port: 1 } };
    expect(await ask('POST', '/v1/inventory/agents', facade)).toMatchObject({ status: 429, text: exceeds });
    const declared = { agent_type: 'node_exporter', pmm_agent_id: process.agent_id };
    expect((await ask('PUT', '/v1/agents/by-key', declared)).status).toBe(429);
    expect(await statusesOf(hostBounds.services - 1, () => add('services', service(nodeId)))).toEqual(new Set([201]));
    expect((await add('services', service(nodeId))).status).toBe(429);
    const { service_name: other, ...declaration } = service(nodeId);
    expect((await ask('PUT', `/v1/services/by-name/${other}`, declaration)).status).toBe(429);
    const another = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
    expect(await statusesOf(hostBounds.pmm_agents - 1, () => add('agents', another))).toEqual(new Set([201]));
    expect((await add('agents', another)).status).toBe(429);
    const { body: counts } = await inventory.request('GET', `/v1/services?node_id=${nodeId}&page_size=1000`);
    expect(counts.services).toHaveLength(hostBounds.services);
  });
});
