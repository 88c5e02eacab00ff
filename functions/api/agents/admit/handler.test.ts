import { randomBytes } from 'node:crypto';
import { newEnrolmentTokenSecret } from '../../../../shared/auth/api-key-text.ts';
import { refusalMessages } from '../../../../shared/auth/refusal-messages.ts';
import { addAgent, addHost, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import type { Role } from '../../../../shared/auth/roles.ts';
import { MAX_ADMITTED_AGENTS } from '../../../domain/agent/admission.ts';
import { testTime } from '../../../../tests/support/test-time.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(() => inventory.stop());

const bearer = (key: string) => `Bearer ${key}`;
const from = '192.0.2.9';

const admit = (admissions: unknown, as: Role = 'Gateway') =>
  inventory.request('POST', '/v1/gateway/admissions', { as, body: { admissions } });

const presented = (pmm_agent_id: string, authorization: string) => ({ pmm_agent_id, authorization, source_ip: from });

async function keyOf(more: object): Promise<{ key: string; key_id: string }> {
  const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: crypto.randomUUID(), ...more } });
  return body;
}

/** Counted refusals: event, reason and address. */
async function refusals(): Promise<[string, string, string, number][]> {
  const { body } = await inventory.request('GET', '/v1/audit?page_size=1000');
  const refused = body.entries.filter((entry: any) => entry.reason !== undefined);
  return refused.map((entry: any) => [entry.event, entry.reason, entry.source_ip, entry.count]);
}

/** The Registrar key of a new host with an agent process. */
async function registrar(): Promise<{ key: string; nodeId: string; pmmAgentId: string }> {
  const token = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: crypto.randomUUID() } });
  const node = { node_type: 'generic', node_name: crypto.randomUUID(), address: from };
  const request = { body: { token: token.body.token, node }, as: null, sourceIp: from };
  const { node: added, api_key: key } = (await inventory.request('POST', '/v1/enrolment', request)).body;
  const process = { agent_type: 'pmm_agent', runs_on_node_id: added.node_id };
  return { key: key.key, nodeId: added.node_id, pmmAgentId: (await addAgent(inventory, process)).agent_id };
}

test('a key that may report for the process admits it, and the reply contains the host', async () => {
  const [admitting, other] = [await addHost(inventory), await registrar()];
  const service = await addService(inventory, { node_ids: [admitting.nodeId] });
  const exporter = await addAgent(inventory, {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: admitting.pmmAgentId,
    username: 'pmm',
    disable_collectors: ['b', 'a'],
    insights: { service_ids: [service.service_id] },
  });
  const basic = `Basic ${Buffer.from(`service_token:${other.key}`).toString('base64')}`;
  const { status, body } = await admit([
    presented(admitting.pmmAgentId, bearer(inventory.keys.Editor)),
    presented(other.pmmAgentId, basic),
  ]);
  const node_name = (await inventory.request('GET', `/v1/nodes/${admitting.nodeId}`)).body.node_name;
  expect(status).toBe(200);
  expect(body.results).toEqual([
    {
      status: 200,
      pmm_agent_id: admitting.pmmAgentId,
      node_id: admitting.nodeId,
      node_name,
      agents: [
        {
          agent_id: exporter.agent_id,
          agent_type: 'mysqld_exporter',
          disabled: false,
          pmm_agent_id: admitting.pmmAgentId,
          insights: { service_ids: [service.service_id] },
          disable_collectors: ['b', 'a'],
          expose_exporter: false,
        },
      ],
      services: [
        {
          service_id: service.service_id,
          service_name: service.service_name,
          address: service.address,
          port: service.port,
        },
      ],
    },
    expect.objectContaining({ status: 200, node_id: other.nodeId, agents: [], services: [] }),
  ]);
});

