/** The owners of an Editor at every endpoint. */
import { randomUUID } from 'node:crypto';
import { endpoints } from '../functions/api/endpoints.ts';
import type { Endpoint } from '../functions/contract/endpoint.ts';
import { routes as pmmRoutes } from '../functions/pmm/declarations/routes.ts';
import { type Rank, ranks } from '../shared/auth/roles.ts';
import { inFull } from '../shared/testing/extent.ts';
import { addLimitedKey, type LimitedKey, type TeamWorld, teamWorld } from './support/teams.ts';
import { type Inventory, type Reply, startInventory } from './support/inventory.ts';

let inventory: Inventory;
let team: LimitedKey;
let world: TeamWorld;
beforeAll(async () => {
  inventory = await startInventory();
  team = await addLimitedKey(inventory, ['a']);
  world = await teamWorld(inventory);
});
afterAll(() => inventory.stop());

const missing = '00000000-0000-4000-8000-00000000dead';
const callers = ['Admin', 'Editor', 'Editor(team=a)', 'Viewer'] as const;
type TestCaller = (typeof callers)[number];

const send = (caller: TestCaller, method: string, path: string, body?: unknown): Promise<Reply> =>
  caller === 'Editor(team=a)'
    ? team.request(method, path, body)
    : inventory.request(method, path, { as: caller, ...(body === undefined ? {} : { body }) });

const rankOf = (caller: TestCaller): Rank => (caller === 'Editor(team=a)' ? 'Editor' : caller);

/** Whether a contract admits a key, by the words of its fields. */
function admits({ role, lowerRole, callers: kinds, limit, team: isTeam }: Endpoint, caller: TestCaller): boolean {
  if (role === 'none') return true;
  if (kinds !== undefined && !kinds.includes('api_key')) return false;
  if (caller === 'Editor(team=a)' && limit === 'refused') return false;
  if (caller === 'Editor(team=a)' && isTeam === true) return true;
  return ranks.indexOf(rankOf(caller)) >= ranks.indexOf(lowerRole?.role ?? role);
}

const pathOf = ({ path }: Endpoint) => path.replace(/\{[^}]+\}/g, missing);

/** The short form has one caller: `tests/guarantees.test.ts` calls every endpoint with every role without owners. */
describe.each(inFull<readonly TestCaller[]>(callers, ['Editor(team=a)']))('%s', (caller) => {
  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('at %s', async (_, endpoint) => {
    // An invalid body: a caller that is admitted gets another error than 403.
    const hasBody = endpoint.method === 'POST' || endpoint.method.startsWith('P');
    const { status } = await send(caller, endpoint.method, pathOf(endpoint), hasBody ? '[' : undefined);
    expect([endpoint.id, status === 403]).toEqual([endpoint.id, !admits(endpoint, caller)]);
  });
});

type Attempt = (sent: { isOwn: boolean }) => Promise<Reply>;

