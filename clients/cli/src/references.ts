import { listAgents } from '../../typescript/src/generated/operations.ts';
import type { Client } from '../../typescript/src/operation.ts';
import { CommandError } from './exit-codes.ts';
import { findObject, isId, type KindName } from './objects.ts';
import { type Fields, isFields, isList } from './values.ts';

/** The fields with ids of other objects. */
const kindsByField = new Map<string, KindName>([
  ['node_ids', 'node'],
  ['runs_on_node_id', 'node'],
  ['service_ids', 'service'],
]);

/** The pmm_agent with this id, or the one on the node with this name. */
async function agentOn(client: Client, name: string): Promise<string> {
  if (isId(name)) return name;
  const { id } = await findObject(client, 'node', name);
  const { agents } = await listAgents(client, { agent_type: 'pmm_agent', runs_on_node_id: id });
  const [only] = agents;
  if (only === undefined || agents.length > 1)
    throw new CommandError(`${agents.length === 0 ? 'No' : 'More than one'} pmm_agent runs on ${name}: give its id.`);
  return only.agent_id;
}

/** Replaces the names of other objects by their ids. */
export async function withIds(client: Client, body: Fields): Promise<Fields> {
  const idOf = async (kind: KindName, name: unknown) =>
    typeof name !== 'string' || isId(name) ? name : (await findObject(client, kind, name)).id;
  const replaced: Fields = {};
  for (const [field, value] of Object.entries(body)) {
    const kind = kindsByField.get(field);
    if (kind !== undefined && isList(value)) replaced[field] = await Promise.all(value.map((one) => idOf(kind, one)));
    else if (kind !== undefined) replaced[field] = await idOf(kind, value);
    else if (field === 'pmm_agent_id' && typeof value === 'string') replaced[field] = await agentOn(client, value);
    else if (field === 'insights' && isFields(value)) replaced[field] = await withIds(client, value);
    else replaced[field] = value;
  }
  return replaced;
}
