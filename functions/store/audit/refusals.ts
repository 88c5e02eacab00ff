import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { endAfter } from '../../../shared/core/seconds.ts';
import { ABSENT, and, differs, equals, or } from '../../../shared/db/conditions.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { inTime } from '../../../shared/core/deadline.ts';
import { faultOf } from '../../../shared/core/errors.ts';
import type { Log } from '../../../shared/core/log.ts';
import { clockOf, monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import {
  type RefusalEventWord,
  refusalEvents,
  type RefusalReason,
  refusalReasons,
} from '../../domain/records/audit-events.ts';
import { refusalKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { type Actor, actorKinds } from '../entities/write-context.ts';
import { type EventCount, createBatchingCounter, EVERY_MS, type BatchingCounter } from './batching-counter.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { recordSeconds } from '../table/record-retention.ts';

/** Equal refusals within this time are counted in one item. */
export const REFUSALS_MINUTE_MS = 60_000;

/** A call that was refused: the caller was not recognised, or lacks the permission. */
export interface AuditRefusal {
  event: RefusalEventWord;
  reason: RefusalReason;
  /** The caller, if recognised. */
  actor?: Actor | undefined;
  /** The endpoint that was called, or the key or user that the caller claimed to be. */
  subject?: { kind: string; id: string; name: string } | undefined;
  sourceIp: string | undefined;
  requestId: string;
}

const refusalItem = z.object({
  sk: z.string(),
  event: openEnum(refusalEvents),
  reason: openEnum(refusalReasons),
  actor_kind: z.optional(openEnum(actorKinds)),
  actor_id: z.optional(z.string()),
  actor_name: z.optional(z.string()),
  subject_kind: z.optional(z.string()),
  subject_id: z.optional(z.string()),
  subject_name: z.optional(z.string()),
  source_ip: z.optional(z.string()),
  /** Of the last of these refusals. */
  request_id: z.string(),
  count: z.int(),
  /** Milliseconds since 1970. */
  first_at: z.int(),
  last_at: z.int(),
});

export type StoredRefusals = z.output<typeof refusalItem>;

/** Processes write their counts one after the other, so the last write need not contain the latest time. */
export function toRefusals(item: Item): StoredRefusals {
  const stored = z.parse(refusalItem, item);
  const { first_at: first, last_at: last } = stored;
  return { ...stored, first_at: Math.min(first, last), last_at: Math.max(first, last) };
}

interface RefusalOfMinute extends AuditRefusal {
  minute: number;
}

/** The properties that the refusals in one item have in common. */
function commonOf({ event, reason, actor, subject, sourceIp }: AuditRefusal): Record<string, string> {
  return {
    event,
    reason,
    ...(actor === undefined ? {} : { actor_kind: actor.kind, actor_id: actor.id, actor_name: actor.name }),
    ...(subject === undefined
      ? {}
      : { subject_kind: subject.kind, subject_id: subject.id, subject_name: subject.name }),
    ...(sourceIp === undefined ? {} : { source_ip: sourceIp }),
  };
}

const nameOf = (refusal: RefusalOfMinute) => JSON.stringify([refusal.minute, commonOf(refusal)]);

const withoutDetails = ({ event, reason, requestId, minute }: RefusalOfMinute): RefusalOfMinute => ({
  event,
  reason,
  requestId,
  minute,
  sourceIp: undefined,
});

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Number of source addresses that are counted separately in a minute, for one caller, event and reason, in all
 * processes together.
 */
const SLOTS = 64;

/** For refusals without a source address. */
const NO_SLOT = 'ff';

/** The slot in which an address is counted, two hex digits. */
function slotOf(sourceIp: string | undefined): string {
  if (sourceIp === undefined) return NO_SLOT;
  const slot = Number.parseInt(digestOf(sourceIp).slice(0, 8), 16) % SLOTS;
  return slot.toString(16).padStart(2, '0');
}

/**
 * Adds a count to the item of its minute. A slot belongs to the first address that is counted in it. A retried write
 * whose reply was lost is counted only once, unless another process wrote the item in between.
 *
 * @returns false when the slot belongs to another address.
 */
async function add(
  table: Table,
  { of, count, first, last }: EventCount<RefusalOfMinute>,
  writeId: string,
): Promise<boolean> {
  const { source_ip: ip, ...others } = commonOf(of);
  const common = digestOf(JSON.stringify([of.minute, others])).slice(0, 14);
  const { refusal } = await writeItem(table, {
    update: refusalKey(of.minute, `${common}${slotOf(ip)}`),
    add: { count },
    set: { ...commonOf(of), request_id: of.requestId, last_at: last, write_id: writeId },
    setIfAbsent: { first_at: first, [TTL_ATTRIBUTE]: endAfter(new Date(of.minute), recordSeconds()) },
    condition: or(ABSENT, and(equals('source_ip', ip), differs('write_id', writeId))),
  });
  return refusal === undefined || refusal.Item?.['write_id'] === writeId;
}

/** Addresses whose slot is taken are counted together, without an address. */
async function write(table: Table, counted: EventCount<RefusalOfMinute>): Promise<void> {
  const writeId = newTransactionName();
  if (await add(table, counted, writeId)) return;
  await add(table, { ...counted, of: { ...counted.of, sourceIp: undefined } }, writeId);
}

interface RefusalCounting {
  counter: BatchingCounter<RefusalOfMinute>;
  /** Cancels the next write, when one is scheduled. */
  cancelNext: (() => void) | undefined;
  /** The writes that are not finished. */
  writes: Set<Promise<boolean>>;
}

/** The counts of a process by event and reason, and by endpoint: those of one cannot displace those of another. */
const countings = new WeakMap<Table, Map<string, RefusalCounting>>();

function countingOf(table: Table, { event, reason, subject }: AuditRefusal): RefusalCounting {
  const ofTable = countings.get(table) ?? new Map<string, RefusalCounting>();
  countings.set(table, ofTable);
  // A function in the cloud serves one endpoint; a local server serves all of them.
  const name = [event, reason, ...(event === 'call.refused' ? [subject?.id] : [])].join(' ');
  const counting = ofTable.get(name) ?? {
    counter: createBatchingCounter(nameOf, withoutDetails),
    cancelNext: undefined,
    writes: new Set(),
  };
  ofTable.set(name, counting);
  return counting;
}

interface Writing {
  table: Table;
  clock: () => Date;
  log: Log;
}

/** @returns whether it was written; if not, it waits again. */
async function tryToWrite(
  { table, log }: Pick<Writing, 'table' | 'log'>,
  { counter }: RefusalCounting,
  counted: EventCount<RefusalOfMinute>,
  mostMilliseconds: number,
): Promise<boolean> {
  try {
    await inTime(table, mostMilliseconds, () => write(table, counted));
    return true;
  } catch (error) {
    counter.putBack(counted);
    log({ level: 'error', message: 'refusal was not recorded', fault: faultOf(error), cause: String(error) });
    return false;
  }
}

/** @returns whether everything that is due was written. */
async function writeDue(writing: Writing, counting: RefusalCounting, mostMilliseconds: number): Promise<boolean> {
  const written = counting.counter.due(monotonicMs(writing.table)).map(async (counted) => {
    const result = tryToWrite(writing, counting, counted, mostMilliseconds);
    counting.writes.add(result);
    return result.finally(() => counting.writes.delete(result));
  });
  return (await Promise.all(written)).every(Boolean);
}

/** Writes waiting counts after a second. A function that is frozen until then writes them when it is next called. */
function writeLater(writing: Writing, counting: RefusalCounting, mostMilliseconds: number): void {
  if (counting.cancelNext !== undefined || !counting.counter.isWaiting()) return;
  const writeWaiting = () => {
    counting.cancelNext = undefined;
    void writeDue(writing, counting, mostMilliseconds).then((isWritten) => {
      if (isWritten) writeLater(writing, counting, mostMilliseconds);
    });
  };
  counting.cancelNext = clockOf(writing.table).after(EVERY_MS + 1, writeWaiting, { ref: false });
}

/**
 * Counts a refusal for the audit. Does not throw, does not take longer than `mostMilliseconds`, and does not affect the
 * reply. A count that could not be written is written with the next one.
 */
export async function recordRefusal(writing: Writing, refusal: AuditRefusal, mostMilliseconds: number): Promise<void> {
  const time = writing.clock().getTime();
  const counting = countingOf(writing.table, refusal);
  counting.counter.add({ ...refusal, minute: Math.floor(time / REFUSALS_MINUTE_MS) * REFUSALS_MINUTE_MS }, time);
  if (await writeDue(writing, counting, mostMilliseconds)) writeLater(writing, counting, mostMilliseconds);
}

/** Writes all waiting counts before the process ends. */
export async function writeWaitingRefusals(
  writing: Pick<Writing, 'table' | 'log'>,
  mostMilliseconds: number,
): Promise<void> {
  const ofTable = [...(countings.get(writing.table)?.values() ?? [])];
  await Promise.all(
    ofTable.map(async (counting) => {
      counting.cancelNext?.();
      await Promise.all(counting.writes);
      const waiting = counting.counter.takeAll();
      await Promise.all(waiting.map((counted) => tryToWrite(writing, counting, counted, mostMilliseconds)));
    }),
  );
}
