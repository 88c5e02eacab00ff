import type { Table } from '../../../shared/db/table.ts';
import { matchesSelector } from '../../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import { agentTypes } from '../../domain/agent/types.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { serviceTypes } from '../../domain/service/types.ts';
import { type LabelAccess, labelOf, standardLabels } from '../../domain/fields/filterable-labels.ts';
import { partitionsFor } from '../entities/label-index.ts';
import { type HeartbeatRange, type Heartbeats, readHeartbeatRange } from '../heartbeats/heartbeat.ts';
import { type HeartbeatFilter, matchesHeartbeat } from '../heartbeats/heartbeat-filter.ts';
import {
  containerClaim,
  nodeNameClaim,
  objectKey,
  type ObjectKind,
  type Relation,
  relations,
  serviceNameClaim,
  typeOrder,
} from '../table/keys.ts';
import { nodesInState, partitionsOfMatches, type StateSelection } from './small-inventory.ts';
import { isCommon, isWalk, type StateQuery, walkLimits, walkState } from './state-walk.ts';
import { listById, listByIndex, listByReference } from './pages.ts';
import { relatedCollections, type RelatedRequirement, withRelatedValues } from './related-values.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { claimOwners } from '../entities/claim-owners.ts';
import { mustExist } from '../entities/get.ts';
import type { Scope } from '../entities/key-scope.ts';
import { isOfKind, type Entity, type EntityFields, type EntityOf } from '../entities/entity.ts';
import {
  type Collection,
  intersection,
  type TruncatedList,
  type Range,
  readReferences,
  union,
} from './merge-references.ts';

/** Objects whose collections refer to the objects of the list. */
export interface RelationFilter<Kind extends ObjectKind> {
  kind: ObjectKind;
  ids: readonly string[];
  relation: Relation;
  /** Whether the object as it was read still has the relation to one of them. */
  holds: (object: EntityFields<Kind>['object']) => boolean;
}

/** The parameters of every list. */
export interface Selection {
  selector?: string | undefined;
  /** RFC 3339. */
  updated_since?: string | undefined;
  /** Comma-separated states. */
  state?: string | undefined;
  /** Comma-separated statuses of agents. */
  status?: string | undefined;
  /** The version of services and agents, which agents report; empty: those without one. */
  version?: string | undefined;
  /** Values to return in addition to the stored fields. */
  include?: 'state' | undefined;
  /** Comma-separated names of the fields to return of each object; undefined: all fields. */
  fields?: string | undefined;
}

export interface Question<Kind extends ObjectKind> {
  requirements: readonly Requirement[];
  selection: Selection;
  prefix?: string | undefined;
  related?: RelationFilter<Kind> | undefined;
  /** The objects are shown and not written: what only the store uses of them need not be read. */
  isForReply?: boolean | undefined;
  /** Conditions on values that the objects have through others, as far as these are in the scope. */
  through?: readonly RelatedRequirement[] | undefined;
  scope?: Scope;
}

/** A question with what was read to answer it: collections that refer to all objects which meet some conditions. */
interface NarrowedQuestion<Kind extends ObjectKind> extends Question<Kind> {
  narrowed: readonly Collection[][];
}

/**
 * The requirement for a parameter that selects one value of a label, or no value if it is empty; none when the parameter
 * is missing.
 */
export function withValue(label: string, value: string | undefined): Requirement[] {
  if (value === undefined) return [];
  return [value === '' ? { label, operator: 'absent' } : { label, operator: 'in', values: [value] }];
}

/** Further sources to intersect would cost more than they exclude. */
const MAX_SOURCES = 3;

