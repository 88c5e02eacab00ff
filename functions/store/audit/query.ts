import type { Position } from '../../../shared/db/page-token.ts';
import { absent, and, type Condition, equals, exists } from '../../../shared/db/conditions.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { fitting } from '../../../shared/core/reply-size.ts';
import { accessEvents, type AuditEventWord, changeEvents, refusalEvents } from '../../domain/records/audit-events.ts';
import { type StoredAccessEvent, toAccessEvent } from './access-events.ts';
import { inEveryShard } from '../history/change-shards.ts';
import { type Change, toChange } from '../history/change-record.ts';
import {
  ACCESS_EVENTS_PARTITION,
  ANNOTATIONS_PARTITION,
  changeShardPartition,
  changesFrom,
  partitionOfEvent,
  REFUSALS_PARTITION,
} from '../table/keys.ts';
import type { PageOptions } from '../table/page.ts';
import { queryPage } from '../table/read.ts';
import { REFUSALS_MINUTE_MS, type StoredRefusals, toRefusals } from './refusals.ts';
import { recordSeconds } from '../table/record-retention.ts';

/** The criteria of a query of the audit; times in milliseconds since 1970. */
export interface AuditQuestion {
  actorId?: string | undefined;
  objectId?: string | undefined;
  event?: AuditEventWord | undefined;
  /** From this time on. */
  since?: number | undefined;
  /** Before this time. */
  until?: number | undefined;
}

export type AuditRecord =
  | { source: 'change'; record: Change }
  | { source: 'access'; record: StoredAccessEvent }
  | { source: 'refusals'; record: StoredRefusals };

/** A partition that contains audit entries, ordered by time. */
interface Source {
  partition: string;
  events: readonly string[];
  /** The attributes to filter by, with the required value; true: any value, false: no such attribute. */
  conditions: (question: AuditQuestion) => Record<string, string | boolean | undefined>;
  read: (item: Item) => AuditRecord;
}

const changeSource = (shard: number): Source => ({
  partition: changeShardPartition(shard),
  events: changeEvents,
  conditions: ({ actorId, objectId, event }) => {
    const [kind, word] = event?.split('.') ?? [];
    // A restoration is stored as the add of an object that has a previous change.
    const isAdd = word === 'added' || word === 'restored';
    const previous = isAdd ? word === 'restored' : undefined;
    return { actor_id: actorId, id: objectId, kind, action: isAdd ? 'added' : word, previous };
  },
  read: (item) => ({ source: 'change', record: toChange(item) }),
});

const isOfChange = (event: string) => changeEvents.some((candidate) => candidate === event);

const bySubject = ({ actorId, objectId, event }: AuditQuestion) => ({ actor_id: actorId, subject_id: objectId, event });

const accessSource = (partition: string): Source => ({
  partition,
  // Also annotations of earlier versions are among the events of access.
  events:
    partition === ACCESS_EVENTS_PARTITION
      ? accessEvents
      : accessEvents.filter((event) => partitionOfEvent(event) === partition),
  conditions: bySubject,
  read: (item) => ({ source: 'access', record: toAccessEvent(item) }),
});

/** The partitions besides those of changes. */
const otherSources: readonly Source[] = [
  accessSource(ACCESS_EVENTS_PARTITION),
  accessSource(ANNOTATIONS_PARTITION),
  {
    partition: REFUSALS_PARTITION,
    events: refusalEvents,
    conditions: bySubject,
    read: (item) => ({ source: 'refusals', record: toRefusals(item) }),
  },
];

/** Number of entries of each partition that are read for one page of a filtered query. */
const MAX_LOOKED_AT = 1000;

/** By time, then by partition. Space sorts before every character of a sort key and of a partition. */
const orderOf = ([sortKey, partition]: Position) => `${sortKey} ${partition}`;

interface AuditMatch {
  position: Position;
  record: AuditRecord;
}

const filterOf = (name: string, value: string | boolean): Condition =>
  typeof value === 'boolean' ? (value ? exists(name) : absent(name)) : equals(name, value);