test('each decision and its audit count equal those of a report by the process itself', async () => {
  const { pmmAgentId: id, nodeId } = await addHost(inventory);
  const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: id });
  const [removed, foreign] = [await keyOf({ role: 'Editor' }), await registrar()];
  const ending = await keyOf({ role: 'Editor', time_to_live: '1h' });
  await inventory.request('DELETE', `/v1/api-keys/${removed.key_id}`);
  inventory.clock.now = testTime(2 * 3_600_000);
  const tried: [string, string][] = [
    [id, bearer(removed.key)],
    [id, bearer(ending.key)],
    [id, bearer(foreign.key)],
    [id, 'Bearer minv_wrong'],
    [id, `Bearer ${newEnrolmentTokenSecret(randomBytes)}`],
    [id, `Basic ${Buffer.from(`service_token:${inventory.keys.Viewer}`).toString('base64')}`],
    [id, bearer(inventory.keys.Relay)],
    [id, bearer(inventory.keys.Gateway)],
    [exporter.agent_id, bearer(inventory.keys.Editor)],
    ['missing', bearer(inventory.keys.Editor)],
    [id, bearer(inventory.keys.Editor)],
  ];
  const single = [];
  for (const [agent, Authorization] of tried) {
    const path = `/v1/agents/${agent}/report`;
    const options = { as: null, body: { agents: [] }, headers: { Authorization }, sourceIp: from };
    single.push(await inventory.request('POST', path, options));
  }
  const counted = await refusals();
  inventory.clock.now = new Date(inventory.clock.now.getTime() + 10 * 60_000);
  const { body } = await admit(tried.map(([agent, authorization]) => presented(agent, authorization)));
  const shown = (result: any) => [result.status, result.error?.message];
  const expected = single.map(({ status, body: reply }) => [status, status === 200 ? undefined : reply.message]);
  expect(body.results.map(shown)).toEqual(expected);
  expect(expected.map(([status]) => status)).toEqual([401, 401, 403, 401, 401, 403, 403, 403, 400, 404, 200]);
  const counts = (of: typeof counted) => of.map((parts) => parts.join(' ')).sort();
  expect(expected[4]).toEqual([401, refusalMessages.token]);
  const all = await refusals();
  expect(counts(all)).toEqual(counts([...counted, ...counted]));
  expect(counted).toHaveLength(6);
  expect(nodeId).toBe(body.results.at(-1).node_id);
});

test('passwords and sessions admit nobody', async () => {
  const { pmmAgentId: id } = await addHost(inventory);
  const password = `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}`;
  const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers: { Authorization: password } });
  const { results } = (await admit([presented(id, password), presented(id, bearer(body.key))])).body;
  expect(results.map(({ status }: any) => status)).toEqual([401, 401]);
});

test('a key with a rate limit takes each admission from it', async () => {
  const { pmmAgentId: id } = await addHost(inventory);
  const { key } = await keyOf({ role: 'Editor', rate_limit_per_minute: 3 });
  const { results } = (await admit(Array.from({ length: 5 }, () => presented(id, bearer(key))))).body;
  expect(results.map(({ status }: any) => status).sort()).toEqual([200, 200, 200, 429, 429]);
});

test('a malformed admission does not affect the others, and no reply, log or record contains a credential', async () => {
  const { pmmAgentId: id } = await addHost(inventory);
  const canary = 'canary-7c2e';
  const { status, body, text } = await admit([
    presented(id, 'x'.repeat(1025) + canary),
    { ...presented(id, canary), source_ip: 7 },
    presented('i'.repeat(40), canary),
    presented(id, `Bearer ${canary}`),
    7,
    presented(id, bearer(inventory.keys.Editor)),
  ]);
  expect(status).toBe(200);
  expect(body.results.map((result: any) => result.status)).toEqual([400, 400, 400, 401, 400, 200]);
  const lists = await Promise.all(['audit', 'changes'].map((path) => inventory.request('GET', `/v1/${path}`)));
  const seen = [text, JSON.stringify(inventory.logged), ...lists.map((list) => list.text)].join();
  for (const secret of [canary, ...Object.values(inventory.keys)]) expect(seen).not.toContain(secret);
});

test('only a Gateway and an Admin may ask, for at most 100 processes', async () => {
  for (const role of ['Viewer', 'Editor', 'Relay', 'Registrar'] as const)
    expect([role, await admit([], role)]).toMatchObject([role, { status: 403 }]);
  for (const role of ['Gateway', 'Admin'] as const)
    expect([role, await admit([], role)]).toMatchObject([role, { status: 200, body: { results: [] } }]);
  const many = Array.from({ length: 101 }, () => presented('missing', bearer(inventory.keys.Editor)));
  expect(await admit(many)).toMatchObject({ status: 400 });
});

test('hosts whose agents do not fit into the reply are admitted without them', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const perHost = 200;
  for (let index = 0; index < perHost; index += 100) {
    const body = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
    const operations = Array.from({ length: 100 }, () => ({ op: 'addAgent', body }));
    await inventory.request('POST', '/v1/batch', { body: { operations } });
  }
  const hosts = MAX_ADMITTED_AGENTS / perHost + 1;
  const authorization = bearer(inventory.keys.Editor);
  const { body } = await admit(Array.from({ length: hosts }, () => presented(pmmAgentId, authorization)));
  expect(body.results.map((result: any) => result.agents?.length)).toEqual([
    ...Array.from({ length: hosts - 1 }, () => perHost),
    undefined,
  ]);
  expect(body.results.at(-1)).toMatchObject({ status: 200, node_id: nodeId });
});
