import { parseAuthorization } from '../../../shared/auth/authorization-header.ts';
import type { Caller } from '../../contract/caller.ts';
import { authenticateKey } from '../../runtime/authenticate-key.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import type { RefusedCredential } from '../../runtime/refused-credential.ts';
import { type Account, findAccount, versionOfAccount } from '../../store/credentials/accounts.ts';
import type { ApiKey } from '../../store/credentials/api-keys.ts';
import { hasUserVersion } from '../../store/credentials/user-version.ts';
import type { CheckPassword } from '../../../shared/auth/check-password.ts';

export type Outcome = { caller: Caller } | RefusedCredential;

export interface AuthenticationRequest {
  /** All values of the Authorization header. */
  headers: readonly string[];
  /** The source address, as the gateway saw it. */
  sourceIp: string;
  /** Whether the request is a report. */
  reports: boolean;
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
  { headers, sourceIp, reports }: AuthenticationRequest,
  dependencies: Dependencies,
  passwords: Passwords,
): Promise<Outcome> {
  const credential = parseAuthorization(headers);
  switch (credential.kind) {
    case 'missing':
    case 'invalid':
    case 'token':
      return { refusal: credential.kind };
    case 'key':
      return authenticateKey({ text: credential.text, sourceIp, reports }, dependencies, (session) =>
        isOfPresentPassword(session, dependencies, passwords),
      );
    case 'password':
      return authenticateUser({ ...credential, sourceIp }, dependencies, passwords);
  }
}

/** The account; undefined if it is disabled. It is read then too, so that a refusal takes the same time. */
async function usableAccount({ table, adminAccount }: Dependencies, name: string): Promise<Account | undefined> {
  const account = await findAccount(table, name);
  return adminAccount === 'disabled' ? undefined : account;
}

/**
 * Whether the user still has the password with which the session was opened, and for other users than `admin` the same
 * role. A read for sessions only: only the account or the user is written by every such change, and the value of a secret
 * is in no item.
 */
async function isOfPresentPassword(
  { name, account_version: version, user_id: userId }: ApiKey,
  dependencies: Dependencies,
  { versionOf }: Passwords,
): Promise<boolean> {
  if (userId !== undefined) return hasUserVersion(dependencies.table, userId, version);
  const account = await usableAccount(dependencies, name);
  return account !== undefined && version === (await versionOf(account, dependencies.clock()));
}

async function authenticateUser(
  { user, password, sourceIp }: { user: string; password: string; sourceIp: string },
  dependencies: Dependencies,
  { checkPassword, versionOf }: Passwords,
): Promise<Outcome> {
  const account = await usableAccount(dependencies, user);
  const now = dependencies.clock();
  // Read before the password is checked: if the password changes in between, the session that it opens counts as older,
  // and ends.
  const accountVersion = account === undefined ? undefined : await versionOf(account, now);
  const isRight = await checkPassword({ account, user, password, sourceIp, now });
  if (account === undefined || accountVersion === undefined) return { refusal: 'password' };
  if (!isRight) return { refusal: 'password', subject: { kind: 'user', id: account.name, name: account.name } };
  const { name, role } = account;
  return { caller: { kind: 'user', keyId: name, name, role, accountVersion } };
}
