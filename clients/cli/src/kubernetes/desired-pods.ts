import type { ReconcileItem, ReconcilePlan } from '../../../typescript/src/generated/types.ts';
import { planScope } from '../../../typescript/src/flows/plan.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { CommandError } from '../core/exit-codes.ts';
import { pulledState } from '../files/pulled-state.ts';
import type { StateRequest } from '../files/desired-state.ts';
import { type Fields, isFields, isList } from '../core/values.ts';
import type { DatabasePods } from './follow-pods.ts';
import { hasField } from './pods.ts';

/** The part of the inventory that the pods of a cluster of Kubernetes are. */
export interface PodScope {
  client: Client;
  /** The name of the cluster of Kubernetes. */
  cluster: string;
  namespace: string | undefined;
  maxRemovals: number | undefined;
}

/** Plans that other changes can overtake before the next round has to do it. */
const MAX_PLANS = 3;

/** Agents and addresses that the inventory has, by names. Kubernetes does not know them. */
interface InventoryPart {
  agents: Fields[];
  addresses: ReadonlyMap<string, string>;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const fieldsIn = (value: unknown): Fields[] => (isList(value) ? value.filter(isFields) : []);
const namesIn = (value: unknown): string[] => (isList(value) ? value.map(String) : []);

const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** Within a namespace as well if only its pods are read: others are then not removed. */
export const selectorOf = ({ cluster, namespace }: Pick<PodScope, 'cluster' | 'namespace'>) =>
  `kubernetes=${quoted(cluster)}${namespace === undefined ? '' : `,namespace=${quoted(namespace)}`}`;

async function readKnown({ client, ...scope }: PodScope): Promise<InventoryPart> {
  const { nodes, agents } = await pulledState(client, { selector: selectorOf(scope) });
  const addresses = fieldsIn(nodes).flatMap((node) => {
    const [name, address] = [textOf(node['node_name']), textOf(node['address'])];
    return name === undefined || address === undefined ? [] : [[name, address] as const];
  });
  return { agents: fieldsIn(agents), addresses: new Map(addresses) };
}

/** The node and the service of each pod. They have one name, which no other cluster of Kubernetes can have. */
function desiredPods(pods: DatabasePods, { cluster }: PodScope, inventory: InventoryPart | undefined) {
  const names = new Set<string>();
  const [nodes, services]: [Fields[], Fields[]] = [[], []];
  for (const { namespace, name, address: ownAddress, type, port, cluster: group, replicationSet } of pods.values()) {
    const full = `${cluster}/${namespace}/${name}`;
    // A pod that starts again keeps its objects until it has an address. A new one waits for it.
    const address = ownAddress ?? inventory?.addresses.get(full);
    if (address === undefined) continue;
    names.add(full);
    const common = { custom_labels: { kubernetes: cluster, namespace } };
    nodes.push({ node_type: 'container', node_name: full, address, ...common });
    services.push({
      service_type: type,
      service_name: full,
      node_names: [full],
      ...common,
      ...(hasField(type, 'address') ? { address, port } : {}),
      ...(group === undefined ? {} : { cluster: group }),
      ...(replicationSet === undefined ? {} : { replication_set: replicationSet }),
    });
  }
  return { names, nodes, services };
}

/** Whether an agent runs on the pods, or monitors only pods. Otherwise it ends with its pod. */
function belongs(place: string | undefined, targets: readonly string[], pods: ReadonlySet<string>): boolean {
  const isComplete = targets.every((name) => pods.has(name));
  return place === undefined ? targets.length > 0 && isComplete : pods.has(place) && isComplete;
}

function agentsOn({ agents }: InventoryPart, pods: ReadonlySet<string>): Fields[] {
  return agents.filter(({ runs_on_node_name: place, insights }) => {
    const { node_names: nodes, service_names: services }: Fields = isFields(insights) ? insights : {};
    return belongs(textOf(place), [...namesIn(nodes), ...namesIn(services)], pods);
  });
}

/** Whether the item would change agents of pods that exist: the known agents are then not the present ones. */
function isOutdated({ kind, action, runs_on_node_name: place, insights }: ReconcileItem, pods: ReadonlySet<string>) {
  if (kind !== 'agent') return false;
  const targets = [...(insights?.node_names ?? []), ...(insights?.service_names ?? [])];
  return action !== 'remove' || belongs(place, targets, pods);
}

/** A planned reconciliation: its request and its plan. */
export interface PodPlan {
  request: StateRequest;
  plan: ReconcilePlan;
}

/**
 * Plans the scope for the pods. Agents of the scope are none of Kubernetes: those of pods that exist are desired as they
 * are. The plan is applied as it is or refused, so an agent that is added later is not lost.
 */
export class PodPlanner {
  private readonly scope: PodScope;
  private inventory: InventoryPart | undefined;

  constructor(scope: PodScope) {
    this.scope = scope;
  }

  async plan(pods: DatabasePods, signal: AbortSignal): Promise<PodPlan> {
    if ([...pods.values()].some(({ address }) => address === undefined)) this.inventory = await readKnown(this.scope);
    for (let count = 0; count < MAX_PLANS; count += 1) {
      const { names, nodes, services } = desiredPods(pods, this.scope, this.inventory);
      const agents = this.inventory === undefined ? [] : agentsOn(this.inventory, names);
      const request = this.requestFor({ nodes, services, agents });
      const plan = await planScope(this.scope.client, request, { signal });
      const isPartial = plan.items_left_out !== undefined && this.inventory === undefined;
      if (!isPartial && !plan.items.some((item) => isOutdated(item, names))) return { request, plan };
      this.inventory = await readKnown(this.scope);
    }
    throw new CommandError('Agents of the pods change faster than they can be read.', 'conflict');
  }

  /** The server checks the objects. */
  private requestFor(desired: Record<'nodes' | 'services' | 'agents', Fields[]>): StateRequest {
    const { maxRemovals } = this.scope;
    const request: Fields = {
      scope: { selector: selectorOf(this.scope) },
      desired,
      ...(maxRemovals === undefined ? {} : { max_removals_percent: maxRemovals }),
    };
    return request;
  }
}
