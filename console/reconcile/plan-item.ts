import type * as z from 'zod/mini';
import type { endpoint as reconcile } from '../../functions/api/reconciliations/apply/endpoint.ts';
import type { reconcileBody } from '../../functions/domain/bulk/reconcile-request.ts';
import { type Difference, differencesAt } from '../model/differences.ts';

export type ReconcilePlan = z.output<NonNullable<(typeof reconcile)['reply']['schema']>>;
export type PlanItem = ReconcilePlan['items'][number];
export type ReconcileRequest = z.output<typeof reconcileBody>;
type DesiredObjects = NonNullable<ReconcileRequest['desired']>;

type ItemNameFields = Pick<
  PlanItem,
  'kind' | 'node_name' | 'service_name' | 'agent_type' | 'runs_on_node_name' | 'insights' | 'action'
>;

/** The name of a node or a service. For an agent its type, node and targets. */
export function nameOfItem(item: ItemNameFields): string {
  const { kind, node_name: node, service_name: service, agent_type: type, runs_on_node_name: place, insights } = item;
  if (kind === 'node') return node ?? '';
  if (kind === 'service') return service ?? '';
  const targets = [...(insights?.service_names ?? []), ...(insights?.node_names ?? [])].join(', ');
  return [type, place === undefined ? '' : `on ${place}`, targets === '' ? '' : `for ${targets}`]
    .filter((part) => part !== '')
    .join(' ');
}

interface NamedAgent {
  agent_type?: string | undefined;
  runs_on_node_name?: string | undefined;
  insights?: { node_names: readonly string[]; service_names: readonly string[] } | undefined;
}

const keyOfAgent = ({ agent_type: type, runs_on_node_name: place, insights }: NamedAgent) =>
  JSON.stringify([type, place, insights?.node_names.toSorted() ?? [], insights?.service_names.toSorted() ?? []]);

/** The desired object of an item that adds it. */
function desiredOf(item: PlanItem, { nodes, services, agents }: DesiredObjects): object | undefined {
  if (item.kind === 'node') return nodes.find(({ node_name: name }) => name === item.node_name);
  if (item.kind === 'service') return services.find(({ service_name: name }) => name === item.service_name);
  const list: readonly NamedAgent[] = agents;
  return list.find((agent) => keyOfAgent(agent) === keyOfAgent(item));
}

const isNothing = (value: unknown) =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Fields that the name of an item contains. */
const naming: ReadonlySet<string> = new Set(['node_name', 'service_name', 'agent_type']);

/** The differences of an item: the changed fields, or all fields of an added object. A removed object has none. */
export function differencesOfItem(item: PlanItem, desired: DesiredObjects | undefined): Difference[] {
  if (item.action === 'change')
    return (item.changes ?? []).flatMap(({ field, from, to }) => differencesAt(field, { before: from, after: to }));
  const object = item.action === 'add' && desired !== undefined ? desiredOf(item, desired) : undefined;
  return Object.entries(object ?? {})
    .filter(([name]) => !naming.has(name))
    .flatMap(([name, value]) => differencesAt(name, { after: value }))
    .filter(({ after }) => !isNothing(after));
}

/** The removals of the plan, without blocked ones. */
export function removalsOf({ items }: ReconcilePlan): PlanItem[] {
  return items.filter(({ action, blocked }) => action === 'remove' && blocked === undefined);
}
