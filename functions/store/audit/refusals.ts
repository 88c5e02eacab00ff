import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { Item, Table } from '../../../shared/db/table.ts';
import { inTime } from '../../../shared/http/deadline.ts';
import { faultOf } from '../../../shared/http/errors.ts';
import type { Log } from '../../../shared/http/log.ts';
import {
  type RefusalEventWord,
  refusalEvents,
  type RefusalReason,
  refusalReasons,
} from '../../domain/records/audit-events.ts';
import { CHANGE_SECONDS, refusalKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { type Actor, actorKinds } from '../entities/write-context.ts';
import { type Counted, createBatchingCounter, EVERY_MS, type BatchingCounter } from './batching-counter.ts';
import { newTransactionName } from '../table/random-suffix.ts';

/** So long the refusals of one kind are counted in one item. */
export const REFUSALS_MINUTE_MS = 60_000;

/** Somebody was not let in, or may not do what they asked for. */
export interface Refusal {
  event: RefusalEventWord;
  reason: RefusalReason;
  /** Whoever asked, when they were recognised. */
  actor?: Actor | undefined;
  /** What was asked for (an endpoint), or as whom (a key, a known user). */
  subject?: { kind: string; id: string; name: string } | undefined;
  sourceIp: string | undefined;
  requestId: string;
}

const refusalItem = z.object({
  sk: z.string(),
  event: z.enum(refusalEvents),
  reason: z.enum(refusalReasons),
  actor_kind: z.optional(z.enum(actorKinds)),
  actor_id: z.optional(z.string()),
  actor_name: z.optional(z.string()),
  subject_kind: z.optional(z.string()),
  subject_id: z.optional(z.string()),
  subject_name: z.optional(z.string()),
  source_ip: z.optional(z.string()),
  /** The last one of them. */
  request_id: z.string(),
  count: z.int(),
  /** Milliseconds since 1970. */
  first_at: z.int(),
  last_at: z.int(),
});

export type StoredRefusals = z.output<typeof refusalItem>;

/** Processes write one after the other what they counted at the same time: the last that was written need not be the latest. */
export function toRefusals(item: Item): StoredRefusals {
  const stored = z.parse(refusalItem, item);
  const { first_at: first, last_at: last } = stored;
  return { ...stored, first_at: Math.min(first, last), last_at: Math.max(first, last) };
}

interface Timed extends Refusal {
  minute: number;
}

/** What the refusals that are counted in one item have in common. */
function commonOf({ event, reason, actor, subject, sourceIp }: Refusal): Record<string, string> {
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

const nameOf = (refusal: Timed) => JSON.stringify([refusal.minute, commonOf(refusal)]);

const withoutDetails = ({ event, reason, requestId, minute }: Timed): Timed => ({
  event,
  reason,
  requestId,
  minute,
  sourceIp: undefined,
});

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** So many addresses are told apart in a minute, of one caller, kind and reason, however many processes count. */
const SLOTS = 64;

/** For what comes from no address in particular. */
const NO_SLOT = 'ff';

/** Where an address is counted, two hex digits. */
function slotOf(sourceIp: string | undefined): string {
  if (sourceIp === undefined) return NO_SLOT;
  const slot = Number.parseInt(digestOf(sourceIp).slice(0, 8), 16) % SLOTS;
  return slot.toString(16).padStart(2, '0');
}

/**
 * Adds to what was counted in the same minute. A slot is the address's that came first, and what this very write has
 * added, also when its answer was lost, it adds only once, unless another process wrote in between.
 *
 * @returns false when the slot is another address's.
 */
async function add(table: Table, { of, count, first, last }: Counted<Timed>, writeId: string): Promise<boolean> {
  const { source_ip: ip, ...others } = commonOf(of);
  const common = digestOf(JSON.stringify([of.minute, others])).slice(0, 14);
  const written = { ...commonOf(of), request_id: of.requestId, last_at: last, write_id: writeId };
  const kept = { first_at: first, [TTL_ATTRIBUTE]: Math.floor(of.minute / 1000) + CHANGE_SECONDS };
  const fields: Record<string, string | number> = { ...written, ...kept };
  const sets = [
    ...Object.keys(written).map((name) => `#${name} = :${name}`),
    ...Object.keys(kept).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
  ];
  const isSame = ip === undefined ? 'attribute_not_exists(source_ip)' : '#source_ip = :source_ip';
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: refusalKey(of.minute, `${common}${slotOf(ip)}`),
        UpdateExpression: `ADD #count :count SET ${sets.join(', ')}`,
        ConditionExpression: `attribute_not_exists(pk) OR (${isSame} AND #write_id <> :write_id)`,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ExpressionAttributeNames: {
          ...Object.fromEntries(Object.keys(fields).map((name) => [`#${name}`, name])),
          '#count': 'count',
        },
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
          ':count': count,
        },
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const found = error.Item === undefined ? {} : unmarshall(error.Item);
    return found['write_id'] === writeId;
  }
}

