import { drawBase62 } from '../../shared/auth/base62.ts';
import { hashPassword, newPassword } from '../../shared/auth/password.ts';
import type { Dependencies } from './dependencies.ts';
import { ACCOUNT_NAME, ensureSecretAccount, findAccount, putAccount } from '../store/credentials/accounts.ts';
import { growChangeShards } from '../store/history/change-shards.ts';
import { claimTableFormat } from '../store/table/format.ts';
import { ensurePageTokenSecret } from '../store/credentials/page-token-secret.ts';

/** 43 base62 characters are 256 bits. */
const SECRET_LENGTH = 43;

export interface SetupResult {
  account: string;
  /** The password, if this call generated one. It cannot be read again. */
  password?: string;
  /** Whether the account was added or given a new password. */
  changed: boolean;
}

const admin = { name: ACCOUNT_NAME, role: 'Admin' } as const;

function ensureSecret({ table, randomBytes }: Dependencies): Promise<void> {
  return ensurePageTokenSecret(table, () => drawBase62(SECRET_LENGTH, randomBytes));
}

/**
 * Initialises an empty table of a local server: the account, which is the first admin credential, and the secret for
 * page tokens. Existing items are unchanged.
 *
 * @param given the password to set; undefined: a random one is generated.
 * @param reset sets a password even if the account exists.
 */
export async function initialiseTable(
  dependencies: Dependencies,
  { given, reset }: { given?: string | undefined; reset: boolean },
): Promise<SetupResult> {
  const { table, clock, randomBytes } = dependencies;
  const account = await findAccount(table, ACCOUNT_NAME);
  if (account !== undefined && !reset) {
    await ensureSecret(dependencies);
    return { account: ACCOUNT_NAME, changed: false };
  }
  const password = given ?? newPassword(randomBytes);
  const time = clock().getTime();
  // Later than the previous time, even when the clock was set back: the versions of sessions are compared with it.
  const setAt = account === undefined ? time : Math.max(time, Date.parse(account.updated_at) + 1);
  await putAccount(table, {
    ...admin,
    password_hash: await hashPassword(password, randomBytes),
    created_at: account?.created_at ?? new Date(time).toISOString(),
    updated_at: new Date(setAt).toISOString(),
  });
  // Last: with this secret the service counts as ready (store/table/health-check.ts), and without an account nobody
  // could use it.
  await ensureSecret(dependencies);
  return { account: ACCOUNT_NAME, changed: true, ...(given === undefined ? { password } : {}) };
}

/**
 * Initialises the table of a deployed stack. The password stays in Secrets Manager, and a change there takes effect.
 * The account and the secret are conditional puts, so that the function needs no permission to read them.
 *
 * @param changeShards the number of partitions of changes; undefined: it stays.
 * @throws ShardCountError; TableFormatError before anything is written
 */
export async function setUpWithSecret(
  dependencies: Dependencies,
  secretArn: string,
  changeShards?: number,
): Promise<void> {
  const { table, clock } = dependencies;
  await claimTableFormat(table);
  const now = clock().toISOString();
  const account = { ...admin, secret_arn: secretArn, created_at: now, updated_at: now };
  await ensureSecretAccount(table, account);
  await ensureSecret(dependencies);
  if (changeShards !== undefined) await growChangeShards(table, changeShards, clock());
}
