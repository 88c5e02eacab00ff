import { hashApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { parseAuthorization } from '../../../shared/auth/authorization-header.ts';
import type { refusalMessages } from '../../../shared/auth/refusal-messages.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Caller } from '../../contract/caller.ts';
import { inTime } from '../../../shared/core/deadline.ts';
import { faultOf } from '../../../shared/core/errors.ts';
import { describeError } from '../../../shared/core/log.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { type Account, findAccount, versionOfAccount } from '../../store/credentials/accounts.ts';
import { type ApiKey, findApiKey } from '../../store/credentials/api-keys.ts';
import { findNewestSecret } from '../../store/credentials/listed-credentials.ts';
import { isUseWorthRecording, recordFirstUse, recordUse } from '../../store/credentials/api-key-use.ts';
import type { CheckPassword } from './check-password.ts';

/** Enough for a successful write. The use of a key is not essential, so the caller does not wait longer. */
const RECORD_USE_MS = 1000;

export type Outcome =
  | { caller: Caller }
  | {
      refusal: keyof typeof refusalMessages;
      /** The existing user or key that the refused caller claimed to be. */
      subject?: { kind: string; id: string; name: string };
    };

export interface AuthenticationRequest {
  /** All values of the Authorization header. */
  headers: readonly string[];
  /** The source address, as the gateway saw it. */
  sourceIp: string;
}

/** The time since which an account has its present password. */
export type VersionOf = (account: Account, now: Date) => Promise<string>;

/** For accounts whose password hash is in the table. */
export const versionInTable: VersionOf = (account) => Promise.resolve(versionOfAccount(account, undefined));

/** How passwords are checked. */
interface Passwords {
  checkPassword: CheckPassword;
  versionOf: VersionOf;
}

export async function authenticate(
  { headers, sourceIp }: AuthenticationRequest,
  dependencies: Dependencies,
  passwords: Passwords,
): Promise<Outcome> {
  const credential = parseAuthorization(headers);
  switch (credential.kind) {
    case 'missing':
    case 'invalid':
      return { refusal: credential.kind };
    case 'key':
      return authenticateKey({ text: credential.text, sourceIp }, dependencies, passwords);
    case 'password':
      return authenticateUser({ ...credential, sourceIp }, dependencies, passwords);
  }
}

/**
 * Whether the user still has the password with which the session was opened. A read for sessions only: only the
 * account is written by every change of a password, and the value of a secret is in no item.
 */
async function isOfPresentPassword(
  { name, account_version: version }: ApiKey,
  { table, clock }: Dependencies,
  { versionOf }: Passwords,
): Promise<boolean> {
  const account = await findAccount(table, name);
  return account !== undefined && version === (await versionOf(account, clock()));
}

async function authenticateKey(
  { text, sourceIp }: { text: string; sourceIp: string },
  dependencies: Dependencies,
  passwords: Passwords,
): Promise<Outcome> {
  const { table, clock, log } = dependencies;
  const hash = hashApiKeySecret(text);
  const key = await findApiKey(table, hash);
  if (key === undefined) return { refusal: 'invalid' };
  const now = secondsOf(clock());
  const expired = { refusal: 'expired', subject: { kind: key.kind, id: key.key_id, name: key.name } } as const;
  if (key.expires_at !== undefined && key.expires_at <= now) return expired;
  const [newest, hasPassword] = await Promise.all([
    findNewestSecret(table, key, hash),
    key.kind === 'api_key' || isOfPresentPassword(key, dependencies, passwords),
  ]);
  if (!hasPassword) return expired;
  if (newest === undefined) return { refusal: 'invalid' };
  const use = { hash, newest, nowSeconds: now, sourceIp };
  if (key.first_use_counts === true && key.last_used_at === undefined) {
    if (!(await recordFirstUse(table, use))) return { refusal: 'invalid' };
  } else if (isUseWorthRecording(key, now))
    // A failure to record the use is no reason to refuse the caller.
    await inTime(table, RECORD_USE_MS, () => recordUse(table, use)).catch((error: unknown) =>
      log({ level: 'error', message: 'last use was not recorded', fault: faultOf(error), cause: describeError(error) }),
    );
  const { kind, key_id: keyId, name, role, expires_at: expiresAt, node_id: scope, rate_limit_per_minute: rate } = key;
  const { allowed_addresses: addresses } = key;
  const { account_version: version } = key;
  return {
    caller: {
      kind,
      keyId,
      name,
      role,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(scope === undefined ? {} : { scope }),
      ...(addresses === undefined ? {} : { allowedAddresses: addresses.join(' ') }),
      ...(rate === undefined ? {} : { ratePerMinute: rate }),
      secretDigest: hash,
      ...(version === undefined ? {} : { accountVersion: version }),
    },
  };
}

async function authenticateUser(
  { user, password, sourceIp }: { user: string; password: string; sourceIp: string },
  { table, clock }: Dependencies,
  { checkPassword, versionOf }: Passwords,
): Promise<Outcome> {
  const account = await findAccount(table, user);
  const now = clock();
  // Read before the password is checked: if the password changes in between, the session that it opens counts as older,
  // and ends.
  const accountVersion = account === undefined ? undefined : await versionOf(account, now);
  const isRight = await checkPassword({ account, user, password, sourceIp, now });
  if (account === undefined || accountVersion === undefined) return { refusal: 'password' };
  if (!isRight) return { refusal: 'password', subject: { kind: 'user', id: account.name, name: account.name } };
  const { name, role } = account;
  return { caller: { kind: 'user', keyId: name, name, role, accountVersion } };
}
