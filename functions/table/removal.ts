import { StaleRead, withPatience } from '../../shared/db/contention.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import { MAX_TRANSACTION_ACTIONS, transact } from '../../shared/db/transact.ts';
import { ApiError } from '../../shared/http/errors.ts';
import type { Revisions } from '../../shared/http/etag.ts';
import { guardKey, type ObjectKind, objectKey, relations } from './keys.ts';
import { checkRevision, getObject, showObject } from './objects.ts';
import type { Origin } from './origin.ts';
import {
  type Blame,
  bytesIn,
  MAX_TRANSACTION_BYTES,
  newPlan,
  numberOfSteps,
  type Plan,
  planChange,
  planClosing,
  planClosingAlong,
  planRemoval,
  stepsOf,
} from './plan.ts';
import { readCollection, readItems } from './read.ts';
import { nextRecord } from './record.ts';
import { newRemovalId } from './removals.ts';
import {
  type Agent,
  type Counter,
  guardTypeOf,
  idOf,
  nextState,
  nouns,
  type Service,
  type Stored,
  toStored,
} from './stored.ts';

/** How long one request goes on with a removal that needs several transactions. */
const PATIENCE_MS = 20_000;

export interface RemovalOptions {
  force: boolean;
  ifMatch: Revisions | undefined;
  origin: Origin;
}

/** What keeps an object, in the order and with the words that the field's clients know. */
const keepers = [
  ['insights', 'agents'],
  ['pmm_agents', 'pmm-agent'],
  ['services', 'services'],
  ['agents', 'agents'],
] as const satisfies [Counter, string][];

function hasDependants(kind: ObjectKind, id: string, guard: Item): ApiError {
  const what = keepers.find(([counter]) => Number(guard[counter]) > 0)?.[1] ?? 'dependants';
  const noun = kind === 'agent' ? 'pmm-agent' : nouns[kind];
  return new ApiError('failedPrecondition', `${noun} with ID "${id}" has ${what}.`);
}

/** Takes away an object, unless something depends on it that the plan did not take away before. */
export function planLoneRemoval(plan: Plan, stored: Stored, blame: Blame = (error) => error): void {
  planRemoval(plan, stored, (left) => blame(hasDependants(stored.kind, idOf(stored), left)));
}

/**
 * Removes an object. Without force it is refused while anything depends on it; with force, what depends on it goes too
 * (see `cascadeOf`). All or nothing as long as it fits one transaction; beyond that it first closes what it removes to
 * new dependants, goes in steps that each keep the invariants, and the same call again finishes what a crash cut off.
 *
 * With a scope, everything that goes or loses something has to lie inside of it, and it is one transaction or none.
 *
 * @throws ApiError `notFound`, `revisionMismatch`, `failedPrecondition`, `permissionDenied`, `unavailable`.
 */
export async function removeObject(
  table: Table,
  kind: ObjectKind,
  id: string,
  { force, ifMatch, origin }: RemovalOptions,
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  const removalId = newRemovalId(origin.clock().getTime());
  await withPatience(async () => {
    const target: Stored = await showObject(table, kind, id, origin.scope);
    checkRevision(ifMatch, target);
    if (force) {
      await removeUnits(table, unitsOf(await cascadeOf(table, target), origin.clock()), { end, origin, removalId });
      return;
    }
    const plan = newPlan(origin, { removalId });
    planLoneRemoval(plan, target);
    await transact(table, await stepsOf(table, plan));
  }, PATIENCE_MS);
}

interface Cascade {
  /** Everything that goes, dependants before what they depend on; the object itself is the last. */
  removed: Stored[];
  /** What stays, and loses targets or nodes. */
  changed: { old: Stored; next: (now: Date) => Stored }[];
}

const stale = () => new StaleRead();

/** @throws StaleRead when one of them has gone since its edge was read. */
async function readObjects(table: Table, kind: ObjectKind, ids: readonly string[]): Promise<Stored[]> {
  const items = await readItems(
    table,
    ids.map((id) => objectKey(kind, id)),
  );
  if (items.length < ids.length) throw stale();
  return items.map((item) => toStored(kind, item));
}