/** For each endpoint that checks owners: a request within the owners of the caller, and one beyond them. */
const attempts: Record<string, Attempt> = {
  addNode: ({ isOwn }) => team.request('POST', '/v1/nodes', nodeBody(isOwn ? {} : { custom_labels: { team: 'b' } })),
  changeNode: ({ isOwn }) => change('nodes', isOwn ? world.a.node : world.b.node),
  upsertNode: ({ isOwn }) => {
    const { node_name: name, ...body } = isOwn ? nodeBody({}) : world.b.nodeBody;
    return team.request('PUT', `/v1/nodes/by-name/${name}`, body);
  },
  removeNode: async ({ isOwn }) => {
    const node = await madeNode(isOwn ? 'a' : 'b');
    return team.request('DELETE', `/v1/nodes/${node.node_id}`);
  },
  addService: ({ isOwn }) => team.request('POST', '/v1/services', serviceBody(isOwn ? world.a.node : world.b.node)),
  changeService: ({ isOwn }) => change('services', isOwn ? world.a.service : world.b.service),
  upsertService: ({ isOwn }) => {
    const { service_name: name, ...body } = serviceBody(isOwn ? world.a.node : world.b.node);
    return team.request('PUT', `/v1/services/by-name/${name}`, body);
  },
  removeService: async ({ isOwn }) => {
    const side = isOwn ? world.a : world.b;
    const body = { ...serviceBody(side.node), custom_labels: { team: side.team } };
    const { body: service } = await send('Admin', 'POST', '/v1/services', body);
    return team.request('DELETE', `/v1/services/${service.service_id}`);
  },
  addAgent: ({ isOwn }) => team.request('POST', '/v1/agents', agentBody(isOwn ? world.a : world.b)),
  changeAgent: ({ isOwn }) => change('agents', isOwn ? world.a.exporter : world.b.exporter),
  upsertAgent: ({ isOwn }) => {
    const body = { ...(isOwn ? world.a : world.b).exporterBody, custom_labels: { k: randomUUID() } };
    return team.request('PUT', '/v1/agents/by-key', body);
  },
  removeAgent: async ({ isOwn }) => {
    const side = isOwn ? world.a : world.b;
    const body = { ...agentBody(side), custom_labels: { team: side.team } };
    const { body: agent } = await send('Admin', 'POST', '/v1/agents', body);
    return team.request('DELETE', `/v1/agents/${agent.agent_id}`);
  },
  reportAgents: ({ isOwn }) => {
    const { process, exporter } = isOwn ? world.a : world.b;
    const agents = [{ agent_id: exporter.agent_id, status: 'running' }];
    return team.request('POST', `/v1/agents/${process.agent_id}/report`, { agents });
  },
  takeReports: async ({ isOwn }) => {
    const { process, exporter } = isOwn ? world.a : world.b;
    const agents = [{ agent_id: exporter.agent_id, status: isOwn ? 'waiting' : 'running' }];
    return firstOf(
      await team.request('POST', '/v1/reports', { reports: [{ pmm_agent_id: process.agent_id, agents }] }),
    );
  },
  runBatch: async ({ isOwn }) => {
    const { node } = isOwn ? world.a : world.b;
    const operations = [{ op: 'changeNode', id: node.node_id, body: { custom_labels: { k: randomUUID() } } }];
    return firstOf(await team.request('POST', '/v1/batch', { operations }));
  },
  reconcile: ({ isOwn }) => {
    return team.request('POST', '/v1/reconcile', {
      mode: 'apply',
      ...oneNode(isOwn ? {} : { custom_labels: { team: 'b' } }),
    });
  },
  cancelReconciliation: async ({ isOwn }) => {
    const body = { mode: 'plan', ...oneNode({}) };
    const plan = isOwn
      ? await team.request('POST', '/v1/reconcile', body)
      : await send('Editor', 'POST', '/v1/reconcile', body);
    return team.request('POST', `/v1/reconcile/${plan.body.plan_id}/cancel`);
  },
  restoreRemoved: async ({ isOwn }) => {
    const node = await madeNode(isOwn ? 'a' : 'b');
    await send('Admin', 'DELETE', `/v1/nodes/${node.node_id}`);
    const { body } = await send('Admin', 'GET', '/v1/removed');
    const removal = body.removals.find((candidate: any) => candidate.objects[0].id === node.node_id);
    return team.request('POST', `/v1/removed/${removal.removal_id}/restore`);
  },
  addSilence: ({ isOwn }) => addSilence(isOwn ? 'a' : 'b', team.request),
  removeSilence: async ({ isOwn }) => {
    const { body } = await addSilence(isOwn ? 'a' : 'b', (method, path, sent) => send('Admin', method, path, sent));
    return team.request('DELETE', `/v1/silences/${body.silence_id}`);
  },
  addApiKey: ({ isOwn }) =>
    team.request('POST', '/v1/api-keys', { name: randomUUID(), role: 'Editor', owners: [isOwn ? 'a' : 'b'] }),
  listApiKeys: async ({ isOwn }) => {
    const key = await addLimitedKey(inventory, [isOwn ? 'a' : 'b']);
    const reply = await team.request('GET', '/v1/api-keys?page_size=1000');
    const isListed = reply.body.api_keys.some((listed: any) => listed.key_id === key.id);
    return isListed ? reply : { ...reply, status: 404 };
  },
  changeApiKey: async ({ isOwn }) => {
    const key = await addLimitedKey(inventory, isOwn ? ['a'] : ['a', 'b']);
    return team.request('PATCH', `/v1/api-keys/${key.id}`, { rate_limit_per_minute: 5 });
  },
  removeApiKey: async ({ isOwn }) => {
    const key = await addLimitedKey(inventory, isOwn ? ['a'] : ['b']);
    return team.request('DELETE', `/v1/api-keys/${key.id}`);
  },
  rotateApiKey: async ({ isOwn }) => {
    const key = await addLimitedKey(inventory, isOwn ? ['a'] : ['b']);
    return team.request('POST', `/v1/api-keys/${key.id}/rotate`, { overlap: '0s' });
  },
};

