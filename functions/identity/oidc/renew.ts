import { hashApiKeySecret, isApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { nextApiKeySecret } from '../../../shared/auth/secret-bound.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { backOff, monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { endAfter, secondsOf, timeText } from '../../../shared/core/seconds.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import {
  findRenewal,
  findSessionOfSecret,
  leaveRenewal,
  type NextSecret,
  type Renewal,
  replaceSecret,
  takeRenewal,
} from '../../store/credentials/renew-session.ts';
import { removeSession, type Session } from '../../store/credentials/sessions.ts';
import { findUser } from '../../store/credentials/users.ts';
import type { Attempt, LoggedIn, ProofOf } from '../attempt.ts';
import { renewSeconds } from './by-code.ts';
import { refreshIdentity } from './identity.ts';
import { grantOfPerson } from './person.ts';
import { noteFailure, ProviderFailure } from '../provider-failure.ts';
import { type OidcProvider, oidcProviders } from './provider.ts';
import { openRenewal, type RenewalContent, sealRenewal } from './sealed-renewal.ts';

/** How long a renewal waits for another one by the same key, and how often it looks. */
const PATIENCE_MS = 5000;
const LOOK_MS = 250;

const SALT_BYTES = 16;

type StoredSession = NextSecret['session'];

/** A session in the course of its renewal. */
interface Renewing {
  key: string;
  hash: string;
  session: StoredSession;
  renewal: Renewal;
  content: RenewalContent;
  attempt: Attempt;
}

const refused = () => new LogInRefusal('invalid_session');

const shown = (
  { key_id: session_id, user_id = '', name, role, owners, expires_at }: Session,
  key: string,
  ends_at: number,
): LoggedIn => {
  if (role === 'Registrar' || role === 'Relay' || role === 'Gateway') throw refused();
  return {
    ...{ session_id, user_id, name, role, owners, key },
    ...{ expires_at: timeText(expires_at), renewable_until: timeText(ends_at) },
  };
};

/** The reply to the renewal that followed the secret, for a client that renews twice, or did not receive the reply. */
async function repeated(
  { key, hash }: { key: string; hash: string },
  renewal: Renewal,
  { table }: Dependencies,
): Promise<LoggedIn> {
  const { renewed_from, salt, key_hash, sealed, session_id } = renewal;
  if (renewed_from !== hash || salt === undefined) throw refused();
  const next = nextApiKeySecret(key, salt);
  const session = hashApiKeySecret(next) === key_hash ? await findSessionOfSecret(table, key_hash) : undefined;
  const content = openRenewal(sealed, next, session_id);
  if (session === undefined || content === undefined) throw refused();
  return shown(session, next, content.ends_at);
}

const contextOf = ({ session, hash, attempt }: Renewing) => {
  const { key_id: id, name, user_id = '', account_version: version } = session;
  return {
    ...attempt,
    actor: { kind: 'session' as const, id, name },
    credential: { secret: { digest: hash, keyId: id }, user: { id: user_id, version } },
  };
};

/** Ends the session because the provider no longer vouches for the person. */
async function end(renewing: Renewing, reason: string, { table }: Dependencies): Promise<void> {
  const { session } = renewing;
  await removeSession(table, session.key_id, { of: 'everybody', cause: contextOf(renewing), after: { reason } });
}

type Confirmation = Pick<NextSecret, 'role' | 'owners' | 'bindings' | 'restsOn' | 'after'> & {
  content: RenewalContent;
};

const isSame = (left: readonly string[] | undefined, other: readonly string[] | undefined) =>
  JSON.stringify(left) === JSON.stringify(other);

/** The present role of the person. */
async function confirmed(
  provider: OidcProvider,
  { session, content, attempt }: Renewing,
  dependencies: Dependencies,
): Promise<Confirmation> {
  const user = await findUser(dependencies.table, session.user_id ?? '');
  if (user?.subject === undefined || user.disabled === true || user.version !== session.account_version)
    throw refused();
  const { refresh_token: refreshToken } = content;
  const identity = await refreshIdentity(provider, { refreshToken, subject: user.subject }, dependencies);
  const { role, owners, bindings, rests_on: restsOn } = await grantOfPerson(provider, identity, dependencies);
  const isChanged = role !== session.role || !isSame(owners, session.owners);
  return {
    role,
    owners,
    bindings,
    restsOn,
    ...(isChanged ? { after: { role, owners } } : {}),
    content: {
      refresh_token: identity.refreshToken,
      verified_at: secondsOf(attempt.now),
      ends_at: content.ends_at,
    },
  };
}

/** The role as it was, for some time, while the provider does not answer. */
function unconfirmed(
  { oidcGraceMinutes = 60 }: OidcProvider,
  { session, content, attempt }: Renewing,
  failure: ProviderFailure,
): Confirmation {
  const since = secondsOf(attempt.now) - content.verified_at;
  if (since > oidcGraceMinutes * 60) throw failure;
  const { role, owners, bindings, rests_on: restsOn } = session;
  const isFirst = content.unconfirmed === undefined;
  return {
    role,
    owners,
    bindings,
    restsOn,
    content: { ...content, unconfirmed: true },
    // One event for each period without the provider.
    ...(isFirst ? { after: { provider_unavailable: true } } : {}),
  };
}

async function confirm(provider: OidcProvider, renewing: Renewing, dependencies: Dependencies): Promise<Confirmation> {
  try {
    return await confirmed(provider, renewing, dependencies);
  } catch (error) {
    if (error instanceof ProviderFailure) {
      noteFailure(error, dependencies.log);
      return unconfirmed(provider, renewing, error);
    }
    if (error instanceof LogInRefusal) await end(renewing, error.reason, dependencies);
    throw error;
  }
}

async function renewWithLease(renewing: Renewing, dependencies: Dependencies): Promise<LoggedIn> {
  const { key, hash, session, attempt } = renewing;
  const { table, randomBytes } = dependencies;
  const provider = oidcProviders(dependencies).find(({ name }) => name === session.provider);
  if (provider === undefined) {
    await end(renewing, 'unknown_provider', dependencies);
    throw refused();
  }
  const { content, ...confirmation } = await confirm(provider, renewing, dependencies);
  const salt = Buffer.from(randomBytes(SALT_BYTES)).toString('base64url');
  const secret = nextApiKeySecret(key, salt);
  const next = {
    ...{ session, secret, hash: hashApiKeySecret(secret), previousHash: hash, salt, ...confirmation },
    sealed: sealRenewal(content, secret, session.key_id, randomBytes),
    expiresAt: Math.min(endAfter(attempt.now, renewSeconds(provider)), content.ends_at),
    sessionEnd: content.ends_at,
  };
  return shown(await replaceSecret(table, next, contextOf(renewing)), secret, content.ends_at);
}

async function renewOnce(renewing: Renewing, dependencies: Dependencies): Promise<LoggedIn> {
  try {
    return await renewWithLease(renewing, dependencies);
  } catch (error) {
    await leaveRenewal(dependencies.table, renewing.renewal);
    // The session or its user has changed or ended in the meantime.
    throw error instanceof ApiError && error.kind === 'unauthenticated' && !(error instanceof LogInRefusal)
      ? refused()
      : error;
  }
}

/**
 * The next key of a session, after the provider has confirmed the person. Of simultaneous and repeated renewals by one
 * key, one asks the provider, because providers end a refresh token that is used twice; all return the same key.
 *
 * @throws LogInRefusal when the session has ended, or ends now; ProviderFailure; ApiError `unavailable`.
 */
export async function renewSession(
  { key }: ProofOf<'session'>,
  attempt: Attempt,
  dependencies: Dependencies,
): Promise<LoggedIn> {
  const { table } = dependencies;
  if (!isApiKeySecret(key)) throw refused();
  const hash = hashApiKeySecret(key);
  const session = await findSessionOfSecret(table, hash);
  const now = secondsOf(attempt.now);
  if (session?.provider === undefined || session.expires_at <= now) throw refused();
  for (const end = monotonicMs(table) + PATIENCE_MS; monotonicMs(table) < end;) {
    const renewal = await findRenewal(table, session.key_id);
    if (renewal === undefined) throw refused();
    if (renewal.key_hash !== hash) return repeated({ key, hash }, renewal, dependencies);
    const content = openRenewal(renewal.sealed, key, session.key_id);
    if (content === undefined || content.ends_at <= now) throw refused();
    if (await takeRenewal(table, renewal, attempt.now))
      return renewOnce({ key, hash, session, renewal, content, attempt }, dependencies);
    await backOff(table, LOOK_MS);
  }
  throw new ApiError('unavailable', 'The session is being renewed. Repeat the request.');
}
