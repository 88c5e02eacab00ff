import { type AgentType, agentTypeEntry, agentTypes } from '../../../../../functions/domain/agent/types.ts';
import { desiredAgentKey } from '../../../../../functions/domain/bulk/reconcile-request.ts';
import type { Client } from '../../../../typescript/src/operation.ts';
import { idsIn, idsOf, readNames } from '../../objects/names.ts';
import { kindOf, type KindName, readList } from '../../objects/objects.ts';
import { desiredForm } from '../pulled-state.ts';
import { type Fields, isFields } from '../../core/values.ts';
import type { ListName } from './object-rows.ts';

/** The lists, each after those that its objects name. */
export const lists = ['nodes', 'services', 'agents'] as const satisfies readonly ListName[];

/** The kind of the objects of a list. */
export const kindIn = (list: ListName): KindName => kindOf(list) ?? 'node';

/** An object that exists. */
export interface PresentObject {
  id: string;
  revision: number;
  /** As the server has it. */
  object: Fields;
  /** As a desired-state file has it: with the names of other objects. */
  form: Fields;
}

/** Objects by their natural keys. */
export type Inventory = Readonly<Record<ListName, ReadonlyMap<string, PresentObject>>>;

const isType = (text: unknown): text is AgentType => agentTypes.some((type) => type === text);

/** Whether an agent runs under the pmm_agent of its node. */
export const isUnderProcess = ({ agent_type: type }: Fields): boolean =>
  isType(type) && agentTypeEntry(type).place === 'pmm_agent';

/** The names of the targets of an agent in a desired state. */
export function targetNames({ insights }: Fields): { node_names: string[]; service_names: string[] } {
  const { node_names: nodes, service_names: services } = isFields(insights) ? insights : {};
  return { node_names: idsIn(nodes), service_names: idsIn(services) };
}

/** The natural key of an object in a desired state: its name, or what an agent does. */
export function keyOf(list: ListName, object: Fields): string {
  if (list !== 'agents') return String(object[`${kindIn(list)}_name`]);
  const { agent_type: type, runs_on_node_name: place, collector_name: collector } = object;
  // The type is checked later.
  if (!isType(type)) return '';
  return desiredAgentKey({
    ...{ agent_type: type, insights: targetNames(object) },
    ...(typeof place === 'string' ? { runs_on_node_name: place } : {}),
    ...(typeof collector === 'string' ? { collector_name: collector } : {}),
  });
}

/** Reads the objects of a list and those that they can name. */
export async function readInventory(client: Client, last: ListName): Promise<Inventory> {
  const objects: Record<ListName, Fields[]> = { nodes: [], services: [], agents: [] };
  for (const list of lists.slice(0, lists.indexOf(last) + 1))
    objects[list] = await readList(client, list, list === 'agents' ? { include: 'state' } : {});
  const namesIn = (list: 'nodes' | 'services') =>
    objects[list].map((object): [string, string] => [
      String(object[`${kindIn(list)}_id`]),
      String(object[`${kindIn(list)}_name`]),
    ]);
  const nameById = new Map([...namesIn('nodes'), ...namesIn('services')]);
  const names = await readNames(client, idsOf([...objects.services, ...objects.agents]), nameById);
  const byKey = (list: ListName) =>
    new Map(
      objects[list]
        // Of several agents with one key the oldest counts: it is the last one here.
        .toSorted((left, right) => (String(left['created_at']) > String(right['created_at']) ? -1 : 1))
        .map((object): [string, PresentObject] => {
          const form = desiredForm(list, object, names);
          const id = String(object[`${kindIn(list)}_id`]);
          return [keyOf(list, form), { id, revision: Number(object['revision']), object, form }];
        }),
    );
  return { nodes: byKey('nodes'), services: byKey('services'), agents: byKey('agents') };
}