const addSilence = (owner: string, ask: LimitedKey['request']) =>
  ask('POST', '/v1/silences', { selector: `env!=prod,team=${owner}`, reason: 'Upgrade', time_to_live: '1h' });
const nodeBody = (more: object) => ({ node_type: 'generic', node_name: randomUUID(), address: '10.0.0.1', ...more });
/** The desired state of a scope with one node. */
function oneNode(more: object) {
  const node = nodeBody(more);
  return { scope: { name_prefix: node.node_name }, desired: { nodes: [node] } };
}
const serviceBody = ({ node_id }: { node_id: string }) => ({
  service_type: 'mysql',
  service_name: randomUUID(),
  node_ids: [node_id],
  address: '10.0.0.1',
  port: 3306,
});
const agentBody = ({ node, service }: TeamWorld['a']) => ({
  agent_type: 'external_exporter',
  runs_on_node_id: node.node_id,
  insights: { service_ids: [service.service_id] },
  listen_port: 9999,
});
const change = (list: string, object: any) =>
  team.request('PATCH', `/v1/${list}/${object.node_id ?? object.service_id ?? object.agent_id}`, {
    custom_labels: { k: randomUUID() },
  });
const madeNode = async (owner: string) =>
  (await send('Admin', 'POST', '/v1/nodes', nodeBody({ custom_labels: { team: owner } }))).body;
/** The reply of the only item of a request with many. */
const firstOf = ({ body, ...rest }: Reply): Reply => ({ ...rest, body, status: body.results[0].status });

const checked = endpoints.filter(({ limit }) => limit === 'checked').map(({ id }) => id);

test('exactly the endpoints that check owners have a case', () => {
  expect(Object.keys(attempts).sort()).toEqual([...checked].sort());
});

const objects = async () => (await send('Admin', 'GET', '/v1/inventory/export')).text;

test.each(checked)('%s accepts own objects, and refuses those of others without a change', async (id) => {
  const attempt = attempts[id]!;
  const allowed = await attempt({ isOwn: true });
  expect([id, allowed.status < 300, allowed.text]).toEqual([id, true, allowed.text]);
  const foreign = await attempt({ isOwn: false });
  expect([id, [403, 404].includes(foreign.status)]).toEqual([id, true]);
});

test('a refused write does not change the inventory', async () => {
  const writes: (keyof typeof attempts)[] = ['addNode', 'changeNode', 'upsertNode', 'addService', 'changeService'];
  const before = await objects();
  for (const id of [...writes, 'upsertService', 'addAgent', 'changeAgent', 'upsertAgent', 'runBatch', 'reconcile'])
    expect([id, (await attempts[id]!({ isOwn: false })).status]).toEqual([id, 403]);
  expect(await objects()).toBe(before);
});

test('each PMM call states its rule: what an Editor may call is checked', () => {
  const rules = new Set(pmmRoutes.map(({ role, limit }) => `${role}: ${limit}`));
  expect([...rules].sort()).toEqual(['Admin: refused', 'Editor: checked', 'Viewer: unaffected', 'none: unaffected']);
});
