import * as z from 'zod/mini';
import { apiKeyPrefix } from '../../../shared/core/api-key-pattern.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import { and, equals, isAtMost, orAbsent, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { renewalKey, sessionItemKey, SESSIONS_PARTITION, TTL_ATTRIBUTE } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { addition, apiKeyItem, findById, idItem, secretsAsRead } from './api-keys.ts';
import { changeCredentials, endedCredential } from './change-credentials.ts';
import { type Session, toSession, userOf } from './sessions.ts';

/** Longer than a renewal takes: after it, another request may try. */
const LEASE_SECONDS = 15;

const renewalSchema = z.object({
  session_id: z.string(),
  /** The digest of the newest secret, which opens `sealed`. */
  key_hash: z.string(),
  /** The refresh token and the times of the session, encrypted by the newest secret. */
  sealed: z.string(),
  /** The digest of the secret before, and the salt by which the newest one follows from it. */
  renewed_from: z.optional(z.string()),
  salt: z.optional(z.string()),
  /** Seconds since 1970: until then one request renews the session, and others wait. */
  lease_until: z.optional(z.int()),
});

/** How a session is renewed. */
export type Renewal = z.output<typeof renewalSchema>;

/** @param end of the session, in seconds since 1970. */
export const renewalStep = (renewal: Renewal, end: number): TransactItem => ({
  put: { ...renewalKey(renewal.session_id), ...renewal, [TTL_ATTRIBUTE]: end },
});

/** One strongly consistent read. */
export async function findRenewal(table: Table, sessionId: string): Promise<Renewal | undefined> {
  const item = await readItem(table, renewalKey(sessionId));
  return item === undefined ? undefined : z.parse(renewalSchema, item);
}

/**
 * When the log-in of a session ends, in seconds since 1970: the secret of a session that is renewed ends before. One
 * strongly consistent read.
 */
export async function endOfLogIn(table: Table, { key_id, expires_at }: Session): Promise<number> {
  const end = (await readItem(table, renewalKey(key_id)))?.[TTL_ATTRIBUTE];
  return typeof end === 'number' ? end : expires_at;
}

/** The session with this secret, and the sort key of its slot. One strongly consistent read. */
export async function findSessionOfSecret(
  table: Table,
  hash: string,
): Promise<(Session & { slot: string | undefined }) | undefined> {
  const item = await readItem(table, sessionItemKey(hash));
  if (item?.['kind'] !== 'session') return undefined;
  const slot = item['slot'];
  return { ...toSession(item), slot: typeof slot === 'string' ? slot : undefined };
}

/**
 * Takes the lease of the renewal, unless another request has it or has renewed the session. One conditional write.
 *
 * @returns whether it was taken.
 */
export async function takeRenewal(table: Table, { session_id, key_hash }: Renewal, now: Date): Promise<boolean> {
  const { refusal } = await retryOnContention(table, () =>
    writeItem(table, {
      update: renewalKey(session_id),
      set: { lease_until: secondsOf(now) + LEASE_SECONDS },
      condition: and(PRESENT, equals('key_hash', key_hash), orAbsent(isAtMost('lease_until', secondsOf(now)))),
    }),
  );
  return refusal === undefined;
}

/** Ends the lease after a renewal that failed: the next request need not wait. */
export async function leaveRenewal(table: Table, { session_id, key_hash }: Renewal): Promise<void> {
  await retryOnContention(table, () =>
    writeItem(table, {
      update: renewalKey(session_id),
      remove: ['lease_until'],
      condition: and(PRESENT, equals('key_hash', key_hash)),
    }),
  );
}

export interface NextSecret {
  session: Session & { slot: string | undefined };
  secret: string;
  /** Of `secret`. */
  hash: string;
  /** The digest of the secret that it follows. */
  previousHash: string;
  salt: string;
  sealed: string;
  role: Session['role'];
  owners: Session['owners'];
  bindings: Session['bindings'];
  restsOn: Session['rests_on'];
  /** When the secret ends, and when the session ends, in seconds since 1970. */
  expiresAt: number;
  sessionEnd: number;
  /** For the audit, if the session changes: its role, or that the provider did not answer. */
  after?: Record<string, unknown> | undefined;
}

/** The session with the new secret, and with the rights that it has now. */
function renewedSession({ session, role, owners, bindings, restsOn, secret, expiresAt }: NextSecret) {
  const { owners: _owners, bindings: _bindings, rests_on: _restsOn, ...unbound } = session;
  const { last_used_at: _at, last_used_from: _from, ...rest } = unbound;
  return {
    ...rest,
    role,
    ...(owners === undefined ? {} : { owners }),
    ...(bindings === undefined ? {} : { bindings }),
    ...(restsOn === undefined ? {} : { rests_on: restsOn }),
    prefix: apiKeyPrefix(secret),
    expires_at: expiresAt,
  };
}

/** The session with the new secret, and the steps that write it. */
async function stepsOf(table: Table, next: NextSecret, cause: AccessContext) {
  const { session, hash, previousHash, salt, sealed, expiresAt, sessionEnd } = next;
  const { key_id: id, name, slot, account_version } = session;
  const record = await findById(table, id, session);
  if (record === undefined || slot === undefined) throw endedCredential(cause.actor);
  const now = secondsOf(cause.now);
  const renewed = renewedSession(next);
  const previous = [
    ...(record.previous ?? []).filter((secret) => secret.expires_at > now),
    { key_hash: previousHash, expires_at: session.expires_at },
  ];
  const ttl = { [TTL_ATTRIBUTE]: expiresAt };
  const superseded = { superseded: true, superseded_by: 'key', successor_hash: hash } as const;
  const steps: TransactItem[] = [
    addition({ ...apiKeyItem(renewed, hash), source_ip: session.source_ip, ...ttl }),
    {
      put: {
        ...apiKeyItem({ ...session, ...superseded }, previousHash),
        source_ip: session.source_ip,
        [TTL_ATTRIBUTE]: session.expires_at,
      },
      condition: PRESENT,
      onConditionFailed: stale,
    },
    {
      put: { ...idItem(hash, renewed, previous), ...ttl },
      condition: secretsAsRead(record),
      onConditionFailed: stale,
    },
    {
      put: {
        ...{ pk: SESSIONS_PARTITION, sk: slot },
        ...{
          user_name: userOf(session),
          session_id: id,
          key_hash: hash,
          expires_at: expiresAt,
          account_version,
          ...ttl,
        },
      },
      condition: equals('session_id', id),
      onConditionFailed: stale,
    },
    renewalStep({ session_id: id, key_hash: hash, sealed, renewed_from: previousHash, salt }, sessionEnd),
    ...(next.after === undefined
      ? []
      : [accessStep({ event: 'session.changed', subject: { id, name }, after: next.after }, cause)]),
  ];
  return { renewed, steps };
}

/**
 * Gives a session its next secret. The secret before works until its own end, but changes no credentials. One read, one
 * transaction.
 *
 * @throws ApiError `unauthenticated` when the session or its user has changed or ended.
 */
export async function replaceSecret(table: Table, next: NextSecret, cause: AccessContext): Promise<Session> {
  return retryOnContention(table, async () => {
    const { renewed, steps } = await stepsOf(table, next, cause);
    await changeCredentials(table, steps, cause);
    return renewed;
  });
}
