import { randomUUID } from 'node:crypto';
import { repeatWhileBusy } from './busy.ts';
import type { Inventory } from './inventory.ts';

/** Adds an object that a test needs and is not about; fails the test when that is refused. */
async function add(inventory: Inventory, path: string, body: Record<string, unknown>): Promise<any> {
  const reply = await repeatWhileBusy(() => inventory.request('POST', path, { body, as: 'Editor' }));
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}

export const addNode = (inventory: Inventory, more: Record<string, unknown> = {}) =>
  add(inventory, '/v1/nodes', { node_type: 'generic', node_name: randomUUID(), address: '10.0.0.1', ...more });

export const addService = (inventory: Inventory, more: Record<string, unknown> = {}) =>
  add(inventory, '/v1/services', {
    service_type: 'mysql',
    service_name: randomUUID(),
    address: '10.0.0.1',
    port: 3306,
    ...more,
  });

export const addAgent = (inventory: Inventory, more: Record<string, unknown>) => add(inventory, '/v1/agents', more);

/** A node with a pmm_agent on it. */
export async function addHost(
  inventory: Inventory,
  node: Record<string, unknown> = {},
): Promise<{ nodeId: string; pmmAgentId: string }> {
  const { node_id: nodeId } = await addNode(inventory, node);
  const { agent_id: pmmAgentId } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  return { nodeId, pmmAgentId };
}

/** Enrols a host. @returns its node, and a function that reads with its key and returns the status. */
export async function enrolHost(
  inventory: Inventory,
): Promise<{ node: any; statusOf: (path: string) => Promise<number> }> {
  const token = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: randomUUID() } });
  const node = { node_type: 'generic', node_name: randomUUID(), address: '10.7.7.7' };
  const body = { token: token.body.token, node };
  const { body: enrolled } = await inventory.request('POST', '/v1/enrolment', { as: null, body, sourceIp: '10.7.7.7' });
  const headers = { Authorization: `Bearer ${enrolled.api_key.key}` };
  const statusOf = async (path: string) => (await inventory.request('GET', path, { as: null, headers })).status;
  return { node: enrolled.node, statusOf };
}

/** An object as a read shows it while nothing has reported for it. */
export const unseen = <Fields extends object>(object: Fields) => ({ ...object, state: 'never_seen' });
