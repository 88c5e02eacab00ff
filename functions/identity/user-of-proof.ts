import { timingSafeEqual } from 'node:crypto';
import { hashInvitationSecret, isInvitationSecret } from '../../shared/auth/api-key-text.ts';
import { fakeUserPasswordHash, verifyPassword } from '../../shared/auth/password.ts';
import { secondsOf } from '../../shared/core/seconds.ts';
import { LogInRefusal } from '../contract/refusal.ts';
import { LOCAL_PROVIDER } from '../domain/access/user.ts';
import type { Dependencies } from '../runtime/dependencies.ts';
import { subjectOfUser } from '../store/credentials/log-in.ts';
import { findUser, type User } from '../store/credentials/users.ts';
import type { Attempt, ProofOf } from './attempt.ts';

/** A user of a provider has neither password nor invitation, and its role grants nothing. */
async function findLocalUser(table: Dependencies['table'], name: string): Promise<User | undefined> {
  const user = await findUser(table, name);
  return user?.provider === LOCAL_PROVIDER ? user : undefined;
}

/** Every attempt checks a password, also for a user that does not exist: the time reveals nothing. */
async function byPassword(
  { user_name: name, password }: ProofOf<'password'>,
  { sourceIp, now }: Attempt,
  { table, checkPassword }: Dependencies,
): Promise<User> {
  const user = await findLocalUser(table, name);
  const storedHash = user?.password_hash;
  const hash = storedHash ?? fakeUserPasswordHash;
  const isRight = await (checkPassword === undefined
    ? verifyPassword(password, hash)
    : checkPassword({ account: { password_hash: hash }, user: name, password, sourceIp, now }));
  if (user === undefined) throw new LogInRefusal('unknown_user');
  if (!isRight || storedHash === undefined) throw new LogInRefusal('wrong_password', subjectOfUser(user));
  return user;
}

async function byInvitation(
  { user_name: name, invitation }: ProofOf<'invitation'>,
  { now }: Attempt,
  { table }: Dependencies,
): Promise<User> {
  // Before the table is read: guessing costs nothing but this check.
  if (!isInvitationSecret(invitation)) throw new LogInRefusal('invalid_invitation');
  const user = await findLocalUser(table, name);
  if (user === undefined) throw new LogInRefusal('unknown_user');
  const { invitation_hash: hash, invitation_expires_at: end = 0 } = user;
  const presented = Buffer.from(hashInvitationSecret(invitation));
  const isRight = hash !== undefined && timingSafeEqual(presented, Buffer.from(hash));
  if (!isRight || end <= secondsOf(now)) throw new LogInRefusal('invalid_invitation', subjectOfUser(user));
  return user;
}

/**
 * The user whose identity the body proves.
 *
 * @throws LogInRefusal with the reason for the audit.
 */
export async function userOfProof(
  proof: ProofOf<'password' | 'invitation'>,
  attempt: Attempt,
  dependencies: Dependencies,
): Promise<User> {
  const user = await (proof.method === 'password'
    ? byPassword(proof, attempt, dependencies)
    : byInvitation(proof, attempt, dependencies));
  if (user.disabled === true) throw new LogInRefusal('disabled_user', subjectOfUser(user));
  return user;
}
