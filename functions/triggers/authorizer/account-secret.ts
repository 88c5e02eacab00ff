import { createHash, timingSafeEqual } from 'node:crypto';
import type { ReadSecret } from '../../../shared/aws/secrets-manager.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { type Account, versionOfAccount } from '../../store/credentials/accounts.ts';
import type { CheckPassword } from '../../../shared/auth/check-password.ts';

/**
 * How long a value is cached. So long a replaced password is still accepted, in addition to the gateway's cache of
 * replies.
 */
const KEPT_MS = 60_000;

interface SecretCacheEntry {
  digest: Buffer;
  setAt: Date;
  until: number;
}

/** Checks of accounts whose password is in a secret. */
export interface AccountSecrets {
  check: CheckPassword;
  /** The time since which the account has the password of its secret, at most a minute old. */
  versionOf: (account: Account, now: Date) => Promise<string>;
}

/**
 * Compares passwords with the value of the account's secret, which is cached for a minute. An account without a secret
 * has no password here. An unknown user name costs the same as a wrong password: the same comparison, with the secret
 * that this process read last, and the same read when its cached value is a minute old.
 *
 * @param readSecret called at most once a minute for each secret; an error is not cached.
 */
export function createAccountSecrets(readSecret: ReadSecret): AccountSecrets {
  const kept = new Map<string, SecretCacheEntry>();
  let lastArn: string | undefined;

  const know = async (arn: string, now: number): Promise<SecretCacheEntry> => {
    let secret = kept.get(arn);
    if (secret === undefined || now >= secret.until) {
      const { text, setAt } = await readSecret(arn);
      secret = { digest: digestOf(text), setAt, until: now + KEPT_MS };
      kept.set(arn, secret);
    }
    return secret;
  };

  return {
    check: async ({ account, password, now }) => {
      const secretArn = account?.secret_arn;
      if (secretArn !== undefined) lastArn = secretArn;
      const digest = lastArn === undefined ? noDigest : (await know(lastArn, now.getTime())).digest;
      const isEqual = timingSafeEqual(digestOf(password), digest);
      return secretArn !== undefined && isEqual;
    },
    versionOf: async (account, now) => {
      const { secret_arn: arn } = account;
      return versionOfAccount(account, arn === undefined ? undefined : (await know(arn, now.getTime())).setAt);
    },
  };
}

/** Makes values of equal length to compare. A generated password of 32 characters needs no slow hash. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const noDigest = digestOf('');

const reader = lazily(() => import('../../../shared/aws/secrets-manager.ts').then((part) => part.createSecretReader()));

/** Reads a secret with the credentials of the function. The client is loaded with the first one: a key needs none. */
export const readSecret: ReadSecret = async (arn) => (await reader())(arn);
