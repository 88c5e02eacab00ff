import { createHash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item, Table } from '../../shared/db/table.ts';
import { inTime } from '../../shared/http/deadline.ts';
import type { Log } from '../../shared/http/log.ts';
import { type RefusalEventWord, refusalEvents, type RefusalReason, refusalReasons } from '../catalogue/audit-words.ts';
import { CHANGE_SECONDS, refusalKey, TTL_ATTRIBUTE } from './keys.ts';
import { type Actor, actorKinds } from './origin.ts';
import { type Counted, createTally, type Tally } from './tally.ts';

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

export const toRefusals = (item: Item): StoredRefusals => z.parse(refusalItem, item);

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

const roughly = ({ event, reason, requestId, minute }: Timed): Timed => ({
  event,
  reason,
  requestId,
  minute,
  sourceIp: undefined,
});

/**
 * Adds to what was counted in the same minute. On purpose without a condition: the first one makes the item. An attempt
 * whose answer was lost may be counted twice.
 */
async function write(table: Table, { of, count, first, last }: Counted<Timed>): Promise<void> {
  const digest = createHash('sha256').update(nameOf(of)).digest('hex').slice(0, 16);
  const fields = { ...commonOf(of), request_id: of.requestId, last_at: last };
  const ttl = Math.floor(of.minute / 1000) + CHANGE_SECONDS;
  const sets = Object.keys(fields).map((name) => `#${name} = :${name}`);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: refusalKey(of.minute, digest),
      UpdateExpression: `ADD #count :count SET ${sets.join(', ')}, #first = if_not_exists(#first, :first), #ttl = :ttl`,
      ExpressionAttributeNames: {
        ...Object.fromEntries(Object.keys(fields).map((name) => [`#${name}`, name])),
        '#count': 'count',
        '#first': 'first_at',
        '#ttl': TTL_ATTRIBUTE,
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
        ':count': count,
        ':first': first,
        ':ttl': ttl,
      },
    }),
  );
}

/** What a process has counted, by kind and reason: those of one kind cannot push out another. */
const tallies = new WeakMap<Table, Map<string, Tally<Timed>>>();

function tallyOf(table: Table, { event, reason, subject }: Refusal): Tally<Timed> {
  const ofTable = tallies.get(table) ?? new Map<string, Tally<Timed>>();
  tallies.set(table, ofTable);
  // A function in the cloud is one endpoint, a server on one machine all of them.
  const name = [event, reason, ...(event === 'call.refused' ? [subject?.id] : [])].join(' ');
  const tally = ofTable.get(name) ?? createTally(nameOf, roughly);
  ofTable.set(name, tally);
  return tally;
}

/**
 * Counts a refusal for the audit. It never fails, never takes longer than it may, and never changes what the caller is
 * answered: what could not be written is written with the next one.
 */
export async function noteRefusal(
  { table, clock, log }: { table: Table; clock: () => Date; log: Log },
  refusal: Refusal,
  mostMilliseconds: number,
): Promise<void> {
  const time = clock().getTime();
  const tally = tallyOf(table, refusal);
  tally.add({ ...refusal, minute: Math.floor(time / REFUSALS_MINUTE_MS) * REFUSALS_MINUTE_MS }, time);
  await Promise.all(
    tally.due(performance.now()).map(async (counted) => {
      try {
        await inTime(mostMilliseconds, () => write(table, counted));
      } catch (error) {
        tally.putBack(counted);
        log({ level: 'error', message: 'refusal not recorded', cause: String(error) });
      }
    }),
  );
}
