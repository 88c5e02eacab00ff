import { jsonBytesInReply, MAX_REPLY_BYTES } from '../../../shared/core/reply-size.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type Entity, type EntityOf, idOf, isOfKind, jsonOf, orderOf } from '../entities/entity.ts';
import { mustExist } from '../entities/get.ts';
import { isVisible, type Visible } from '../entities/key-scope.ts';
import { allHeartbeats, type Heartbeats, MAX_KEPT_HEARTBEATS, readHeartbeats } from '../heartbeats/heartbeat.ts';
import type { ObjectKind } from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import {
  byBytes,
  type Collection,
  intersection,
  type Range,
  type Reference,
  readReferences,
  type TruncatedList,
  union,
} from './merge-references.ts';
import { queryCount } from '../table/read.ts';
import type { AccessPage } from './access-page.ts';
import { listById, listByIndex, listByReference } from './pages.ts';
import { type Plan, planOf } from './plan.ts';
import type { Question } from './question.ts';
import { withRelatedValues } from './related-values.ts';

/** The most objects that one round looks at. */
const MAX_ROUND = 1000;

/** The share of the objects of the first round that match. */
const FEW = 0.1;

/** No round begins later. A page that is not full then says where the next one continues. */
const READ_MS = 12_000;

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
    const reading = reads.get(name) ?? readReferences(table, collection, range);
    reads.set(name, reading);
    return reading;
  };
  const lists = sources.map(async (source) => union(await Promise.all(source.map(read)), range.size));
  const [first, ...more] = [...given, ...(await Promise.all(lists))];
  if (first === undefined) throw new Error('nothing names what is asked for');
  return intersection([first, ...more]);
}

/** Those of the references that are in a range. */
function inRange(all: readonly Reference[], { prefix, after, size }: Range): TruncatedList {
  const references = all.filter(
    ({ order }) => order.startsWith(prefix) && (after === undefined || byBytes(order, after) > 0),
  );
  const first = references.slice(0, size);
  return { references: first, reach: references.length > size ? first.at(-1) : undefined };
}

/** The objects at this access that meet all conditions on an object alone. */
async function readAccess<Kind extends ObjectKind>(
  table: Table,
  { kind, access, prefix, conditions, isForReply }: Plan<Kind>,
  page: PageOptions,
): Promise<AccessPage> {
  const filter = (entity: Entity) => conditions.every(({ holds }) => holds(entity));
  const listing = { kind, prefix, filter };
  const range = { prefix, after: page.after?.[0], size: page.size };
  switch (access.by) {
    case 'nothing':
      return { objects: [], next: undefined };
    case 'id':
      return listById(table, listing, access.ids, page);
    case 'reference':
      return listByReference(table, listing, await readSources(table, access.sources, range, []));
    case 'state':
      return listByReference(
        table,
        listing,
        await readSources(table, access.sources, range, access.nodes ? [inRange(access.nodes, range)] : []),
      );
    case 'index':
      return listByIndex(table, { kind, type: access.type, range: prefix, filter, isForReply }, page);
    default:
      return access.read(table, { query: access.query, filter, first: access.first }, page);
  }
}

interface Rows<Kind extends ObjectKind> {
  objects: Visible<EntityOf<Kind>>[];
  heartbeats: Heartbeats;
}

/** The objects that also meet the conditions on other objects and on heartbeats. One round of batch reads for each. */
async function join<Kind extends ObjectKind>(
  table: Table,
  { kind, scope, through, reported, heartbeats: all }: Plan<Kind>,
  read: AccessPage,
): Promise<Rows<Kind>> {
  const ofKind = read.objects.filter(
    (entity): entity is Visible<EntityOf<Kind>> => isOfKind(entity, kind) && isVisible(scope, entity),
  );
  const objects = await withRelatedValues(table, ofKind, through, scope);
  if (reported.length === 0) return { objects, heartbeats: read.heartbeats ?? new Map() };
  const heartbeats = read.heartbeats ?? all ?? (await readHeartbeats(table, objects, false));
  return { objects: objects.filter((entity) => reported.every(({ holds }) => holds(entity, heartbeats))), heartbeats };
}

/** A page of objects, and the heartbeats of their nodes if the plan reads them. */
export interface PlanPage<Kind extends ObjectKind> extends Page<Visible<EntityOf<Kind>>> {
  heartbeats: Heartbeats;
}

/** How many objects the next round looks at, so that about as many match as are missing. */
const roundSize = (missing: number, matched: number, looked: number): number =>
  Math.min(MAX_ROUND, Math.max(missing, Math.ceil((missing * looked) / Math.max(matched, 1))));

const bytesOf = (entity: Entity) => jsonBytesInReply(jsonOf(entity));

/** Only the first round begins with heartbeats that the plan has read. */
const withoutFirst = <Kind extends ObjectKind>(plan: Plan<Kind>): Plan<Kind> =>
  plan.access.by === 'heartbeats' ? { ...plan, access: { ...plan.access, first: undefined } } : plan;