const agentsIn = (stored: readonly Stored[]): Agent[] =>
  stored.flatMap((one) => (one.kind === 'agent' ? [one.object] : []));
const servicesIn = (stored: readonly Stored[]): Service[] =>
  stored.flatMap((one) => (one.kind === 'service' ? [one.object] : []));

/** What the collection of an object says depends on it: ids, by relation. */
async function dependantsOf(table: Table, kind: ObjectKind, id: string) {
  const items = await readCollection(table, guardKey(kind, id).pk);
  const idsOf = (prefix: string) =>
    items.flatMap(({ sk, object_id: objectId }) =>
      typeof sk === 'string' && typeof objectId === 'string' && sk.startsWith(prefix) ? [objectId] : [],
    );
  return {
    services: idsOf(relations.services),
    agents: idsOf(relations.agents),
    insights: idsOf(relations.insights),
  };
}

const without = (ids: readonly string[], gone: ReadonlySet<string>) => ids.filter((id) => !gone.has(id));

/**
 * What a forced removal takes along.
 * - A node: the agents that run on it; the services that run on nothing else. A service that runs elsewhere as well
 *   loses this node, an agent elsewhere loses it as a target.
 * - A service: the agents that gave insight into nothing else that stays; other agents lose it as a target.
 * - A pmm_agent: the agents under it.
 */
async function cascadeOf(table: Table, target: Stored): Promise<Cascade> {
  const id = idOf(target);
  const direct = await dependantsOf(table, target.kind, id);
  const services = servicesIn(await readObjects(table, 'service', direct.services));
  // One that has left meanwhile stays as it is.
  if (services.some(({ node_ids: nodeIds }) => !nodeIds.includes(id))) throw stale();
  const goneServices = services.filter(({ node_ids: nodeIds }) => nodeIds.every((nodeId) => nodeId === id));
  const ofServices = await Promise.all(goneServices.map((one) => dependantsOf(table, 'service', one.service_id)));

  const goneNodes = new Set(target.kind === 'node' ? [id] : []);
  const goneServiceIds = new Set(goneServices.map((one) => one.service_id));
  if (target.kind === 'service') goneServiceIds.add(id);

  const running = new Set(direct.agents);
  const watching = [...direct.insights, ...ofServices.flatMap(({ insights }) => insights)];
  const agents = agentsIn(await readObjects(table, 'agent', [...new Set([...running, ...watching])]));
  const left = (agent: Agent) => ({
    node_ids: without(agent.insights.node_ids, goneNodes),
    service_ids: without(agent.insights.service_ids, goneServiceIds),
  });
  const targets = ({ insights }: Pick<Agent, 'insights'>) => insights.node_ids.length + insights.service_ids.length;
  if (agents.some((agent) => !running.has(agent.agent_id) && targets({ insights: left(agent) }) === targets(agent)))
    throw stale();
  const goes = (agent: Agent) => {
    if (running.has(agent.agent_id)) return true;
    const { node_ids: nodeIds, service_ids: serviceIds } = left(agent);
    return serviceIds.length < agent.insights.service_ids.length && nodeIds.length + serviceIds.length === 0;
  };

  const removedAgents = agents.filter(goes).map((object): Stored => ({ kind: 'agent', object }));
  const removedServices = goneServices.map((object): Stored => ({ kind: 'service', object }));
  const isProcess = (stored: Stored) => stored.kind === 'agent' && guardTypeOf(stored) !== undefined;
  return {
    removed: [
      ...removedAgents.filter((stored) => !isProcess(stored)),
      ...removedAgents.filter(isProcess),
      ...removedServices,
      target,
    ],
    changed: [
      ...agents
        .filter((agent) => !goes(agent))
        .map((agent) => {
          const old: Stored = { kind: 'agent', object: agent };
          const next = (now: Date): Stored =>
            nextState(old, {
              kind: 'agent',
              object: { ...agent, insights: left(agent), ...nextRecord(old.object, now) },
            });
          return { old, next };
        }),
      ...services
        .filter((service) => !goneServiceIds.has(service.service_id))
        .map((service) => {
          const old: Stored = { kind: 'service', object: service };
          const next = (now: Date): Stored => ({
            kind: 'service',
            object: { ...service, node_ids: without(service.node_ids, goneNodes), ...nextRecord(old.object, now) },
          });
          return { old, next };
        }),
    ],
  };
}

