import { StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { matches, type Revisions } from '../../../shared/http/etag.ts';
import type { Outcome } from '../../domain/fields/outcome.ts';
import { agentKey, agentKeys, type KeyedAgent, meantByKey } from '../entities/agent-natural-key.ts';
import {
  agentKeyClaim,
  heartbeatKey,
  nodeNameClaim,
  objectKey,
  type ObjectKind,
  relations,
  serviceNameClaim,
  typeOrder,
} from '../table/keys.ts';
import { commit } from './commit.ts';
import { checkRevision, planReplacement } from './entities.ts';
import {
  type Entity,
  type EntityFields,
  type EntityOf,
  nouns,
  parsed,
  storedOf,
  withoutInternalFields,
} from '../entities/entity.ts';
import { claimant } from '../entities/claim-owners.ts';
import { objectsById } from '../entities/get.ts';
import { idsInEdges } from '../entities/derived-items.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { planAdd, type TransactionPlan } from './transaction-plan.ts';
import type { AttributeTo } from './dependents-counter.ts';
import { type Companion, type ItemReader, readCollection, readFrom } from '../table/read.ts';
import { type Visible, visible } from '../entities/key-scope.ts';

/** The revisions at which a declaration applies (If-Match, If-None-Match). */
export interface Conditions {
  ifMatch: Revisions | undefined;
  ifNoneMatch: Revisions | undefined;
}

export interface UpsertOptions extends Conditions {
  writeContext: WriteContext;
}

/** How a declaration becomes an object. */
export interface Upsertion<Kind extends ObjectKind> {
  /** The object to add when none exists. */
  add: () => Item | Promise<Item>;
  /** The new state of an existing object. */
  next: (old: EntityFields<Kind>['object']) => Item;
}

export interface UpsertResult<Kind extends ObjectKind> {
  stored: Visible<EntityOf<Kind>>;
  outcome: Outcome;
}

/** How to find the object of a declaration. */
export interface UpsertTarget<Kind extends ObjectKind> {
  kind: Kind;
  /** The object in words, for error messages. */
  label: string;
  /** The key of the claim of the natural key. */
  claim: Key;
  /** An item to read along with the object, given the claim. */
  companion?: (claim: Item) => Companion | undefined;
  /** Finds the object by other means when nobody holds the claim. */
  search?: () => Promise<EntityOf<Kind> | undefined>;
  /** @throws ApiError when the existing object cannot become what is declared. */
  check?: (old: EntityFields<Kind>['object']) => void;
  /** Internal fields of an object that was declared. */
  mark?: Item;
}

/** The object of the declaration; undefined when it does not exist. */
export async function findTarget<Kind extends ObjectKind>(
  read: ItemReader,
  target: UpsertTarget<Kind>,
): Promise<EntityOf<Kind> | undefined> {
  return (await ownerOf(read, target)) ?? (await target.search?.());
}

/** The object that holds the claim of the natural key. Two strongly consistent reads; one when nobody holds it. */
async function ownerOf<Kind extends ObjectKind>(
  read: ItemReader,
  { kind, claim, companion }: UpsertTarget<Kind>,
): Promise<EntityOf<Kind> | undefined> {
  const claimItem = await read(claim);
  const owner = claimItem && claimant(claimItem);
  if (claimItem === undefined || owner === undefined) return undefined;
  const item = await read(objectKey(kind, owner), companion?.(claimItem));
  // The object was removed between the two reads.
  if (item === undefined) throw new StaleRead();
  return storedOf(kind, item);
}

function checkConditions<Kind extends ObjectKind>(
  { label }: UpsertTarget<Kind>,
  old: EntityOf<Kind> | undefined,
  { ifMatch, ifNoneMatch }: Conditions,
): void {
  if (old === undefined) {
    if (ifMatch !== undefined) throw new ApiError('revisionMismatch', `${label} does not exist.`);
    return;
  }
  checkRevision(ifMatch, old);
  const { revision } = old.object;
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, revision))
    throw new ApiError('revisionMismatch', `${label} already exists, at revision ${revision}.`);
}

/** Plans the add or change of the object, given the object that was found. */
export async function planUpsert<Kind extends ObjectKind>(
  plan: TransactionPlan,
  {
    target,
    old,
    attributeTo,
  }: { target: UpsertTarget<Kind>; old: EntityOf<Kind> | undefined; attributeTo?: AttributeTo },
  conditions: Conditions,
  { add, next }: Upsertion<Kind>,
): Promise<UpsertResult<Kind>> {
  const { kind, claim, mark } = target;
  const { scope } = plan.writeContext;
  if (old === undefined) {
    if (scope === undefined) checkConditions(target, old, conditions);
    // The scope is checked first, so that the reply does not reveal whether an object exists that the caller may not see.
    const added = visible(scope, parsed(kind, { ...(await add()), ...mark }));
    if (scope !== undefined) checkConditions(target, old, conditions);
    return { stored: planAdd(plan, added, { claimReadAsFree: claim, attributeTo }), outcome: 'added' };
  }
  const visibleOld = visible(scope, old);
  checkConditions(target, visibleOld, conditions);
  target.check?.(visibleOld.object);
  const stored = planReplacement(plan, visibleOld, next(withoutInternalFields(visibleOld.object)), {
    attributeTo,
    mark,
  });
  return { stored, outcome: stored === visibleOld ? 'unchanged' : 'changed' };
}

/**
 * Adds or changes the object with a natural key so that it is as declared; no write if it is so already. Concurrent
 * upserts result in a single object. Only fields of the object itself change.
 */
