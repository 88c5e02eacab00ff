import { apiKeyPrefix } from '../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { endAfter, secondsOf, timeText } from '../../../shared/core/seconds.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import { SESSION_HOURS } from '../../domain/access/session.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { sessionSecondsOf } from '../../runtime/identity-providers.ts';
import { openSession, subjectOfUser } from '../../store/credentials/log-in.ts';
import { providerSessionSteps } from '../../store/credentials/provider-sessions.ts';
import { renewalStep } from '../../store/credentials/renew-session.ts';
import { useProofOnce } from '../../store/credentials/used-proofs.ts';
import { ensureProviderUser, type User } from '../../store/credentials/users.ts';
import type { Attempt, LoggedIn, ProofOf } from '../attempt.ts';
import { type Identity, redeemCode } from './identity.ts';
import { grantOfPerson, userOfIdentity } from './person.ts';
import { type OidcProvider, oidcProviders } from './provider.ts';
import { sealRenewal } from './sealed-renewal.ts';

/** How long the mark of a used code is kept: longer than providers accept a code. */
const CODE_KEPT_SECONDS = 3600;

/** Seconds until a session reads the claims anew. */
export const renewSeconds = ({ renewMinutes = 10 }: OidcProvider) => renewMinutes * 60;

/** The user of the person, added at the first log-in. */
async function userOf(
  provider: OidcProvider,
  identity: Identity,
  role: User['role'],
  { attempt, table }: { attempt: Attempt; table: Dependencies['table'] },
): Promise<User> {
  // The provider has proven the identity: no credential of this service is involved.
  const cause = { ...attempt, actor: { kind: 'system' as const, id: provider.name, name: provider.name } };
  const user = await ensureProviderUser(table, { ...userOfIdentity(provider, identity), role }, cause);
  if (user.disabled === true) throw new LogInRefusal('disabled_user', subjectOfUser(user));
  return user;
}

/** Opens the session. With a refresh token its key lives for some minutes, and is renewed. */
async function open(
  provider: OidcProvider,
  identity: Identity,
  attempt: Attempt,
  dependencies: Dependencies,
): Promise<LoggedIn> {
  const { table, newId, randomBytes } = dependencies;
  const { now, sourceIp } = attempt;
  const { role, owners, bindings, rests_on } = await grantOfPerson(provider, identity, { table });
  const user = await userOf(provider, identity, role, { attempt, table });
  const { refreshToken: refresh_token } = identity;
  const key = newApiKeySecret(randomBytes);
  const hash = hashApiKeySecret(key);
  const key_id = newId();
  const ends_at = endAfter(now, SESSION_HOURS * 3600);
  const isRenewable = refresh_token !== undefined;
  const expires_at = endAfter(
    now,
    isRenewable ? renewSeconds(provider) : sessionSecondsOf(provider.name, dependencies),
  );
  const content = isRenewable ? { refresh_token, verified_at: secondsOf(now), ends_at } : undefined;
  const sealed = content && sealRenewal(content, key, key_id, randomBytes);
  await openSession(table, {
    user: { ...user, role, owners },
    session: {
      ...{ key_id, prefix: apiKeyPrefix(key), expires_at, source_ip: sourceIp },
      ...{ method: 'oidc', provider: provider.name, bindings, rests_on },
    },
    hash,
    more: [
      ...(sealed === undefined ? [] : [renewalStep({ session_id: key_id, key_hash: hash, sealed }, ends_at)]),
      ...providerSessionSteps({ issuer: provider.issuer, ...identity }, key_id, now),
    ],
    cause: attempt,
  });
  return {
    ...{
      session_id: key_id,
      user_id: user.user_id,
      name: user.user_name,
      role,
      owners,
      expires_at: timeText(expires_at),
      key,
    },
    ...(isRenewable ? { renewable_until: timeText(ends_at) } : {}),
  };
}

/**
 * Logs a person in by the code of an authorization request. A code is tried once, also if it is refused: a second attempt
 * would make the provider end the tokens of the first.
 *
 * @throws LogInRefusal with the reason for the audit; ProviderFailure.
 */
export async function logInByCode(
  proof: ProofOf<'oidc'>,
  attempt: Attempt,
  dependencies: Dependencies,
): Promise<LoggedIn> {
  const provider = oidcProviders(dependencies).find(({ name }) => name === proof.provider);
  if (provider === undefined) throw new LogInRefusal('unknown_provider');
  if (!provider.redirectUris.includes(proof.redirect_uri)) throw new LogInRefusal('invalid_code');
  const until = endAfter(attempt.now, CODE_KEPT_SECONDS);
  if (!(await useProofOnce(dependencies.table, ['oidc', provider.name, proof.code], until)))
    throw new LogInRefusal('used_identity');
  const identity = await redeemCode(provider, proof, dependencies);
  return open(provider, identity, attempt, dependencies);
}