/**
 * One page of a list: full, or the last one. It is short only where no more of its objects fit a reply, or after 12 seconds.
 * Objects are read strongly consistent, except those of an index.
 */
export async function readPlan<Kind extends ObjectKind>(
  table: Table,
  asked: Plan<Kind>,
  { size, after }: PageOptions,
): Promise<PlanPage<Kind>> {
  let plan = asked;
  const end = monotonicMs(table) + READ_MS;
  const objects: Visible<EntityOf<Kind>>[] = [];
  const heartbeats = new Map(plan.heartbeats);
  let start = after;
  let looked = 0;
  let bytes = 0;
  for (let round = 0; ; round += 1) {
    const wanted = roundSize(size - objects.length, objects.length, looked);
    if (round === 1 && isWorthAll(plan, objects.length / looked)) {
      plan = { ...plan, heartbeats: await allHeartbeats(table, MAX_KEPT_HEARTBEATS) };
      for (const [id, heartbeat] of plan.heartbeats ?? []) heartbeats.set(id, heartbeat);
    }
    const read = await readAccess(table, round === 0 ? plan : withoutFirst(plan), { size: wanted, after: start });
    const rows = await join(table, plan, read);
    looked += wanted;
    if (rows.heartbeats !== plan.heartbeats)
      for (const [id, heartbeat] of rows.heartbeats) heartbeats.set(id, heartbeat);
    // A round alone fits a reply.
    if (round === 1) bytes = objects.reduce((sum, entity) => sum + bytesOf(entity), 0);
    let next = read.next;
    for (const [index, entity] of rows.objects.entries()) {
      if (round > 0) bytes += bytesOf(entity);
      if (objects.length === size || bytes > MAX_REPLY_BYTES) {
        const last = rows.objects[index - 1];
        next = last === undefined ? start : (read.places?.[read.objects.indexOf(last)] ?? [orderOf(last), idOf(last)]);
        break;
      }
      objects.push(entity);
    }
    const isCut = next !== read.next;
    start = next;
    if (isCut || next === undefined || objects.length === size || monotonicMs(table) > end)
      return { objects, next, heartbeats: await heartbeatsOf(table, plan, objects, heartbeats) };
  }
}

/** Whether all heartbeats cost less than those of each round, because few of the objects of an index match. */
const isWorthAll = <Kind extends ObjectKind>({ access, reported, heartbeats }: Plan<Kind>, share: number): boolean =>
  access.by === 'index' && reported.length > 0 && heartbeats === undefined && share < FEW;

/** The heartbeats that the plan shows, if its conditions have not read them. */
function heartbeatsOf<Kind extends ObjectKind>(
  table: Table,
  { showsStates, reported, heartbeats: all, access }: Plan<Kind>,
  objects: readonly Entity[],
  read: Heartbeats,
): Heartbeats | Promise<Heartbeats> {
  const areRead = reported.length > 0 || all !== undefined || access.by === 'heartbeats';
  return showsStates && !areRead ? readHeartbeats(table, objects, false) : read;
}

/**
 * The number of all objects of a list, from its beginning: the number of references if each refers to an object of the list, otherwise
 * all objects are read. Undefined after 12 seconds.
 */
export async function countPlan<Kind extends ObjectKind>(table: Table, asked: Plan<Kind>): Promise<number | undefined> {
  const end = monotonicMs(table) + READ_MS;
  if (asked.counted !== undefined)
    return (
      await Promise.all(asked.counted.map(({ pk }) => queryCount(table, { partition: pk, ConsistentRead: true })))
    ).reduce((sum, count) => sum + count, 0);
  const plan = { ...asked, showsStates: false };
  let count = 0;
  let after: PageOptions['after'];
  do {
    const { objects, next } = await readPlan(table, plan, { size: MAX_ROUND, after });
    count += objects.length;
    after = next;
    if (after !== undefined && monotonicMs(table) > end) return undefined;
  } while (after !== undefined);
  return count;
}

/** Reads a page, and checks that the one object of a relation exists. @throws ApiError `notFound` when it does not. */
export async function readPlanOf<Kind extends ObjectKind>(
  table: Table,
  plan: Plan<Kind>,
  { related }: Question<Kind>,
  page: PageOptions,
): Promise<PlanPage<Kind>> {
  const [only, ...others] = related?.ids ?? [];
  const isOne = related !== undefined && only !== undefined && others.length === 0;
  const [read] = await Promise.all([
    readPlan(table, plan, page),
    isOne ? mustExist(table, related.kind, only) : undefined,
  ]);
  return read;
}

/** One page of the objects that match a question, as they are stored. @throws ApiError as `readPlanOf`. */
export async function selectObjects<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  question: Question<Kind>,
  page: PageOptions,
): Promise<Page<Visible<EntityOf<Kind>>>> {
  return readPlanOf(table, await planOf(table, kind, question, page.after), question, page);
}
