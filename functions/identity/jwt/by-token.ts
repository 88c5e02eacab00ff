import * as z from 'zod/mini';
import { apiKeyPrefix } from '../../../shared/core/api-key-pattern.ts';
import {
  hashApiKeySecret,
  hashEnrolmentTokenSecret,
  newApiKeySecret,
  newEnrolmentTokenSecret,
} from '../../../shared/auth/api-key-text.ts';
import { endAfter, timeText } from '../../../shared/core/seconds.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import { type Claims, claimValues, type Grant } from '../../domain/access/grant.ts';
import { MAX_OWNERS } from '../../domain/access/owners.ts';
import { nameSchema } from '../../domain/fields/common-fields.ts';
import { PROGRAM_KEY_SECONDS } from '../../domain/fields/identity-providers.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { identityProvidersOf } from '../../runtime/identity-providers.ts';
import { addEnrolmentToken } from '../../store/credentials/enrolment-tokens.ts';
import { addProgramKey } from '../../store/credentials/program-keys.ts';
import { grantOf, type RoleBinding, versionsFor } from '../../store/credentials/role-bindings.ts';
import { useOnceStep } from '../../store/credentials/used-proofs.ts';
import { identityName } from '../admitted-identity.ts';
import type { Attempt, LoggedIn, ProofOf } from '../attempt.ts';
import { type JwtProvider } from './issuer-keys.ts';
import { verifyToken } from './verify-token.ts';

/** A program whose token was verified. */
interface Program {
  provider: JwtProvider;
  claims: Claims;
  /** Provider and subject. */
  id: string;
  /** Provider and name, as the audit shows it. */
  name: string;
}

/** Of the name of a key. */
const MAX_NAME = 128;

const textOf = (claims: Claims, name: string) => claimValues(claims, name)[0] ?? '';

function programOf(provider: JwtProvider, claims: Claims): Program {
  const { usernameClaim = 'sub' } = provider;
  const named = (claim: string) => identityName(provider, textOf(claims, claim), MAX_NAME);
  return { provider, claims, id: named('sub'), name: named(usernameClaim) };
}

const subjectOf = ({ id, name }: Program) => ({ kind: 'program', id, name });

/** @throws LogInRefusal when no binding matches, or when the limits of the matching ones cannot be combined. */
async function grantFor(program: Program, { table }: Dependencies): Promise<Grant<RoleBinding>> {
  const { provider, claims } = program;
  const grant = await grantOf(table, provider.name, claims);
  if (grant === undefined) throw new LogInRefusal('unbound_identity', subjectOf(program));
  const { role, owners = [] } = grant;
  if (owners.length > (role === 'Registrar' ? 1 : MAX_OWNERS))
    throw new LogInRefusal('too_many_owners', subjectOf(program));
  return grant;
}

/** The step that consumes the token, if it works once. */
function useSteps({ provider, claims: { exp } }: Program, token: string): TransactItem[] {
  if (provider.oneTimeUse === false) return [];
  // A token whose end is no number was refused. Clocks may differ: the mark is kept for an hour longer.
  const until = Math.ceil(Number(exp)) + 3600;
  // The signature of some algorithms can be changed without its secret: the digest is of the signed part.
  const signed = token.slice(0, token.lastIndexOf('.'));
  return [useOnceStep(['jwt', provider.name, signed], until, () => new LogInRefusal('used_identity'))];
}

interface NewCredential {
  program: Program;
  grant: Grant<RoleBinding>;
  steps: readonly TransactItem[];
  attempt: Attempt;
}

/** The only node that a host may enrol; undefined when its bindings permit any new one. */
function nodeNameOf({ program, grant }: NewCredential): string | undefined {
  const claim = grant.bindings.find(({ role, node_name_claim: name }) => role === 'Registrar' && name)?.node_name_claim;
  if (claim === undefined) return undefined;
  const name = textOf(program.claims, claim);
  if (!z.safeParse(nameSchema, name).success) throw new LogInRefusal('unbound_identity', subjectOf(program));
  return name;
}

/** The service itself acts: the provider has proven the identity. */
const causeOf = ({ program, attempt }: NewCredential) => ({
  ...attempt,
  actor: { kind: 'system' as const, id: program.provider.name, name: program.name },
});

/** A token with which the host enrols itself. */
async function giveEnrolmentToken(credential: NewCredential, dependencies: Dependencies) {
  const { program, grant, steps, attempt } = credential;
  const { table, newId, randomBytes } = dependencies;
  const secret = newEnrolmentTokenSecret(randomBytes);
  const cause = causeOf(credential);
  const [owner] = grant.owners ?? [];
  const node_name = nodeNameOf(credential);
  const token = {
    token_id: newId(),
    name: program.name,
    prefix: apiKeyPrefix(secret),
    created_at: attempt.now.toISOString(),
    created_by: cause.actor,
    expires_at: endAfter(attempt.now, program.provider.keySeconds ?? PROGRAM_KEY_SECONDS.usual),
    ...(node_name === undefined ? {} : { node_name }),
    ...(owner === undefined ? {} : { owner }),
    rests_on: versionsFor(grant),
  };
  await addEnrolmentToken(table, token, hashEnrolmentTokenSecret(secret), cause, steps);
  return { id: token.token_id, end: token.expires_at, key: secret };
}

async function giveKey(
  credential: NewCredential,
  role: Exclude<RoleBinding['role'], 'Registrar'>,
  dependencies: Dependencies,
) {
  const { program, grant, steps, attempt } = credential;
  const { provider } = program;
  const { table, newId, randomBytes } = dependencies;
  const secret = newApiKeySecret(randomBytes);
  const cause = causeOf(credential);
  const key = {
    key_id: newId(),
    kind: 'api_key' as const,
    name: program.name,
    role,
    prefix: apiKeyPrefix(secret),
    created_at: attempt.now.toISOString(),
    created_by: cause.actor,
    expires_at: endAfter(attempt.now, provider.keySeconds ?? PROGRAM_KEY_SECONDS.usual),
    provider: provider.name,
    rests_on: versionsFor(grant),
    ...(grant.owners === undefined ? {} : { owners: [...grant.owners] }),
  };
  const bindings = grant.bindings.map(({ name }) => name);
  await addProgramKey(table, { key, hash: hashApiKeySecret(secret), bindings }, cause, steps);
  return { id: key.key_id, end: key.expires_at, key: secret };
}

/**
 * Exchanges a token that a provider has signed for a program for a key of some minutes, or for an enrolment token.
 *
 * @throws LogInRefusal with the reason for the audit; ApiError `unavailable` when no keys of the issuer are known.
 */
export async function logInByToken(
  { provider: providerName, token }: ProofOf<'jwt'>,
  attempt: Attempt,
  dependencies: Dependencies,
): Promise<LoggedIn> {
  const provider = identityProvidersOf(dependencies).find(({ name }) => name === providerName);
  if (provider?.kind !== 'jwt') throw new LogInRefusal('unknown_provider');
  const program = programOf(provider, await verifyToken(token, provider, dependencies));
  const grant = await grantFor(program, dependencies);
  const { role, owners } = grant;
  const credential: NewCredential = { program, grant, steps: useSteps(program, token), attempt };
  const { id, end, key } = await (role === 'Registrar'
    ? giveEnrolmentToken(credential, dependencies)
    : giveKey(credential, role, dependencies));
  return {
    session_id: id,
    user_id: program.id,
    name: program.name,
    role,
    ...(owners === undefined ? {} : { owners: [...owners] }),
    expires_at: timeText(end),
    key,
  };
}
