import { endpoint as getObjectAsOf } from '../../functions/api/changes/as-of/endpoint.ts';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { call, parsedBy, type ReplyOf } from '../api/client.tsx';
import type { PastQuery } from './as-of-place.ts';

export type ObjectAsOf = ReplyOf<typeof getObjectAsOf>;

/** @throws ApiFailure, also for an impossible time. */
export const loadAsOf = (kind: ObjectKind, id: string, query: PastQuery, signal: AbortSignal): Promise<ObjectAsOf> =>
  call(getObjectAsOf, { params: { kind, object_id: id }, query: parsedBy(getObjectAsOf.query, query) }, { signal });

const millisecondBefore = (time: string) => new Date(Date.parse(time) - 1).toISOString();

export interface LastState {
  /** The object now; of a removed one, before its removal. */
  last: ObjectAsOf;
  /** When it was removed, if it is. */
  removedAt: string | undefined;
}

/** The object as it is, or was at last. */
export async function loadLast(
  kind: ObjectKind,
  id: string,
  removal: string | undefined,
  signal: AbortSignal,
): Promise<LastState> {
  const now = await loadAsOf(kind, id, { removal }, signal);
  const removedAt = now.presence === 'removed' ? now.from : undefined;
  if (removedAt === undefined) return { last: now, removedAt };
  return { last: await loadAsOf(kind, id, { removal, time: millisecondBefore(removedAt) }, signal), removedAt };
}

/** The times of the states before and after this one. */
export const neighboursOf = ({ from, until }: ObjectAsOf) => ({
  earlier: from === undefined ? undefined : millisecondBefore(from),
  later: until,
});
