import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

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

/** What secrets hold now, or held at most a minute ago. */
export interface Secrets {
  /** Since when it holds what it holds. */
  setAt: (arn: string, now: Date) => Promise<Date>;
  /** @returns since when this is the password; undefined when it is not. */
  check: (password: string, arn: string, now: Date) => Promise<Date | undefined>;
}

/** @param readSecret called once a minute and secret at most; what it throws is not remembered. */
export function createSecrets(readSecret: ReadSecret): Secrets {
  const kept = new Map<string, Known>();
  const know = async (arn: string, now: Date): Promise<Known> => {
    const known = kept.get(arn);
    if (known !== undefined && now.getTime() < known.until) return known;
    const { text, setAt } = await readSecret(arn);
    const read = { digest: digestOf(text), setAt, until: now.getTime() + KEPT_MS };
    kept.set(arn, read);
    return read;
  };
  return {
    setAt: async (arn, now) => (await know(arn, now)).setAt,
    check: async (password, arn, now) => {
      const { digest, setAt } = await know(arn, now);
      return timingSafeEqual(digestOf(password), digest) ? setAt : undefined;
    },
  };
}

/** Of equal length whatever is compared; a generated password of 32 characters needs no slow hash on top. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

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
  if (text === undefined || setAt === undefined) throw new Error('The secret of the account holds no text.');
  return { text, setAt };
};
