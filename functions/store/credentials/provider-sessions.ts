import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from '../../../shared/core/errors.ts';
import { endAfter } from '../../../shared/core/seconds.ts';
import { isBelow, orAbsent } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import { SESSION_HOURS } from '../../domain/access/session.ts';
import type { AccessContext } from '../audit/access-events.ts';
import { PROVIDER_SESSION_PREFIX, providerLogOutKey, providerSessionKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { removeSession } from './sessions.ts';
import { providerUserId, renewUser } from './users.ts';

/** The subject of a token of an identity provider: a session there, a person, or both. */
export interface ProviderSubject {
  issuer: string;
  /** The session at the provider, if the provider names it. */
  sid: string | undefined;
  /** The person; a log-out may name the session alone. */
  subject: string | undefined;
  /** When the provider signed the token, in seconds since 1970 by its clock. */
  issuedAt: number;
}

/** Names of sessions and of persons are stored as digests only. */
const digestOf = (issuer: string, kind: 'sid' | 'sub', name: string) =>
  createHash('sha256')
    .update(JSON.stringify([issuer, kind, name]))
    .digest('hex');

const sessionsSchema = z.array(z.object({ session_id: z.string() }));

/** Also longer than a log-in takes: until then a log-out prevents sessions of identities of before. */
const keptUntil = (now: Date) => ({ [TTL_ATTRIBUTE]: endAfter(now, SESSION_HOURS * 3600) });

/**
 * The steps of a log-in by which a log-out at the provider finds the session, and which refuse it after a log-out of its
 * person or its session at the provider.
 */
export function providerSessionSteps(
  { issuer, sid, subject = '', issuedAt }: ProviderSubject,
  session_id: string,
  now: Date,
): TransactItem[] {
  const ofSession = sid === undefined ? undefined : digestOf(issuer, 'sid', sid);
  const notEnded = (digest: string): TransactItem => ({
    check: providerLogOutKey(digest),
    condition: orAbsent(isBelow('issued_at', issuedAt)),
    onConditionFailed: () => new LogInRefusal('expired_identity'),
  });
  return [
    notEnded(digestOf(issuer, 'sub', subject)),
    ...(ofSession === undefined
      ? []
      : [
          notEnded(ofSession),
          { put: { ...providerSessionKey(ofSession, session_id), session_id, ...keptUntil(now) } },
        ]),
  ];
}

/** The reason in the audit. */
const after = { reason: 'provider_log_out' };

/** All sessions of the user, also those of devices. Without a log-in there is no user. */
async function endUser(table: Table, userId: string, cause: AccessContext): Promise<void> {
  try {
    await renewUser(table, userId, () => ({ event: 'user.sessions_ended', fields: {}, after }), cause);
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === 'notFound')) throw error;
  }
}

/**
 * Ends the sessions that began in a session at a provider; without its name, all sessions of the person. Can be repeated.
 * The mark comes first: a log-in in progress either has a session that is found, or is refused. One write and one query;
 * a read and a transaction for each session.
 */
export async function endProviderSessions(
  table: Table,
  { issuer, sid, subject = '', issuedAt }: ProviderSubject,
  cause: AccessContext,
): Promise<void> {
  const digest = sid === undefined ? digestOf(issuer, 'sub', subject) : digestOf(issuer, 'sid', sid);
  const mark = { ...providerLogOutKey(digest), issued_at: issuedAt, ...keptUntil(cause.now) };
  // A later log-out has the same effect, and more.
  await retryOnContention(table, () =>
    writeItem(table, { put: mark, condition: orAbsent(isBelow('issued_at', issuedAt)) }),
  );
  if (sid === undefined) return endUser(table, providerUserId(issuer, subject), cause);
  const { pk } = mark;
  const sessions = z.parse(sessionsSchema, await readCollection(table, pk, PROVIDER_SESSION_PREFIX));
  for (const { session_id: id } of sessions) await removeSession(table, id, { of: 'everybody', cause, after });
}
