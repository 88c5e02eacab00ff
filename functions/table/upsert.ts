import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { StaleRead, withPatience } from '../../shared/db/contention.ts';
import type { Item, Key, Table } from '../../shared/db/table.ts';
import { transact } from '../../shared/db/transact.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { matches, type Revisions } from '../../shared/http/etag.ts';
import type { Outcome } from '../catalogue/outcome.ts';
import { agentKey, agentKeys, type KeyedAgent } from './agent-key.ts';
import {
  agentKeyClaim,
  nodeNameClaim,
  objectKey,
  type ObjectKind,
  relations,
  serviceNameClaim,
  typeOrder,
} from './keys.ts';
import { checkRevision, inOneGo, type Known, parsed, replaceObject } from './objects.ts';
import type { Origin } from './origin.ts';
import { newPlan, planAdd, stepsOf } from './plan.ts';
import { readCollection, readItems } from './read.ts';
import { checkScope } from './scope.ts';
import { nouns, objectIn, type StoredOf, withoutMark } from './stored.ts';

/** What is declared, and on what conditions. */
export interface UpsertOptions {
  ifMatch: Revisions | undefined;
  ifNoneMatch: Revisions | undefined;
  origin: Origin;
}

/** How the object comes to be what is declared. */
export interface Upsertion<Kind extends ObjectKind> {
  /** The object to add, when there is none. */
  add: () => Item | Promise<Item>;
  /** What the object that is there should be. */
  next: (old: StoredOf<Kind>['object']) => Item;
}

export interface Upserted<Kind extends ObjectKind> {
  object: StoredOf<Kind>['object'];
  outcome: Outcome;
}

interface Target<Kind extends ObjectKind> {
  kind: Kind;
  /** The object in words. */
  label: string;
  /** The item that says whose the natural key is. */
  claim: Key;
  /** Looks for the object elsewhere when nobody holds the claim. */
  search?: () => Promise<Known<Kind> | undefined>;
  /** @throws ApiError when what is there cannot become what is declared. */
  check?: (old: StoredOf<Kind>['object']) => void;
}

const claimSchema = z.object({ owner_id: z.string() });

/** Whose is the natural key, as of now? Two strongly consistent reads, one when it is nobody's. */
async function ownerOf<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  claim: Key,
): Promise<Known<Kind> | undefined> {
  const read = async (Key: Key) =>
    (await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
  const found = await read(claim);
  if (found === undefined) return undefined;
  const item = await read(objectKey(kind, z.parse(claimSchema, found).owner_id));
  // It went between the two reads.
  if (item === undefined) throw new StaleRead();
  return parsed(kind, objectIn(item));
}

function checkConditions<Kind extends ObjectKind>(
  { label }: Target<Kind>,
  old: Known<Kind> | undefined,
  { ifMatch, ifNoneMatch }: UpsertOptions,
): void {
  if (old === undefined) {
    if (ifMatch !== undefined) throw new ApiError('revisionMismatch', `${label} is not there.`);
    return;
  }
  checkRevision(ifMatch, old);
  const { revision } = old.object;
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, revision))
    throw new ApiError('revisionMismatch', `${label} is there, at revision ${revision}.`);
}

/**
 * Makes the object with a natural key what is declared: adds it, changes it, or finds it so. Whoever else does the same at
 * the same time, there is one object, and nothing but its own fields is touched.
 */
async function upsert<Kind extends ObjectKind>(
  table: Table,
  target: Target<Kind>,
  options: UpsertOptions,
  { add, next }: Upsertion<Kind>,
): Promise<Upserted<Kind>> {
  const { kind, claim } = target;
  const { origin } = options;
  return withPatience(async (): Promise<Upserted<Kind>> => {
    const old = (await ownerOf(table, kind, claim)) ?? (await target.search?.());
    // Before anything is said of it, its revision included.
    if (old !== undefined) checkScope(origin.scope, old);
    checkConditions(target, old, options);
    if (old === undefined) {
      const stored = parsed(kind, await add());
      const plan = newPlan(origin);
      planAdd(plan, stored, { looked: claim });
      await transact(table, inOneGo(stepsOf(plan)));
      return { object: stored.object, outcome: 'added' };
    }
    target.check?.(old.object);
    const { object } = await replaceObject(table, { kind, old, origin }, next(withoutMark(old.object)));
    return { object, outcome: object === old.object ? 'unchanged' : 'changed' };
  });
}

