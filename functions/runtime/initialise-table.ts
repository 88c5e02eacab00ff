import { drawBase62 } from '../../shared/auth/base62.ts';
import { hashPassword, newPassword } from '../../shared/auth/password.ts';
import type { Dependencies } from './dependencies.ts';
import { ACCOUNT_NAME, ensureSecretAccount, findAccount, putAccount } from '../store/credentials/accounts.ts';
import { ensurePageTokenSecret } from '../store/credentials/page-token-secret.ts';

/** 43 base62 characters are 256 bits. */
const SECRET_LENGTH = 43;

export interface SetUp {
  account: string;
  /** The password, when this call made one up: it is not known again. */
  password?: string;
  /** Whether the account was added or given a new password. */
  changed: boolean;
}

const admin = { name: ACCOUNT_NAME, role: 'Admin' } as const;

function ensureSecret({ table, randomBytes }: Dependencies): Promise<void> {
  return ensurePageTokenSecret(table, () => drawBase62(SECRET_LENGTH, randomBytes));
}

/**
 * Readies an empty table on one machine: the account for the first way in, and the secret for page tokens. What is there
 * stays.
 *
 * @param given the password to set; without one a random one is made.
 * @param reset sets a password also when the account is there.
 */
export async function initialiseTable(
  dependencies: Dependencies,
  { given, reset }: { given?: string | undefined; reset: boolean },
): Promise<SetUp> {
  const { table, clock, randomBytes } = dependencies;
  const known = await findAccount(table, ACCOUNT_NAME);
  if (known !== undefined && !reset) {
    await ensureSecret(dependencies);
    return { account: ACCOUNT_NAME, changed: false };
  }
  const password = given ?? newPassword(randomBytes);
  const time = clock().getTime();
  // Later than the one before, also when the clock was put back: sessions are compared by it.
  const setAt = known === undefined ? time : Math.max(time, Date.parse(known.updated_at) + 1);
  await putAccount(table, {
    ...admin,
    password_hash: await hashPassword(password, randomBytes),
    created_at: known?.created_at ?? new Date(time).toISOString(),
    updated_at: new Date(setAt).toISOString(),
  });
  // Last: with the secret the service is ready (reachable.ts), and without an account nobody could use it.
  await ensureSecret(dependencies);
  return { account: ACCOUNT_NAME, changed: true, ...(given === undefined ? { password } : {}) };
}

/**
 * Readies the table of a deployed stack in the same way, but for the password: that stays in Secrets Manager, and whoever
 * changes it there has changed it. Only puts under conditions, so that nothing but PutItem has to be allowed.
 */
export async function setUpWithSecret(dependencies: Dependencies, secretArn: string): Promise<void> {
  const { table, clock } = dependencies;
  const now = clock().toISOString();
  const account = { ...admin, secret_arn: secretArn, created_at: now, updated_at: now };
  await ensureSecretAccount(table, account);
  await ensureSecret(dependencies);
}