export async function upsert<Kind extends ObjectKind>(
  table: Table,
  target: UpsertTarget<Kind>,
  { writeContext, ...conditions }: UpsertOptions,
  upsertion: Upsertion<Kind>,
): Promise<UpsertResult<Kind>> {
  return commit(table, writeContext, async (plan) => {
    const old = await findTarget(readFrom(table), target);
    return planUpsert(plan, { target, old }, conditions, upsertion);
  });
}

function differentType(label: string, type: string): ApiError {
  return new ApiError('alreadyExists', `${label} already exists, with type "${type}". The type cannot be changed.`);
}

/** Finds the node with this name. */
export function nodeTarget({
  node_name: name,
  node_type: type,
}: {
  node_name: string;
  node_type: string;
}): UpsertTarget<'node'> {
  const label = `${nouns.node} with name "${name}"`;
  const check = (old: { node_type: string }) => {
    if (old.node_type !== type) throw differentType(label, old.node_type);
  };
  return { kind: 'node', label, claim: nodeNameClaim(name), check };
}

/** Finds the service with this name. */
export function serviceTarget({
  service_name: name,
  service_type: type,
}: {
  service_name: string;
  service_type: string;
}): UpsertTarget<'service'> {
  const label = `${nouns.service} with name "${name}"`;
  const check = (old: { service_type: string }) => {
    if (old.service_type !== type) throw differentType(label, old.service_type);
  };
  return { kind: 'service', label, claim: serviceNameClaim(name), check };
}

/** Adds or changes the node with this name. At most two reads, and one transaction. */
export function upsertNode(
  table: Table,
  declared: { node_name: string; node_type: string },
  options: UpsertOptions,
  upsertion: Upsertion<'node'>,
): Promise<UpsertResult<'node'>> {
  return upsert(table, nodeTarget(declared), options, upsertion);
}

/** Adds or changes the service with this name. At most two reads, and one transaction. */
export function upsertService(
  table: Table,
  declared: { service_name: string; service_type: string },
  options: UpsertOptions,
  upsertion: Upsertion<'service'>,
): Promise<UpsertResult<'service'>> {
  return upsert(table, serviceTarget(declared), options, upsertion);
}

/**
 * The partition and prefix of edges that contain all agents which may have this key: the agents of its type at its
 * first target, or else at its place.
 */
function edgesOf(agent: KeyedAgent): { pk: string; prefix: string } | undefined {
  const { agent_type: type, pmm_agent_id: pmmAgentId, runs_on_node_id: nodeId, insights } = agent;
  const [serviceId] = insights.service_ids;
  const [targetId] = insights.node_ids;
  const targeting = `${relations.insights}${typeOrder(type)}`;
  const running = `${relations.agents}${typeOrder(type)}`;
  if (serviceId !== undefined) return { pk: objectKey('service', serviceId).pk, prefix: targeting };
  if (targetId !== undefined) return { pk: objectKey('node', targetId).pk, prefix: targeting };
  if (pmmAgentId !== undefined) return { pk: objectKey('agent', pmmAgentId).pk, prefix: running };
  if (nodeId !== undefined) return { pk: objectKey('node', nodeId).pk, prefix: running };
  return undefined;
}

/**
 * The agent that matches this key without being registered by it; the oldest one of several. One query, and one round
 * of batch reads if agents of the type exist.
 */
async function unregistered(table: Table, wanted: KeyedAgent): Promise<EntityOf<'agent'> | undefined> {
  const edges = edgesOf(wanted);
  if (edges === undefined) return undefined;
  const edgeItems = await readCollection(table, edges.pk, edges.prefix);
  const agents = await objectsById(table, 'agent', idsInEdges(edgeItems, edges.prefix));
  const key = agentKey(wanted);
  const equal = Array.from(agents.values(), (agent) => agent.object).filter((candidate) =>
    agentKeys(candidate).includes(key),
  );
  const object = meantByKey(equal);
  return object === undefined ? undefined : { kind: 'agent', object };
}

/** The claims by which an object can be declared. */
export function naturalKeys(entity: Entity): Key[] {
  if (entity.kind === 'node') return [nodeNameClaim(entity.object.node_name)];
  if (entity.kind === 'service') return [serviceNameClaim(entity.object.service_name)];
  return agentKeys(entity.object).map(agentKeyClaim);
}

/** Finds the agent with this type, place and targets. */
export function agentTarget(table: Table, declared: KeyedAgent): UpsertTarget<'agent'> {
  return {
    kind: 'agent',
    label: `${nouns.agent} with this type, place and targets`,
    claim: agentKeyClaim(agentKey(declared)),
    search: () => unregistered(table, declared),
    mark: { registered: true },
  };
}

/**
 * Adds or changes the agent with this type, place and targets. At most two reads if the agent is registered; otherwise
 * an unregistered agent that matches is looked for and then registered.
 *
 * @param options `takeHeartbeat` receives the heartbeat of the agent's node, if it is read along.
 */
export function upsertAgent(
  table: Table,
  declared: KeyedAgent,
  { takeHeartbeat, ...options }: UpsertOptions & { takeHeartbeat?: Companion['take'] },
  upsertion: Upsertion<'agent'>,
): Promise<UpsertResult<'agent'>> {
  const companion = ({ node_id: id }: Item) =>
    typeof id === 'string' && takeHeartbeat !== undefined ? { key: heartbeatKey(id), take: takeHeartbeat } : undefined;
  return upsert(table, { ...agentTarget(table, declared), companion }, options, upsertion);
}