const knownTypes: Readonly<Record<ObjectKind, readonly string[]>> = {
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

const claims = { node_name: nodeNameClaim, service_name: serviceNameClaim, container_id: containerClaim };

const isClaimed = (label: string): label is keyof typeof claims => Object.hasOwn(claims, label);

async function ownersOf(table: Table, label: string, values: readonly string[]): Promise<string[]> {
  if (!isClaimed(label)) throw new Error(`nothing claims ${label}`);
  const possible = [...new Set(values)].filter((value) => Buffer.byteLength(value) <= MAX_UNIQUE_BYTES);
  return [...(await claimOwners(table, possible.map(claims[label]))).values()];
}

/**
 * Sources of the list: each is a set of partitions that together refer to all matching objects. The relations first,
 * then label requirements by the number of their partitions.
 */
function sourcesOf<Kind extends ObjectKind>(
  kind: Kind,
  { requirements, related, narrowed }: NarrowedQuestion<Kind>,
): Collection[][] {
  const byLabels = requirements
    .flatMap((requirement) => {
      const partitions = partitionsFor(kind, requirement);
      return partitions === undefined ? [] : [partitions.map((pk) => ({ pk, before: '' }))];
    })
    .toSorted((left, right) => left.length - right.length);
  const byRelation =
    related === undefined
      ? []
      : [related.ids.map((id) => ({ pk: objectKey(related.kind, id).pk, before: relations[related.relation] }))];
  return [...byRelation, ...narrowed, ...byLabels].slice(0, MAX_SOURCES);
}

/** The intersection of all sources. Their partitions are read in parallel, each once. */
async function readSources(
  table: Table,
  sources: readonly Collection[][],
  range: Range,
  given: readonly TruncatedList[],
): Promise<TruncatedList> {
  const reads = new Map<string, Promise<TruncatedList>>();
  const read = (collection: Collection): Promise<TruncatedList> => {
    const name = JSON.stringify([collection.pk, collection.before]);
    const known = reads.get(name) ?? readReferences(table, collection, range);
    reads.set(name, known);
    return known;
  };
  const known = async (source: Collection[]) => union(await Promise.all(source.map(read)), range.size);
  const [first, ...more] = [...given, ...(await Promise.all(sources.map(known)))];
  if (first === undefined) throw new Error('nothing names what is asked for');
  return intersection([first, ...more]);
}

/** The type, if the requirements name exactly one. */
function onlyType(kind: ObjectKind, requirements: readonly Requirement[]): string | undefined {
  const types = valuesBy('type', kind, requirements)?.values;
  return types?.length === 1 ? types[0] : undefined;
}

/** Whether the requirements name only types that no object has. */
function isOfNoType(kind: ObjectKind, requirements: readonly Requirement[]): boolean {
  return valuesBy('type', kind, requirements)?.values.some((type) => knownTypes[kind].includes(type)) === false;
}

function prefixOf<Kind extends ObjectKind>(kind: Kind, { prefix, requirements }: Question<Kind>): string {
  const type = onlyType(kind, requirements);
  return prefix ?? (kind === 'agent' && type !== undefined ? typeOrder(type) : '');
}

/** Chooses the most selective access path. Independent reads are made in parallel. */
async function read<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  question: NarrowedQuestion<Kind>,
  page: PageOptions,
  { filter, wanted }: { filter: (entity: Entity) => boolean; wanted: StateSelection | undefined },
): Promise<Page<Entity>> {
  const { requirements, isForReply } = question;
  const type = onlyType(kind, requirements);
  const prefix = prefixOf(kind, question);
  const listing = { kind, prefix, filter };

  const ids = valuesBy('id', kind, requirements);
  if (ids !== undefined) return listById(table, listing, ids.values.filter(isPossibleId), page);
  const unique = valuesBy('unique', kind, requirements);
  if (unique !== undefined) return listById(table, listing, await ownersOf(table, unique.label, unique.values), page);
  const range = { prefix, after: page.after?.[0], size: page.size };
  const given = wanted !== undefined && kind === 'node' ? [nodesInState(wanted, range)] : [];
  const matching = wanted !== undefined && kind !== 'node' ? partitionsOfMatches(kind, wanted) : undefined;
  const sources = [...(matching === undefined ? [] : [matching]), ...sourcesOf(kind, question)];
  if (given.length + sources.length === 0)
    return listByIndex(table, { kind, type, range: prefix, filter, isForReply }, page);
  return listByReference(table, listing, await readSources(table, sources, range, given));
}

/** Whether a criterion that needs no heartbeats determines what is read. State and status then filter each page. */
function hasOwnPath<Kind extends ObjectKind>(kind: Kind, question: NarrowedQuestion<Kind>): boolean {
  const { requirements, prefix } = question;
  const isNamed = (['id', 'unique'] as const).some((access) => valuesBy(access, kind, requirements) !== undefined);
  return isNamed || prefix !== undefined || sourcesOf(kind, question).length > 0;
}

