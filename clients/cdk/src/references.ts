import { listAgents, listNodes, listServices } from '../../typescript/src/generated/operations.ts';
import type { Client } from '../../typescript/src/operation.ts';
import { type Fields, isFields, quoted, textsOf } from './fields.ts';

/** The part of the type of an agent that its reference depends on (functions/domain/agent/types.ts). */
export interface AgentPlace {
  place: 'node' | 'pmm_agent' | 'anywhere';
  watchesItsNode: boolean;
}

/** @throws Error if one is missing. */
function idsOf(kind: string, names: readonly string[], idByName: ReadonlyMap<string, string>): string[] {
  return names.map((name) => {
    const id = idByName.get(name);
    if (id === undefined) throw new Error(`There is no ${kind} ${name}.`);
    return id;
  });
}

const oneOf = (names: readonly string[]) => `in (${names.map(quoted).join(',')})`;

/** The ids of nodes, in the order of their names. @throws Error if one does not exist. */
export async function nodeIds(client: Client, names: readonly string[]): Promise<string[]> {
  const idByName = new Map<string, string>();
  if (names.length > 0)
    for await (const { node_name: name, node_id: id } of listNodes(client, { selector: `node_name ${oneOf(names)}` }))
      idByName.set(name, id);
  return idsOf('node', names, idByName);
}

async function serviceIds(client: Client, names: readonly string[]): Promise<string[]> {
  const idByName = new Map<string, string>();
  if (names.length > 0) {
    const selector = `service_name ${oneOf(names)}`;
    for await (const { service_name: name, service_id: id } of listServices(client, { selector }))
      idByName.set(name, id);
  }
  return idsOf('service', names, idByName);
}

async function agentProcessOn(client: Client, name: string, node: string): Promise<string> {
  const { agents } = await listAgents(client, { agent_type: 'pmm_agent', runs_on_node_id: node });
  const [only, ...more] = agents;
  if (only === undefined || more.length > 0)
    throw new Error(`${only === undefined ? 'No' : 'More than one'} pmm_agent runs on ${name}.`);
  return only.agent_id;
}

export async function serviceWithIds(client: Client, { node_names: names, ...service }: Fields): Promise<Fields> {
  return { ...service, node_ids: await nodeIds(client, textsOf(names)) };
}

/** An agent with the ids of its place and its targets, and the id of its node. */
export async function agentWithIds(
  client: Client,
  { runs_on_node_name: on, insights, ...agent }: Fields,
  { place }: AgentPlace,
): Promise<{ body: Fields; node: string | undefined }> {
  const targets = isFields(insights) ? insights : {};
  const name = typeof on === 'string' ? on : undefined;
  const [node] = await nodeIds(client, name === undefined ? [] : [name]);
  const body: Fields = {
    ...agent,
    insights: {
      node_ids: await nodeIds(client, textsOf(targets['node_names'])),
      service_ids: await serviceIds(client, textsOf(targets['service_names'])),
    },
  };
  if (name !== undefined && node !== undefined && place === 'pmm_agent')
    body['pmm_agent_id'] = await agentProcessOn(client, name, node);
  else if (node !== undefined) body['runs_on_node_id'] = node;
  return { body, node };
}