/** One object's share of a removal: never torn apart, so that every transaction keeps the invariants. */
interface Unit {
  addTo: (plan: Plan) => void;
  /** What of it must be closed before a removal in steps begins. */
  closing?: Unit;
}

function closingOf(stored: Stored, isTarget: boolean): Unit {
  return {
    addTo: (plan) => (isTarget ? planClosing(plan, stored) : planClosingAlong(plan, stored)),
  };
}

function unitsOf({ removed, changed }: Cascade, now: Date): Unit[] {
  return [
    ...changed.map(({ old, next }) => ({
      addTo: (plan: Plan) => planChange(plan, old, next(now)),
    })),
    ...removed.map((stored) => ({
      // Dependants that came after the cascade was read: read it again.
      addTo: (plan: Plan) => planRemoval(plan, stored, stale),
      ...(guardTypeOf(stored) === undefined ? {} : { closing: closingOf(stored, stored === removed.at(-1)) }),
    })),
  ];
}

/** Whose removal it is, and which. */
interface By {
  origin: Origin;
  removalId: string;
}

function planOf(units: readonly Unit[], { origin, removalId }: By): Plan {
  const plan = newPlan(origin, { removalId });
  for (const unit of units) unit.addTo(plan);
  return plan;
}

/** A forced removal as one transaction, and how many objects go in it; it may be larger than one holds. */
export async function forcedPlan(table: Table, target: Stored, by: By): Promise<{ plan: Plan; objects: number }> {
  const cascade = await cascadeOf(table, target);
  return { plan: planOf(unitsOf(cascade, by.origin.clock()), by), objects: cascade.removed.length };
}

/**
 * How many objects a forced removal of a node takes along, itself included.
 *
 * @throws ApiError `notFound`.
 */
export async function countCascade(table: Table, nodeId: string): Promise<number> {
  return withPatience(async () => (await cascadeOf(table, await getObject(table, 'node', nodeId))).removed.length);
}

function fits(units: readonly Unit[], by: By): boolean {
  const plan = planOf(units, by);
  return bytesIn(plan) <= MAX_TRANSACTION_BYTES && numberOfSteps(plan) <= MAX_TRANSACTION_ACTIONS;
}

/** As many units per transaction as fit, in order. */
function batchesOf(units: readonly Unit[], by: By): Unit[][] {
  const batches: Unit[][] = [];
  let batch: Unit[] = [];
  for (const unit of units) {
    if (batch.length > 0 && !fits([...batch, unit], by)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(unit);
  }
  return [...batches, batch];
}

async function removeUnits(table: Table, units: readonly Unit[], { end, ...by }: By & { end: number }): Promise<void> {
  if (fits(units, by)) {
    await transact(table, await stepsOf(table, planOf(units, by)));
    return;
  }
  // In steps, something foreign could come in between them, and what was begun could not be finished by who began it.
  if (by.origin.scope !== undefined)
    throw new ApiError(
      'failedPrecondition',
      'Too much depends on it for this key to remove at once. Remove that first.',
    );
  // The object itself, which is the last, is closed first.
  const closing = units.toReversed().flatMap((unit) => unit.closing ?? []);
  let isComplete = true;
  for (const batch of [...batchesOf(closing, by), ...batchesOf(units, by)]) {
    if (performance.now() > end)
      throw new ApiError('unavailable', 'The removal has begun and is not finished. Repeat it.');
    try {
      await transact(table, await stepsOf(table, planOf(batch, by)));
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
      // A dependant that changed meanwhile holds up its own batch, not the others.
      isComplete = false;
    }
  }
  // What was out of date is read again.
  if (!isComplete) throw stale();
}
