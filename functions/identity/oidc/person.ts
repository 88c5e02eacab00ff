import { LogInRefusal } from '../../contract/refusal.ts';
import { claimOf } from '../../domain/access/grant.ts';
import { MAX_NAMED_BINDINGS } from '../../domain/access/session.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { subjectOfUser } from '../../store/credentials/log-in.ts';
import { grantOf, versionsFor } from '../../store/credentials/role-bindings.ts';
import { providerUserId } from '../../store/credentials/users.ts';
import { firstReadable, identityName } from '../admitted-identity.ts';
import type { Identity } from './identity.ts';
import type { OidcProvider } from './provider.ts';

const MAX_NAME = 64;

/** The most role bindings with owners that can give a person a role together. */
const MAX_RESTED_ON = 20;

/** The claims with a readable name, the best one first. None of them identifies a person: providers let people change them. */
const NAME_CLAIMS = ['preferred_username', 'email', 'name'];

/**
 * The name in lists and in the audit: `<provider>/<name there>`. No local user has a slash in its name, so nobody appears
 * as another user, or as `admin`.
 */
function nameOf(provider: OidcProvider, { claims, subject }: Identity): string {
  const { name, usernameClaim } = provider;
  const candidates = usernameClaim === undefined ? NAME_CLAIMS : [usernameClaim];
  const texts = candidates.map((claim) => claimOf(claims, claim));
  return identityName(provider, firstReadable(texts, MAX_NAME) ?? subject, `${name}/`.length + MAX_NAME);
}

/** The user of an identity, as far as the provider determines it. */
export const userOfIdentity = (provider: OidcProvider, identity: Identity) => ({
  user_id: providerUserId(provider.issuer, identity.subject),
  user_name: nameOf(provider, identity),
  provider: provider.name,
  subject: identity.subject,
});

/** Entra ID leaves a long list of groups out, and says so by one of these claims. */
const hasOmittedGroups = ({ claims }: Identity) => claims['_claim_names'] !== undefined || claims['hasgroups'] === true;

/**
 * The role and the owners of a person, by the role bindings of the provider, the names of those that give this role, and
 * the versions of those on which it rests.
 *
 * @throws LogInRefusal without any.
 */
export async function grantOfPerson(
  provider: OidcProvider,
  identity: Identity,
  { table }: Pick<Dependencies, 'table'>,
) {
  const { user_id, user_name } = userOfIdentity(provider, identity);
  const subject = subjectOfUser({ user_id, user_name });
  if (hasOmittedGroups(identity)) throw new LogInRefusal('too_many_groups', subject);
  const grant = await grantOf(table, provider.name, identity.claims);
  // A Registrar enrols hosts: people do not log in with it.
  if (grant === undefined || grant.role === 'Registrar') throw new LogInRefusal('unbound_identity', subject);
  const { role, owners } = grant;
  const rests_on = versionsFor(grant);
  // Each use of the session reads them.
  if (Object.keys(rests_on).length > MAX_RESTED_ON) throw new LogInRefusal('too_many_owners', subject);
  const giving = grant.bindings.filter((binding) => binding.role === role);
  return {
    role,
    owners: owners === undefined ? undefined : [...owners],
    bindings: giving.slice(0, MAX_NAMED_BINDINGS).map(({ name }) => name),
    rests_on,
  };
}
