import { ABSENT, equals } from '../../../shared/db/conditions.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import { type CollectorSession, collectorSessionSchema } from '../../domain/agent/collector-session.ts';
import * as z from 'zod/mini';
import { collectorSessionKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { readFrom } from '../table/read.ts';

/** A session without a message is kept this long: longer than any interval, and than the time between full states. */
const KEPT_SECONDS = 2 * 86_400;

/** The key of a session: whose credential, and which start. Callers with different credentials never share one. */
export interface SessionId {
  /** The node of a Registrar, else the id of the key. */
  caller: string;
  /** The instance uid in hex. */
  uid: string;
}

/** The session of a start; undefined for an unknown one. One strongly consistent read. */
export async function readCollectorSession(
  table: Table,
  { caller, uid }: SessionId,
): Promise<CollectorSession | undefined> {
  const item = await readFrom(table)(collectorSessionKey(caller, uid));
  return item === undefined ? undefined : z.parse(collectorSessionSchema, item);
}

/**
 * Stores a session in place of the one that was read: one write unit.
 *
 * @throws StaleRead if another message of the same start was stored in the meantime.
 */
export async function writeCollectorSession(
  table: Table,
  { caller, uid }: SessionId,
  { session, last, now }: { session: CollectorSession; last: CollectorSession | undefined; now: Date },
): Promise<void> {
  const put = {
    ...collectorSessionKey(caller, uid),
    ...session,
    [TTL_ATTRIBUTE]: secondsOf(now) + KEPT_SECONDS,
  };
  const condition = last === undefined ? ABSENT : equals('writes', last.writes);
  const { refusal } = await writeItem(table, { put, condition });
  if (refusal !== undefined) throw new StaleRead();
}
