import { randomUUID } from 'node:crypto';
import type { Inventory, Reply } from './inventory.ts';

/** An API key with owners, and requests with it. */
export interface LimitedKey {
  id: string;
  name: string;
  key: string;
  request: (method: string, path: string, body?: unknown) => Promise<Reply>;
}

/** Requests with a key. */
export const requestsWith =
  (inventory: Inventory, key: string): LimitedKey['request'] =>
  (method, path, body) =>
    inventory.request(method, path, {
      as: null,
      headers: { Authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body }),
    });

/** Adds an Editor with owners. */
export async function addLimitedKey(
  inventory: Inventory,
  owners: readonly string[],
  more: Record<string, unknown> = {},
): Promise<LimitedKey> {
  const name = `team ${randomUUID()}`;
  const body = { name, role: 'Editor', owners, ...more };
  const { body: added, text } = await inventory.request('POST', '/v1/api-keys', { body });
  if (added.key === undefined) throw new Error(text);
  return { id: added.key_id, name, key: added.key, request: requestsWith(inventory, added.key) };
}

/** A host with a service, an agent process and an exporter, all with one owner. */
export interface TeamHost {
  team: string;
  node: any;
  nodeBody: Record<string, any>;
  service: any;
  process: any;
  exporter: any;
  exporterBody: Record<string, any>;
}

export interface TeamWorld {
  a: TeamHost;
  b: TeamHost;
}

export async function teamHost(inventory: Inventory, team: string): Promise<TeamHost> {
  const custom_labels = { team };
  const add = async (path: string, body: object) => {
    const { status, body: added, text } = await inventory.request('POST', path, { body: { ...body, custom_labels } });
    if (status !== 201) throw new Error(text);
    return added;
  };
  const nodeBody = { node_type: 'generic', node_name: randomUUID(), address: '10.0.0.1' };
  const node = await add('/v1/nodes', nodeBody);
  const service = await add('/v1/services', {
    service_type: 'mysql',
    service_name: randomUUID(),
    node_ids: [node.node_id],
    address: '10.0.0.1',
    port: 3306,
  });
  const process = await add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
  const exporterBody = {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process.agent_id,
    insights: { service_ids: [service.service_id] },
  };
  const exporter = await add('/v1/agents', exporterBody);
  return { team, node, nodeBody, service, process, exporter, exporterBody };
}

/** A host of team a, and one of team b. */
export async function teamWorld(inventory: Inventory): Promise<TeamWorld> {
  return { a: await teamHost(inventory, 'a'), b: await teamHost(inventory, 'b') };
}
