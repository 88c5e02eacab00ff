import { gunzipSync } from 'node:zlib';
import { cleanUpOnSchedule } from '../../functions/triggers/scheduled-cleanup/handler.ts';
import { publishStatesOnSchedule } from '../../functions/triggers/state-events/handler.ts';
import { askForSession, answerWith } from './devices.ts';
import { addAgent, addHost, addNode, addService } from './add.ts';
import type { Inventory } from './inventory.ts';
import { parsedBody } from './parsed-body.ts';
import { accepted } from './users.ts';

export interface StoredIds {
  node_id: string;
  service_id: string;
  /** An endpoint's path with stored object ids, once for each. */
  pathsOf: (path: string) => string[];
  /** Requests that read much and change something. */
  writes: readonly (readonly [method: string, path: string, body?: unknown])[];
}

/** A call without the check of the reply by its contract, which has no newer words. */
export async function call({ gateway, keys }: Inventory, method: string, path: string, body?: unknown) {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const headers = { Authorization: `Bearer ${keys.Admin}`, 'Content-Type': type };
  const answer = await gateway({
    method,
    url: path,
    rawHeaders: Object.entries(headers).flat(),
    body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    sourceIp: '127.0.0.1',
  });
  const text = typeof answer.body === 'string' ? answer.body : gunzipSync(answer.body).toString();
  return { status: answer.statusCode, body: parsedBody(answer.headers['Content-Type'], text), text };
}

