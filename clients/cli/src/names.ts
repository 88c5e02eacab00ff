import { getNode, getService } from '../../typescript/src/generated/operations.ts';
import type { Client } from '../../typescript/src/operation.ts';
import type { Fields } from './values.ts';

/** The names of objects by id; those that are not among the given objects are read. */
export async function findNames(
  client: Client,
  nodes: readonly Fields[],
  services: readonly Fields[],
  ids: { nodes: readonly string[]; services: readonly string[] },
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const one of nodes) names.set(String(one['node_id']), String(one['node_name']));
  for (const one of services) names.set(String(one['service_id']), String(one['service_name']));
  for (const id of ids.nodes) if (!names.has(id)) names.set(id, (await getNode(client, { node_id: id })).node_name);
  for (const id of ids.services)
    if (!names.has(id)) names.set(id, (await getService(client, { service_id: id })).service_name);
  return names;
}