/**
 * The newest entries of a partition that are not newer than the position, and the position down to which it was read.
 */
async function readSource(
  table: Table,
  source: Source,
  { question, from, size, after }: { question: AuditQuestion; from: number; size: number; after: Position | undefined },
): Promise<{ matches: AuditMatch[]; reached: Position | undefined }> {
  const nothing = { matches: [], reached: undefined };
  if (question.event !== undefined && !source.events.includes(question.event)) return nothing;
  const lower = changesFrom(from);
  // Sort keys continue after the time, so this bound excludes the millisecond itself.
  const end = question.until === undefined ? undefined : changesFrom(question.until);
  const upper = after?.[0] ?? end;
  if (upper !== undefined && upper < lower) return nothing;
  const conditions = Object.entries(source.conditions(question)).flatMap(([name, value]) =>
    value === undefined ? [] : [filterOf(name, value)],
  );
  const isFiltered = conditions.length > 0;
  const { items, reached } = await queryPage(table, {
    partition: source.partition,
    sort: [lower, upper],
    filter: isFiltered ? and(...conditions) : undefined,
    ConsistentRead: true,
    ScanIndexForward: false,
    // Two more: the last entry of the previous page is read again, and an entry after the page shows that more exist.
    Limit: isFiltered ? MAX_LOOKED_AT : size + 2,
  });
  const matches = items.map((item) => {
    const position: Position = [String(item['sk']), source.partition];
    return { position, record: source.read(item) };
  });
  return { matches, reached: reached === undefined ? undefined : [reached, source.partition] };
}

/**
 * An entry of refusals has the time of its minute, and may be from the part of the minute outside the requested range.
 */
function isMeant({ source, record }: AuditRecord, { since, until }: AuditQuestion): boolean {
  if (source !== 'refusals') return true;
  return (since === undefined || record.last_at >= since) && (until === undefined || record.first_at < until);
}

/**
 * Audit entries, newest first, within their retention time. One query of each partition, in parallel. With a filter a
 * page may be short or empty without being the last one.
 */
export async function readAudit(
  table: Table,
  question: AuditQuestion,
  { size, after, now }: PageOptions & { now: Date },
): Promise<{ objects: AuditRecord[]; next: Position | undefined }> {
  const since = Math.max(question.since ?? -Infinity, now.getTime() - recordSeconds() * 1000);
  const from = Math.floor(since / REFUSALS_MINUTE_MS) * REFUSALS_MINUTE_MS;
  const read = (source: Source) => {
    const isByMinute = source.partition === REFUSALS_PARTITION;
    return readSource(table, source, { question, from: isByMinute ? from : since, size, after });
  };
  const hasChanges = question.event === undefined || isOfChange(question.event);
  const [changes, ...others] = await Promise.all([
    hasChanges ? inEveryShard(table, (shard) => read(changeSource(shard))) : [],
    ...otherSources.map(read),
  ]);
  const pages = [...changes, ...others];
  const orders = (positions: readonly (Position | undefined)[]) =>
    positions
      .filter((position) => position !== undefined)
      .sort((left, right) => (orderOf(left) < orderOf(right) ? 1 : -1));
  // Below the last entry that was read from an incomplete partition, its next entry is unknown.
  const [end] = orders(pages.map(({ reached }) => reached));
  const isInside = (position: Position) =>
    (after === undefined || orderOf(position) < orderOf(after)) &&
    (end === undefined || orderOf(position) >= orderOf(end));
  const matches = pages
    .flatMap((page) => page.matches)
    .filter(({ position, record }) => isInside(position) && isMeant(record, question))
    .sort((left, right) => (orderOf(left.position) < orderOf(right.position) ? 1 : -1));
  const objects = matches.slice(0, size);
  const shown = objects.slice(0, fitting(objects));
  const last = shown.length < matches.length ? shown.at(-1)?.position : end;
  return { objects: shown.map(({ record }) => record), next: last };
}
