import { applyPlan, planScope } from '../../typescript/src/flows/plan.ts';
import {
  getNode,
  listNodes,
  listServices,
  removeNode,
  removeService,
} from '../../typescript/src/generated/operations.ts';
import type { ReconcileItem, ReconcilePlan, ReconcileScope } from '../../typescript/src/generated/types.ts';
import { InventoryError } from '../../typescript/src/error.ts';
import type { Client } from '../../typescript/src/operation.ts';
import type { CallOptions } from '../../typescript/src/options.ts';
import { type Fields, quoted } from './fields.ts';
import { type Existing, OWNER_LABEL, withOwner } from './ownership.ts';

interface DesiredObjects {
  nodes?: readonly object[] | undefined;
  services?: readonly object[] | undefined;
  agents?: readonly object[] | undefined;
}

/** A desired state. Without a scope, it is that of the objects that the resource added. */
export interface FleetState {
  scope?: ReconcileScope | undefined;
  desired: DesiredObjects;
  max_removals_percent?: number | undefined;
}

export interface FleetRequest {
  state: FleetState;
  existing: Existing;
  /** The value of the label of the resource. */
  owner: string;
  signal: AbortSignal;
}

type StateOfScope = FleetState & { scope: ReconcileScope };

// A method instead of a function: the objects are known at run time.
interface Planner {
  plan(client: Client, request: object, options: CallOptions): Promise<ReconcilePlan>;
}

const planner: Planner = { plan: planScope };

/** New plans after concurrent changes. */
const ATTEMPTS = 5;

/** The failed or blocked items that a message names. */
const MAX_ITEMS_SHOWN = 5;

const ownScope = (owner: string): ReconcileScope => ({ selector: `${OWNER_LABEL}=${quoted(owner)}` });

function lineOf({ kind, node_name: node, service_name: service, agent_type: type, blocked, error }: ReconcileItem) {
  return `${kind} ${node ?? service ?? type ?? ''}: ${blocked ?? error?.message ?? 'failed'}`;
}

/** @throws Error with the first items that are blocked or failed, if there are any. */
function checkItems(what: string, count: number, items: readonly ReconcileItem[]): void {
  if (count === 0) return;
  const lines = items
    .filter(({ blocked, outcome }) => blocked !== undefined || outcome === 'failed')
    .slice(0, MAX_ITEMS_SHOWN)
    .map(lineOf);
  throw new Error(`${count} objects ${what}: ${lines.join(' ')}`);
}

/** Makes a scope equal to its desired objects. @throws Error if a part of it is not possible. */
async function reconcileScope(client: Client, request: StateOfScope, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const plan = await planner.plan(client, request, { signal });
    if (plan.refusal !== undefined) throw new Error(plan.refusal);
    checkItems('cannot be changed, nothing was done', plan.blocked, plan.items);
    let last: ReconcilePlan = plan;
    try {
      for await (last of applyPlan(client, plan, { signal }));
    } catch (error) {
      const isOutdated = error instanceof InventoryError && error.http === 412;
      if (!isOutdated || attempt === ATTEMPTS) throw error;
      continue;
    }
    checkItems('failed', last.progress.failed, last.items);
    // A plan without differences stays planned.
    if (last.state === 'done' || last.plan_id === undefined) return;
    if (last.state !== 'stopped' || attempt === ATTEMPTS)
      throw new Error(last.refusal ?? `The reconciliation ended with the state ${last.state}.`);
  }
}

/** @throws Error if the scope contains an object that the resource did not add. */
async function checkEmpty(client: Client, scope: ReconcileScope, owner: string): Promise<void> {
  const { selector, name_prefix } = scope;
  const query = {
    selector: [...(selector === undefined ? [] : [selector]), `${OWNER_LABEL}!=${quoted(owner)}`].join(),
    ...(name_prefix === undefined ? {} : { name_prefix }),
  };
  const names: string[] = [];
  for await (const { node_name: name } of listNodes(client, query)) {
    names.push(`node/${name}`);
    break;
  }
  for await (const { service_name: name } of listServices(client, query)) {
    names.push(`service/${name}`);
    break;
  }
  if (names.length > 0)
    throw new Error(
      `The scope contains objects already (${names.join(', ')}). To take them over, set existing to 'adopt'.`,
    );
}

/** Makes the inventory equal to the file of the resource. */
export async function provideFleet(
  client: Client,
  { state, existing, owner, signal }: FleetRequest,
  isNew: boolean,
): Promise<void> {
  const { scope = ownScope(owner), desired, max_removals_percent: percent } = state;
  const isOwner = existing === 'refuse';
  const { nodes = [], services = [], agents = [] } = desired;
  const labelled = {
    nodes: nodes.map((node) => withOwner(node, owner)),
    services: services.map((service) => withOwner(service, owner)),
    agents: agents.map((agent) => withOwner(agent, owner)),
  };
  const share = percent === undefined ? {} : { max_removals_percent: percent };
  if (isOwner && isNew) await checkEmpty(client, scope, owner);
  await reconcileScope(client, { scope, desired: isOwner ? labelled : desired, ...share }, signal);
  // Objects of a former scope.
  if (isOwner && !isNew && state.scope !== undefined)
    await reconcileScope(client, { scope: ownScope(owner), desired: labelled, ...share }, signal);
}

/** A stored object as a desired one. */
function withoutServerFields({ node_id, service_id, node_ids, revision, created_at, updated_at, ...object }: Fields) {
  return object;
}

/** An object of a scope, with its removal. Undefined if the scope contains no nodes and services. */
async function findLast(
  client: Client,
  scope: ReconcileScope,
): Promise<{ desired: DesiredObjects; remove: () => Promise<undefined> } | undefined> {
  for await (const node of listNodes(client, scope)) {
    const remove = () => removeNode(client, { node_id: node.node_id });
    return { desired: { nodes: [withoutServerFields({ ...node })] }, remove };
  }
  for await (const service of listServices(client, scope)) {
    const nodes = await Promise.all(service.node_ids.map((id) => getNode(client, { node_id: id })));
    const node_names = nodes.map(({ node_name: name }) => name);
    const remove = () => removeService(client, { service_id: service.service_id });
    return { desired: { services: [{ ...withoutServerFields({ ...service }), node_names }] }, remove };
  }
  return undefined;
}

/** Removes the objects that the resource added. The server refuses a desired state without objects: one is removed last. */
export async function removeFleet(
  client: Client,
  { existing, owner, signal }: Omit<FleetRequest, 'state'>,
): Promise<void> {
  if (existing === 'adopt') return;
  const scope = ownScope(owner);
  const last = await findLast(client, scope);
  if (last === undefined) return;
  await reconcileScope(client, { scope, desired: last.desired, max_removals_percent: 100 }, signal);
  await last.remove();
}
