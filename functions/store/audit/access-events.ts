import * as z from 'zod/mini';
import type { Item } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { accessEvents, type AccessEventWord } from '../../domain/records/audit-events.ts';
import { accessEventKey, CHANGE_SECONDS, TTL_ATTRIBUTE } from '../table/keys.ts';
import { actorKinds, type WriteContext } from '../entities/write-context.ts';
import { newTransactionName } from '../table/random-suffix.ts';

/** Who does something to a key, a token or a session, in which request, and when. */
export type AccessContext = Pick<WriteContext, 'actor' | 'credential' | 'requestId' | 'clock' | 'sourceIp'>;

/** What is done. Of a secret, at most the prefix that lists show belongs in here: no other part, and no digest. */
export interface AccessEvent {
  event: AccessEventWord;
  subject: { id: string; name: string };
  /** What it came to, as far as that can be told: role, end, limit. */
  after?: Record<string, unknown>;
}

const eventItem = z.object({
  sk: z.string(),
  event: z.enum(accessEvents),
  actor_kind: z.enum(actorKinds),
  actor_id: z.string(),
  actor_name: z.string(),
  request_id: z.string(),
  subject_id: z.string(),
  subject_name: z.string(),
  source_ip: z.optional(z.string()),
  after: z.optional(z.record(z.string(), z.unknown())),
});

export type StoredAccessEvent = z.output<typeof eventItem>;

/** Writes the event down, in the transaction that it is about. */
export function accessStep(
  { event, subject, after }: AccessEvent,
  { actor, requestId, clock, sourceIp }: AccessContext,
): TransactItem {
  const milliseconds = clock().getTime();
  const Item: Item = {
    ...accessEventKey(milliseconds, newTransactionName()),
    event,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: requestId,
    subject_id: subject.id,
    subject_name: subject.name,
    ...(sourceIp === undefined ? {} : { source_ip: sourceIp }),
    ...(after === undefined ? {} : { after }),
    [TTL_ATTRIBUTE]: Math.floor(milliseconds / 1000) + CHANGE_SECONDS,
  };
  return { Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' }, own: true };
}

export const toAccessEvent = (item: Item): StoredAccessEvent => z.parse(eventItem, item);