/** How a list by state or status is read: with all heartbeats, by walking those of the nodes, or as a list that they filter. */
type HeartbeatPlan = { wanted?: StateSelection; walk?: { query: StateQuery; first: HeartbeatRange | undefined } };

/**
 * The first page decides by the first heartbeats, which are those of random nodes. Further pages follow its position.
 */
async function planByHeartbeats(table: Table, query: StateQuery, { after }: PageOptions): Promise<HeartbeatPlan> {
  if (after !== undefined) return isWalk(after) ? { walk: { query, first: undefined } } : {};
  const first = await readHeartbeatRange(table, undefined, walkLimits.first);
  if (first.reach === undefined) {
    const heartbeats = new Map(first.heartbeats.map((one) => [one.nodeId, one]));
    return { wanted: { filter: query.wanted, heartbeats } };
  }
  return isCommon(query, first) ? {} : { walk: { query, first } };
}

interface SelectionPage<Kind extends ObjectKind> extends Page<EntityOf<Kind>> {
  /** The heartbeats of the nodes of all objects, if they were read. */
  heartbeats: Heartbeats | undefined;
}

/**
 * The objects of a kind that match the whole query, except that the caller filters by heartbeats. The most selective
 * criterion determines what is read; the others filter, so a page may be short. Objects are read strongly consistent,
 * unless the query contains only a type, name prefix or state. What a page reads does not depend on the size of the
 * inventory.
 *
 * @param byHeartbeat what the query selects by heartbeats, if it does.
 * @throws ApiError `notFound` when the one related object does not exist.
 */
export async function selectObjects<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  question: Question<Kind>,
  page: PageOptions,
  byHeartbeat?: HeartbeatFilter,
): Promise<SelectionPage<Kind>> {
  const { selection, related } = question;
  const selected = selection.selector === undefined ? [] : parseSelector(selection.selector);
  const requirements = [...question.requirements, ...selected];
  const since = selection.updated_since === undefined ? undefined : Date.parse(selection.updated_since);
  const { through = [], scope } = question;
  const isEmpty = isOfNoType(kind, requirements);
  // A walk that has begun is continued, even if fewer nodes have the value now.
  const isNarrow = through.length > 0 && !isEmpty && !(page.after !== undefined && isWalk(page.after));
  const narrowed = isNarrow ? await relatedCollections(table, kind, through) : [];
  const asked = { ...question, requirements, narrowed };
  const { wanted, walk }: HeartbeatPlan =
    byHeartbeat === undefined || isEmpty || hasOwnPath(kind, asked)
      ? {}
      : await planByHeartbeats(table, { kind, wanted: byHeartbeat, prefix: prefixOf(kind, asked) }, page);
  // Most lists have no filter. Then the objects are not parsed.
  const filter = (entity: Entity) =>
    isOfKind(entity, kind) &&
    (wanted === undefined || matchesHeartbeat(wanted.filter, entity, wanted.heartbeats)) &&
    (requirements.length === 0 || matchesSelector(requirements, (label) => labelOf(kind, entity.object, label))) &&
    (since === undefined || Date.parse(entity.object.updated_at) >= since) &&
    (related === undefined || related.holds(entity.object));
  const reading: Promise<Page<Entity> & { heartbeats?: Heartbeats }> = isEmpty
    ? Promise.resolve({ objects: [], next: undefined })
    : walk === undefined
      ? read(table, kind, asked, page, { filter, wanted })
      : walkState(table, { ...walk, filter, limits: walkLimits }, page);
  const [only, ...others] = related?.ids ?? [];
  const isOne = related !== undefined && only !== undefined && others.length === 0;
  const [{ objects, next, heartbeats }] = await Promise.all([
    reading,
    isOne ? mustExist(table, related.kind, only) : undefined,
  ]);
  const ofKind = objects.filter((entity) => isOfKind(entity, kind));
  const found = await withRelatedValues(table, ofKind, through, scope);
  return { objects: found, next, heartbeats: heartbeats ?? wanted?.heartbeats };
}
