import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Account, versionOfAccount } from '../../store/credentials/accounts.ts';
import type { CheckPassword } from './check-password.ts';

/** What a secret holds now, and since when. */
export interface SecretValue {
  text: string;
  setAt: Date;
}

/** Reads a secret in Secrets Manager, by its ARN. */
export type ReadSecret = (arn: string) => Promise<SecretValue>;

/** How long a changed password may still be answered for by the old one, on top of the gateway's cache of answers. */
const KEPT_MS = 60_000;

interface Known {
  digest: Buffer;
  setAt: Date;
  until: number;
}

/** What the deployed authorizer knows of accounts by their secrets. */
export interface AccountSecrets {
  check: CheckPassword;
  /** Since when the account has the password that its secret holds now, or held at most a minute ago. */
  versionOf: (account: Account, now: Date) => Promise<string>;
}

/**
 * Compares passwords with what the secret of the account holds now, or held at most a minute ago. An account without a secret
 * has no password here. An unknown user name costs what a wrong password costs: the same comparison, with the secret that this
 * process read last, and the same new read when that is a minute old.
 *
 * @param readSecret called once a minute and secret at most; what it throws is not remembered.
 */
export function createAccountSecrets(readSecret: ReadSecret): AccountSecrets {
  const kept = new Map<string, Known>();
  let lastArn: string | undefined;

  const know = async (arn: string, now: number): Promise<Known> => {
    let known = kept.get(arn);
    if (known === undefined || now >= known.until) {
      const { text, setAt } = await readSecret(arn);
      known = { digest: digestOf(text), setAt, until: now + KEPT_MS };
      kept.set(arn, known);
    }
    return known;
  };

  return {
    check: async ({ account, password, now }) => {
      const own = account?.secret_arn;
      if (own !== undefined) lastArn = own;
      const digest = lastArn === undefined ? noDigest : (await know(lastArn, now.getTime())).digest;
      const isEqual = timingSafeEqual(digestOf(password), digest);
      return own !== undefined && isEqual;
    },
    versionOf: async (account, now) => {
      const { secret_arn: arn } = account;
      return versionOfAccount(account, arn === undefined ? undefined : (await know(arn, now.getTime())).setAt);
    },
  };
}

/** Of equal length whatever is compared; a generated password of 32 characters needs no slow hash on top. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const noDigest = digestOf('');

/** Bounds like those of the table's client: the gateway waits 29 s at most. */
const clientSettings = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

// Imported with the rest and not on demand: that would make esbuild wrap all that it shares with the client of DynamoDB, and
// cost every start of the authorizer 6 ms and 38 kB instead of 1.5 ms and 14 kB (measured, median of 25). Made at first use.
let client: SecretsManagerClient | undefined;

export const readSecret: ReadSecret = async (arn) => {
  client ??= new SecretsManagerClient(clientSettings);
  // The date is that of the value, not of the secret.
  const { SecretString: text, CreatedDate: setAt } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
  if (text === undefined || setAt === undefined) throw new Error('The secret of the account does not contain text.');
  return { text, setAt };
};