function differentType(label: string, type: string): ApiError {
  return new ApiError('alreadyExists', `${label} already exists, with type "${type}". The type cannot be changed.`);
}

/** Makes the node with this name what is declared. At most two reads, and what an add or a change writes. */
export function upsertNode(
  table: Table,
  { node_name: name, node_type: type }: { node_name: string; node_type: string },
  options: UpsertOptions,
  upsertion: Upsertion<'node'>,
): Promise<Upserted<'node'>> {
  const label = `${nouns.node} with name "${name}"`;
  const check = (old: { node_type: string }) => {
    if (old.node_type !== type) throw differentType(label, old.node_type);
  };
  return upsert(table, { kind: 'node', label, claim: nodeNameClaim(name), check }, options, upsertion);
}

/** Makes the service with this name what is declared. At most two reads, and what an add or a change writes. */
export function upsertService(
  table: Table,
  { service_name: name, service_type: type }: { service_name: string; service_type: string },
  options: UpsertOptions,
  upsertion: Upsertion<'service'>,
): Promise<Upserted<'service'>> {
  const label = `${nouns.service} with name "${name}"`;
  const check = (old: { service_type: string }) => {
    if (old.service_type !== type) throw differentType(label, old.service_type);
  };
  return upsert(table, { kind: 'service', label, claim: serviceNameClaim(name), check }, options, upsertion);
}

/** Where the edges stand of all agents that may have this key: those of its type with its first target, or in its place. */
function edgesOf(agent: KeyedAgent): { pk: string; prefix: string } | undefined {
  const { agent_type: type, pmm_agent_id: pmmAgentId, runs_on_node_id: nodeId, insights } = agent;
  const [serviceId] = insights.service_ids;
  const [targetId] = insights.node_ids;
  const watching = `${relations.insights}${typeOrder(type)}`;
  const running = `${relations.agents}${typeOrder(type)}`;
  if (serviceId !== undefined) return { pk: objectKey('service', serviceId).pk, prefix: watching };
  if (targetId !== undefined) return { pk: objectKey('node', targetId).pk, prefix: watching };
  if (pmmAgentId !== undefined) return { pk: objectKey('agent', pmmAgentId).pk, prefix: running };
  if (nodeId !== undefined) return { pk: objectKey('node', nodeId).pk, prefix: running };
  return undefined;
}

const olderFirst = (left: Known<'agent'>, right: Known<'agent'>) => {
  const order = ({ object }: Known<'agent'>) => `${object.created_at} ${object.agent_id}`;
  return order(left) < order(right) ? -1 : 1;
};

/**
 * Which agent has this key without being registered by it? The oldest, if there are several. One query, and one round of
 * batch reads when it finds any agent of the type.
 */
async function unregistered(table: Table, wanted: KeyedAgent): Promise<Known<'agent'> | undefined> {
  const edges = edgesOf(wanted);
  if (edges === undefined) return undefined;
  const found = await readCollection(table, edges.pk, edges.prefix);
  const items = await readItems(
    table,
    found.map(({ object_id: id }) => objectKey('agent', String(id))),
  );
  const key = agentKey(wanted);
  const equal = items
    .map((item) => parsed('agent', objectIn(item)))
    .filter(({ object }) => agentKeys(object).includes(key));
  // One that was registered meanwhile has the claims, which refuse any other.
  return equal.sort(olderFirst)[0];
}

/**
 * Makes the agent with this type, place and targets what is declared. At most two reads when it was registered before; else
 * an agent that was added otherwise is looked for first, and taken over.
 */
export function upsertAgent(
  table: Table,
  declared: KeyedAgent,
  options: UpsertOptions,
  { add, next }: Upsertion<'agent'>,
): Promise<Upserted<'agent'>> {
  const registered = (agent: Item): Item => ({ ...agent, registered: true });
  return upsert(
    table,
    {
      kind: 'agent',
      label: `${nouns.agent} with this type, place and targets`,
      claim: agentKeyClaim(agentKey(declared)),
      search: () => unregistered(table, declared),
    },
    options,
    { add: async () => registered(await add()), next: (old) => registered(next(old)) },
  );
}
