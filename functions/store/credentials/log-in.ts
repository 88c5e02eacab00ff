import type * as z from 'zod/mini';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import type { logInSchema } from '../../domain/access/log-in.ts';
import { sourceNetwork } from '../../../shared/net/source-network.ts';
import type { AccessContext } from '../audit/access-events.ts';
import { userKey } from '../table/keys.ts';
import { consumeRateLimit } from './rate-limit.ts';
import { addSession, type Session } from './sessions.ts';
import { renewSteps, type User } from './users.ts';
import { LOCAL_PROVIDER } from '../../domain/access/user.ts';

/**
 * Attempts of one address in a minute, of each kind of call without credentials. A person needs one; a script that
 * guesses gets 86,400 a day at most.
 */
export const LOG_INS_PER_MINUTE = 60;

/** Kinds of calls that are counted for themselves, so that nobody uses up the log-ins of others behind the same address by something else. */
export type AnonymousCall = 'device-authorization' | 'log-out' | `log-in ${z.output<typeof logInSchema>['method']}`;

/** An attempt of an address. */
export interface AnonymousAttempt {
  call: AnonymousCall;
  sourceIp: string;
  now: Date;
}

const attemptsOf = ({ call, sourceIp, now }: AnonymousAttempt, cost: 1 | -1) => ({
  ...{ keyId: `${call} ${sourceNetwork(sourceIp)}`, ratePerMinute: LOG_INS_PER_MINUTE, cost, now },
});

/** @throws LogInRefusal with Retry-After for too many attempts of this kind from this address. One write. */
export async function limitAttempts(table: Table, attempt: AnonymousAttempt): Promise<void> {
  const wait = await retryOnContention(table, () => consumeRateLimit(table, attemptsOf(attempt, 1)));
  if (wait !== undefined) throw new LogInRefusal('rate_limit', undefined, wait);
}

/** Takes back the count of an attempt that was successful. One write. */
export async function forgiveAttempt(table: Table, attempt: AnonymousAttempt): Promise<void> {
  await retryOnContention(table, () => consumeRateLimit(table, attemptsOf(attempt, -1)));
}

/** User codes that a person may try in a minute: guessing all of them would take 3,000 years. */
const USER_CODES_PER_MINUTE = 10;

/** @throws ApiError `resourceExhausted` with Retry-After for too many user codes of one person. One write. */
export async function limitUserCodes(table: Table, { user, now }: { user: string; now: Date }): Promise<void> {
  const limit = { keyId: `user-code ${user}`, ratePerMinute: USER_CODES_PER_MINUTE, cost: 1, now };
  const wait = await retryOnContention(table, () => consumeRateLimit(table, limit));
  if (wait !== undefined)
    throw new ApiError('resourceExhausted', 'Too many codes.', { headers: { 'Retry-After': String(wait) } });
}

/** Whether a device polls too often. One write. @param hash of the code of the device. */
export async function limitPolls(
  table: Table,
  { hash, perMinute, now }: { hash: string; perMinute: number; now: Date },
): Promise<boolean> {
  const limit = { keyId: `device ${hash}`, ratePerMinute: perMinute, cost: 1, now };
  return (await retryOnContention(table, () => consumeRateLimit(table, limit))) !== undefined;
}

export const subjectOfUser = ({ user_id: id, user_name: name }: Pick<User, 'user_id' | 'user_name'>) => ({
  kind: 'user',
  id,
  name,
});

interface NewSession {
  user: User;
  /** The hash of a new password, if the log-in sets one. */
  passwordHash?: string | undefined;
  session: Pick<
    Session,
    'key_id' | 'prefix' | 'expires_at' | 'source_ip' | 'method' | 'provider' | 'bindings' | 'rests_on'
  >;
  hash: string;
  /** Steps of the same transaction. */
  more?: readonly TransactItem[];
  cause: Omit<AccessContext, 'actor' | 'credential'>;
}

/** The user with the new password. Its invitation is consumed. */
function withPassword(user: User, passwordHash: string, cause: AccessContext) {
  const { now } = cause;
  const fields = {
    password_hash: passwordHash,
    password_set_at: now.toISOString(),
    invitation_hash: undefined,
    invitation_expires_at: undefined,
    last_login_at: secondsOf(now),
  };
  return renewSteps(user, { event: 'user.password_set', fields }, cause);
}

/**
 * Opens a session of a user whose proof of identity was checked, unless the user has changed since it was read.
 *
 * @throws LogInRefusal; ApiError as `addSession`.
 */
export async function openSession(
  table: Table,
  { user, passwordHash, session, hash, more = [], cause }: NewSession,
): Promise<Session> {
  const { user_id: id, user_name: name, role, owners, version } = user;
  const actor = { kind: 'user' as const, id, name };
  const logInCause = { ...cause, actor, credential: { user: { id, version } } };
  const set = passwordHash === undefined ? undefined : withPassword(user, passwordHash, logInCause);
  const lastLogIn: TransactItem = { update: userKey(id), set: { last_login_at: secondsOf(cause.now) } };
  const opened: Session = {
    ...session,
    kind: 'session',
    name,
    role,
    ...(owners === undefined ? {} : { owners }),
    created_at: cause.now.toISOString(),
    created_by: actor,
    account_version: set?.renewed.version ?? version,
    user_id: id,
  };
  try {
    await addSession(table, opened, hash, logInCause, [...(set?.steps ?? [lastLogIn]), ...more]);
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'unauthenticated' && !(error instanceof LogInRefusal))
      throw new LogInRefusal(
        user.provider === LOCAL_PROVIDER ? 'wrong_password' : 'disabled_user',
        subjectOfUser(user),
      );
    throw error;
  }
  return opened;
}
