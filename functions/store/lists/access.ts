import type { Position } from '../../../shared/db/page-token.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import { agentTypes } from '../../domain/agent/types.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { serviceTypes } from '../../domain/service/types.ts';
import { type LabelAccess, standardLabels } from '../../domain/fields/filterable-labels.ts';
import { claimOwners } from '../entities/claim-owners.ts';
import { type Scope } from '../entities/key-scope.ts';
import { isListedByClaims, partitionsFor } from '../entities/label-index.ts';
import { areIndexesBuilt } from '../table/built-indexes.ts';
import type { Entity } from '../entities/entity.ts';
import type { HeartbeatRange, Heartbeats } from '../heartbeats/heartbeat.ts';
import { containerClaim, nameClaims, objectKey, type ObjectKind, relations, typeOrder } from '../table/keys.ts';
import type { Collection, Reference } from './merge-references.ts';
import { relatedCollections } from './related-values.ts';
import type { StateQuery, walkState } from './state-walk.ts';
import type { Question, Selection } from './question.ts';

/** Where the objects are read, in the order of their list, or of the ids of their nodes (`heartbeats`). */
export type Access =
  | { by: 'nothing' }
  | { by: 'id'; ids: readonly string[] }
  /** Each source is a set of collections that together refer to all matching objects. */
  | { by: 'reference'; sources: readonly Collection[][] }
  /** Few nodes, whose heartbeats were all read: those in one of the states, or what is on these. */
  | {
      by: 'state';
      heartbeats: Heartbeats;
      nodes: readonly Reference[] | undefined;
      sources: readonly Collection[][];
    }
  | { by: 'index'; type: string | undefined }
  | { by: 'heartbeats'; query: StateQuery; first: HeartbeatRange | undefined; read: typeof walkState };

/** A kind, and the prefix of the orders of its objects. */
type ListRange = Pick<StateQuery, 'kind' | 'prefix'>;

/** How a list selects by some states and statuses. */
export interface StateSelection {
  matches: (entity: Entity, heartbeats: Heartbeats) => boolean;
  /** The access of a walk that has begun; undefined for other positions. */
  continued: (range: ListRange, after: Position) => Access | undefined;
  /**
   * The access of the first page of a list that nothing else narrows; undefined: its index. The first heartbeats decide, which are those
   * of random nodes. Further pages follow its position.
   */
  begun: (table: Table, range: ListRange, all: Heartbeats | undefined) => Promise<Access | undefined>;
}

export interface StatesAt {
  now: Date;
  /** Undefined when the list selects nothing by heartbeats. */
  selectedBy: (selection: Pick<Selection, 'state' | 'status'>) => StateSelection | undefined;
}

/** Further sources to intersect would cost more than they exclude. */
const MAX_SOURCES = 3;

const typesOf: Readonly<Record<ObjectKind, readonly string[]>> = {
  node: nodeTypes,
  service: serviceTypes,
  agent: agentTypes,
};

/** The values of the first requirement on a label with this kind of access; undefined when no requirement has one. */
function valuesBy(
  access: LabelAccess,
  kind: ObjectKind,
  requirements: readonly Requirement[],
): { label: string; values: readonly string[] } | undefined {
  for (const requirement of requirements)
    if (requirement.operator === 'in' && standardLabels[kind].get(requirement.label) === access) return requirement;
  return undefined;
}

const isPossibleId = (id: string) => id !== '' && id.length <= 36;

/** The limit of names and container ids, in bytes. */
const MAX_UNIQUE_BYTES = 1020;

const claims = { node_name: nameClaims.node, service_name: nameClaims.service, container_id: containerClaim };

const isClaimed = (label: string): label is keyof typeof claims => Object.hasOwn(claims, label);

async function ownersOf(table: Table, label: string, values: readonly string[]): Promise<string[]> {
  if (!isClaimed(label)) throw new Error(`nothing claims ${label}`);
  const possible = [...new Set(values)].filter((value) => Buffer.byteLength(value) <= MAX_UNIQUE_BYTES);
  return [...(await claimOwners(table, possible.map(claims[label]))).values()];
}

/** The type, if the requirements name exactly one. */
function onlyType(kind: ObjectKind, requirements: readonly Requirement[]): string | undefined {
  const types = valuesBy('type', kind, requirements)?.values;
  return types?.length === 1 ? types[0] : undefined;
}

/** The objects that a caller confined to a node may see. */
function sourcesInScope(kind: ObjectKind, scope: Scope): Collection[][] {
  if (scope === undefined || kind === 'node') return [];
  return [[{ pk: objectKey('node', scope).pk, before: kind === 'service' ? relations.services : relations.agents }]];
}

/** The sources that label requirements have, those with the fewest partitions first. Claims are one while all of them are listed. */
async function sourcesOfLabels(
  table: Table,
  kind: ObjectKind,
  requirements: readonly Requirement[],
): Promise<Collection[][]> {
  const sources: Collection[][] = [];
  for (const requirement of requirements) {
    const partitions = partitionsFor(kind, requirement);
    const claims = isListedByClaims(kind, requirement.label) ? kind : undefined;
    if (partitions !== undefined && (claims === undefined || (await areIndexesBuilt(table))))
      sources.push(partitions.map((pk) => ({ pk, before: '', claims })));
  }
  return sources.toSorted((left, right) => left.length - right.length);
}

interface Narrowing<Kind extends ObjectKind> extends Question<Kind> {
  after: Position | undefined;
  byHeartbeat: StateSelection | undefined;
  /** All of them, if they were read. */
  heartbeats: Heartbeats | undefined;
}

/** The most selective access. At most one round of reads, or two. */
export async function accessOf<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  { requirements, related, through = [], scope, prefix, after, byHeartbeat, heartbeats }: Narrowing<Kind>,
): Promise<Access> {
  const types = valuesBy('type', kind, requirements)?.values;
  if (types?.some((name) => typesOf[kind].includes(name)) === false) return { by: 'nothing' };
  // A walk that has begun is continued, even if fewer nodes have a value now.
  const range = { kind, prefix: prefixOf(kind, requirements, prefix) };
  const continued = after && byHeartbeat?.continued(range, after);
  if (continued !== undefined) return continued;
  const ids = valuesBy('id', kind, requirements);
  if (ids !== undefined) return { by: 'id', ids: ids.values.filter(isPossibleId) };
  const unique = valuesBy('unique', kind, requirements);
  if (unique !== undefined) return { by: 'id', ids: await ownersOf(table, unique.label, unique.values) };
  if (kind === 'node' && scope !== undefined) return { by: 'id', ids: [scope] };
  const narrowed = await relatedCollections(table, kind, through);
  const byRelation =
    related === undefined
      ? []
      : [related.ids.map((id) => ({ pk: objectKey(related.kind, id).pk, before: relations[related.relation] }))];
  const sources = [
    ...[...sourcesInScope(kind, scope), ...byRelation, ...narrowed],
    ...(await sourcesOfLabels(table, kind, requirements)),
  ].slice(0, MAX_SOURCES);
  if (sources.length > 0) return { by: 'reference', sources };
  const type = onlyType(kind, requirements);
  const byIndex: Access = { by: 'index', type };
  if (prefix !== undefined || after !== undefined) return byIndex;
  return (await byHeartbeat?.begun(table, range, heartbeats)) ?? byIndex;
}

export function prefixOf(kind: ObjectKind, requirements: readonly Requirement[], prefix: string | undefined): string {
  const type = onlyType(kind, requirements);
  return prefix ?? (kind === 'agent' && type !== undefined ? typeOrder(type) : '');
}
