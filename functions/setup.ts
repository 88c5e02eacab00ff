import { drawBase62 } from '../shared/auth/base62.ts';
import { hashPassword, newPassword } from '../shared/auth/password.ts';
import type { Services } from './services.ts';
import { ACCOUNT_NAME, findAccount, putAccount } from './table/accounts.ts';
import { ensurePageTokenSecret } from './table/page-token-secret.ts';

/** 43 base62 characters are 256 bits. */
const SECRET_LENGTH = 43;

export interface SetUp {
  account: string;
  /** The password, when this call made one up: it is not known again. */
  password?: string;
  /** Whether the account was added or given a new password. */
  changed: boolean;
}

/**
 * Readies an empty table: the account for the first way in, and the secret for page tokens. What is there stays.
 *
 * @param given the password to set; without one a random one is made.
 * @param reset sets a password also when the account is there.
 */
export async function setUp(
  { table, clock, randomBytes }: Services,
  { given, reset }: { given?: string | undefined; reset: boolean },
): Promise<SetUp> {
  const [known] = await Promise.all([
    findAccount(table, ACCOUNT_NAME),
    ensurePageTokenSecret(table, () => drawBase62(SECRET_LENGTH, randomBytes)),
  ]);
  if (known !== undefined && !reset) return { account: ACCOUNT_NAME, changed: false };
  const password = given ?? newPassword(randomBytes);
  const now = clock().toISOString();
  await putAccount(table, {
    name: ACCOUNT_NAME,
    role: 'Admin',
    password_hash: await hashPassword(password, randomBytes),
    created_at: known?.created_at ?? now,
    updated_at: now,
  });
  return { account: ACCOUNT_NAME, changed: true, ...(given === undefined ? { password } : {}) };
}
