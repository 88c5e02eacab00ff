import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { ABSENT } from '../../../shared/db/conditions.ts';
import { endAfter } from '../../../shared/core/seconds.ts';
import type { Item } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { accessEvents, type AccessEventWord } from '../../domain/records/audit-events.ts';
import { accessEventKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { actorKinds, type WriteContext } from '../entities/write-context.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { recordSeconds } from '../table/record-retention.ts';

/** The actor, the request and the time of an access event, and the limit of the caller. */
export type AccessContext = Pick<WriteContext, 'actor' | 'credential' | 'requestId' | 'now' | 'sourceIp'> &
  Partial<Pick<WriteContext, 'limit'>>;

/**
 * An event about a key, a token or a session. Of a secret it may contain only the prefix that lists show: no digest and
 * no other part.
 */
export interface AccessEvent {
  event: AccessEventWord;
  subject: { id: string; name: string };
  /** The resulting properties that may be shown: role, end, limits. */
  after?: Record<string, unknown>;
}

const eventItem = z.object({
  sk: z.string(),
  event: openEnum(accessEvents),
  actor_kind: openEnum(actorKinds),
  actor_id: z.string(),
  actor_name: z.string(),
  request_id: z.string(),
  subject_id: z.string(),
  subject_name: z.string(),
  source_ip: z.optional(z.string()),
  after: z.optional(z.record(z.string(), z.unknown())),
});

export type StoredAccessEvent = z.output<typeof eventItem>;

/** The record of the event, to write in the transaction that it describes. */
export function accessStep(
  { event, subject, after }: AccessEvent,
  { actor, requestId, now, sourceIp }: AccessContext,
): TransactItem {
  const item = {
    ...accessEventKey(event, now.getTime(), newTransactionName()),
    event,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: requestId,
    subject_id: subject.id,
    subject_name: subject.name,
    ...(sourceIp === undefined ? {} : { source_ip: sourceIp }),
    ...(after === undefined ? {} : { after }),
    [TTL_ATTRIBUTE]: endAfter(now, recordSeconds()),
  };
  return { put: item, condition: ABSENT, exclusive: true };
}

export const toAccessEvent = (item: Item): StoredAccessEvent => z.parse(eventItem, item);
