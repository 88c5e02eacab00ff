import { listAgents } from '../../../typescript/src/generated/operations.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { CommandError } from '../core/exit-codes.ts';
import { kindsByField } from './names.ts';
import { nameOfKind } from './object-words.ts';
import { findByName, isId, type KindName } from './objects.ts';
import { type Fields, isFields, isList } from '../core/values.ts';

/** The pmm_agent with this id, or the one on the node with this name. */
async function agentOn(client: Client, text: string): Promise<string> {
  const id = nameOfKind('agent', text);
  if (isId(id)) return id;
  const name = nameOfKind('node', text);
  const { id: nodeId } = await findByName(client, 'node', name);
  const { agents } = await listAgents(client, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const [only] = agents;
  if (only === undefined)
    throw new CommandError(
      `No pmm_agent runs on ${name}. Add it first: inventory add agent pmm_agent --runs-on-node-id ${name}`,
    );
  if (agents.length > 1) throw new CommandError(`More than one pmm_agent runs on ${name}: give its id.`);
  return only.agent_id;
}

/** The id of an object by its name or id. A name can have its kind before it: `node/db-1`. */
async function idOf(client: Client, kind: KindName, text: string): Promise<string> {
  const name = nameOfKind(kind, text);
  return isId(name) ? name : (await findByName(client, kind, name)).id;
}

/** Replaces the names of other objects by their ids. */
export async function withIds(client: Client, body: Fields): Promise<Fields> {
  const replaced: Fields = {};
  for (const [field, value] of Object.entries(body)) {
    const kind = kindsByField.get(field);
    const idFor = (value: unknown) =>
      kind === undefined || typeof value !== 'string' ? value : idOf(client, kind, value);
    if (isList(value)) replaced[field] = await Promise.all(value.map(idFor));
    else if (field === 'pmm_agent_id' && typeof value === 'string') replaced[field] = await agentOn(client, value);
    else if (field === 'insights' && isFields(value)) replaced[field] = await withIds(client, value);
    else replaced[field] = await idFor(value);
  }
  return replaced;
}

/** The filters of a list by ids of other objects. Each takes several, separated by commas. */
const kindsByFilter = new Map([...kindsByField, ['node_id', 'node'] as const, ['service_id', 'service'] as const]);

/** Replaces the names of other objects in the filters of a list by their ids. */
export async function filtersWithIds(
  client: Client,
  query: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const replaced = { ...query };
  for (const [filter, text] of Object.entries(query)) {
    const kind = kindsByFilter.get(filter);
    const idFor = (value: string) => (kind === undefined ? agentOn(client, value) : idOf(client, kind, value));
    if (kind !== undefined || filter === 'pmm_agent_id')
      replaced[filter] = (await Promise.all(text.split(',').map(idFor))).join();
  }
  return replaced;
}