/** An address without a slot of its own is counted with all the others that have none. */
async function write(table: Table, counted: Counted<Timed>): Promise<void> {
  const writeId = newTransactionName();
  if (await add(table, counted, writeId)) return;
  await add(table, { ...counted, of: { ...counted.of, sourceIp: undefined } }, writeId);
}

interface Counting {
  tally: BatchingCounter<Timed>;
  /** The next write, when one is scheduled. */
  timer: NodeJS.Timeout | undefined;
  /** The writes that are not finished. */
  writes: Set<Promise<boolean>>;
}

/** What a process has counted, by kind and reason: those of one kind cannot push out another. */
const countings = new WeakMap<Table, Map<string, Counting>>();

function countingOf(table: Table, { event, reason, subject }: Refusal): Counting {
  const ofTable = countings.get(table) ?? new Map<string, Counting>();
  countings.set(table, ofTable);
  // A function in the cloud is one endpoint, a server on one machine all of them.
  const name = [event, reason, ...(event === 'call.refused' ? [subject?.id] : [])].join(' ');
  const counting = ofTable.get(name) ?? {
    tally: createBatchingCounter(nameOf, withoutDetails),
    timer: undefined,
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

/** @returns whether it has been written; otherwise it waits again. */
async function tryToWrite(
  { table, log }: Pick<Writing, 'table' | 'log'>,
  { tally }: Counting,
  counted: Counted<Timed>,
  mostMilliseconds: number,
): Promise<boolean> {
  try {
    await inTime(mostMilliseconds, () => write(table, counted));
    return true;
  } catch (error) {
    tally.putBack(counted);
    log({ level: 'error', message: 'refusal was not recorded', fault: faultOf(error), cause: String(error) });
    return false;
  }
}

/** @returns whether all that is due has been written. */
async function writeDue(writing: Writing, counting: Counting, mostMilliseconds: number): Promise<boolean> {
  const written = counting.tally.due(performance.now()).map(async (counted) => {
    const result = tryToWrite(writing, counting, counted, mostMilliseconds);
    counting.writes.add(result);
    return result.finally(() => counting.writes.delete(result));
  });
  return (await Promise.all(written)).every(Boolean);
}

/** Writes what waits when its second is over; a function that sleeps till then does so when it is next called. */
function writeLater(writing: Writing, counting: Counting, mostMilliseconds: number): void {
  if (counting.timer !== undefined || !counting.tally.isWaiting()) return;
  counting.timer = setTimeout(() => {
    counting.timer = undefined;
    void writeDue(writing, counting, mostMilliseconds).then((isWritten) => {
      if (isWritten) writeLater(writing, counting, mostMilliseconds);
    });
  }, EVERY_MS + 1);
  // Nothing has to stay for it.
  counting.timer.unref();
}

/**
 * Counts a refusal for the audit. It never fails, never takes longer than it may, and never changes what the caller is
 * answered: what could not be written is written with the next one.
 */
export async function recordRefusal(writing: Writing, refusal: Refusal, mostMilliseconds: number): Promise<void> {
  const time = writing.clock().getTime();
  const counting = countingOf(writing.table, refusal);
  counting.tally.add({ ...refusal, minute: Math.floor(time / REFUSALS_MINUTE_MS) * REFUSALS_MINUTE_MS }, time);
  if (await writeDue(writing, counting, mostMilliseconds)) writeLater(writing, counting, mostMilliseconds);
}

/** Writes all refusals that wait, for a process that is about to end: those of one second are written together. */
export async function writeWaitingRefusals(
  writing: Pick<Writing, 'table' | 'log'>,
  mostMilliseconds: number,
): Promise<void> {
  const ofTable = [...(countings.get(writing.table)?.values() ?? [])];
  await Promise.all(
    ofTable.map(async (counting) => {
      clearTimeout(counting.timer);
      await Promise.all(counting.writes);
      const waiting = counting.tally.takeAll();
      await Promise.all(waiting.map((counted) => tryToWrite(writing, counting, counted, mostMilliseconds)));
    }),
  );
}