/** Fills an inventory, so that its table has items of every kind that contains words. */
export async function everyKindOfItem(inventory: Inventory): Promise<StoredIds> {
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await call(inventory, method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const custom_labels = { team: 'words' };
  const { nodeId, pmmAgentId } = await addHost(inventory, {
    node_name: 'words',
    region: 'r',
    az: 'a',
    custom_labels,
    ephemeral: undefined,
  });
  const { service_id } = await addService(inventory, {
    service_name: 'words',
    node_ids: [nodeId],
    cluster: 'words',
    custom_labels,
  });
  const insights = { service_ids: [service_id] };
  const { agent_id } = await addAgent(inventory, {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: pmmAgentId,
    insights,
    listen_port: 42000,
    custom_labels,
  });
  const { agent_id: external } = await addAgent(inventory, {
    agent_type: 'external_exporter',
    insights,
    listen_port: 42001,
  });
  await send('PUT', '/v1/agents/by-key', { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  await addNode(inventory, { node_name: 'alone' });
  for (const status of ['starting', 'running'])
    await send('POST', `/v1/agents/${pmmAgentId}/report`, { agents: [{ agent_id, status }] });
  await send('POST', '/v1/reports', { reports: [{ agent_id: pmmAgentId, agents: [] }] });
  await send('PATCH', `/v1/nodes/${nodeId}`, { az: 'b' });
  const gone = await addHost(inventory, { node_name: 'gone' });
  await send('DELETE', `/v1/nodes/${gone.nodeId}?force=true`);
  const { removals } = await send('GET', '/v1/removed');
  const { key_id } = await send('POST', '/v1/api-keys', { name: 'words', role: 'Viewer', time_to_live: '1d' });
  await send('POST', '/v1/api-keys', { name: 'team', role: 'Editor', owners: ['words'] });
  const { key_id: rotated } = await send('POST', '/v1/api-keys', { name: 'rotated', role: 'Editor' });
  await send('POST', `/v1/api-keys/${rotated}/rotate`, { overlap: '1d' });
  await send('POST', '/v1/enrolment-tokens', { name: 'words' });
  const user = await accepted(inventory);
  const { body: asked } = await askForSession(inventory);
  await answerWith(inventory, user.key, { user_code: asked.user_code, answer: 'approve' });
  const claims = { repository_id: ['1'] };
  const { binding_id } = await send('POST', '/v1/role-bindings', {
    name: 'words',
    provider: 'github',
    claims,
    role: 'Editor',
  });
  const { silence_id } = await send('POST', '/v1/silences', {
    selector: 'team=words',
    reason: 'r',
    time_to_live: '1h',
  });
  const { saved_filter_id } = await send('POST', '/v1/saved-filters', {
    name: 'words',
    list: 'nodes',
    parameters: { state: 'live' },
  });
  await send('PATCH', `/v1/saved-filters/${saved_filter_id}`, { pinned: true });
  const desired = { nodes: [{ node_type: 'generic', node_name: 'planned', address: 'c', custom_labels }] };
  const scope = { selector: 'team=words,node_type=generic' };
  const { plan_id } = await send('POST', '/v1/reconcile', { scope, desired });
  for (const [as, path] of [
    ['Viewer', '/v1/api-keys'],
    [null, '/v1/nodes'],
  ] as const)
    await inventory.request('GET', path, { as });
  await inventory.request('GET', '/v1/nodes', { as: null, headers: { Authorization: 'Bearer minv_wrong' } });
  await inventory.request('POST', '/v1/logins', {
    as: null,
    body: { method: 'password', user_name: 'x', password: 'wrong password' },
  });
  await send('POST', '/graph/api/serviceaccounts', { name: 'words', role: 'Viewer' });
  await send('GET', '/v1/summary');
  await cleanUpOnSchedule(inventory.dependencies)();
  await publishStatesOnSchedule(inventory.dependencies)();
  const lines = (await call(inventory, 'GET', '/v1/export')).text;

  const idValues: Record<string, readonly string[]> = {
    node_id: [nodeId],
    service_id: [service_id],
    agent_id: [pmmAgentId, agent_id, external],
    cluster: ['words'],
    plan_id: [plan_id],
    binding_id: [binding_id],
    'kind}/{object_id': [`node/${nodeId}`, `service/${service_id}`, `agent/${agent_id}`],
  };
  const pathsOf = (path: string): string[] => {
    const name = /\{(.+)\}/.exec(path)?.[1];
    if (name === undefined) return [path];
    const values = idValues[name];
    if (values === undefined) throw new Error(`No stored ${name} for ${path}`);
    return values.map((value) => path.replace(`{${name}}`, value));
  };
  const node = { node_type: 'generic', address: '10.0.0.9', custom_labels };
  const service = { service_type: 'mysql', address: '10.0.0.1', port: 3307, node_ids: [nodeId], custom_labels };
  const writes: StoredIds['writes'] = [
    ['POST', '/v1/batch', { operations: [{ op: 'changeNode', params: { node_id: nodeId }, body: { az: 'c' } }] }],
    ['POST', '/v1/import?dry_run=true', lines],
    ['POST', '/v1/import', lines],
    ['POST', '/v1/cleanup', { dry_run: true }],
    ['POST', '/v1/reconcile', { scope, desired }],
    ['POST', '/v1/reconcile', { plan_id }],
    ['POST', '/v1/reconcile', { mode: 'apply', plan_id }],
    ['POST', `/v1/reconcile/${plan_id}/cancel`, {}],
    ['POST', `/v1/agents/${pmmAgentId}/report`, { agents: [{ agent_id, status: 'waiting' }] }],
    ['POST', '/v1/reports', { reports: [{ agent_id: pmmAgentId, agents: [{ agent_id, status: 'waiting' }] }] }],
    ['POST', '/v1/gateway/admissions', { admissions: [{ agent_id: pmmAgentId }] }],
    ...[`nodes/${nodeId}`, `services/${service_id}`, `agents/${agent_id}`, `agents/${external}`].map(
      (path) => ['PATCH', `/v1/${path}`, { custom_labels: { team: 'words', more: 'x' } }] as const,
    ),
    ['PUT', '/v1/nodes/by-name/words', node],
    ['PUT', '/v1/services/by-name/words', service],
    ['PUT', '/v1/agents/by-key', { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights }],
    ['PUT', '/v1/agents/by-key', { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId }],
    ['POST', '/v1/agents', { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights }],
    ['POST', `/v1/removed/${removals[0].removal_id}/restore`, {}],
    ['PATCH', `/v1/api-keys/${key_id}`, { rate_limit_per_minute: 1000 }],
    ['POST', `/v1/api-keys/${key_id}/rotate`, { overlap: '1h' }],
    ['DELETE', `/v1/api-keys/${rotated}`],
    ['PATCH', `/v1/users/${user.user_name}`, { role: 'Viewer' }],
    ['POST', '/v1/logins', { method: 'device', device_code: asked.device_code }],
    ['PATCH', `/v1/role-bindings/${binding_id}`, { role: 'Viewer' }],
    ['PATCH', `/v1/saved-filters/${saved_filter_id}`, { shared: true }],
    ['DELETE', `/v1/silences/${silence_id}`],
    ['DELETE', `/v1/users/${user.user_name}`],
    ['DELETE', `/v1/agents/${agent_id}`],
    ['DELETE', `/v1/services/${service_id}?force=true`],
    ['DELETE', `/v1/nodes/${nodeId}?force=true`],
  ];
  return { node_id: nodeId, service_id, pathsOf, writes };
}
