import * as z from 'zod/mini';
import { type JsonReply, JsonService } from './json-service.ts';
import { type Passing, repeat } from './repeat.ts';
import { RetryQuota } from './retry-quota.ts';
import { settingsOf } from './settings.ts';

/** The present value of a secret, and the time since which it has this value. */
export interface SecretValue {
  text: string;
  setAt: Date;
}

/** Reads a secret in Secrets Manager by its ARN. */
export type ReadSecret = (arn: string) => Promise<SecretValue>;

/** Secrets Manager refused a call. `name` is the name of the error in its API. */
class SecretsManagerError extends Error {
  readonly status: number;

  constructor({ status, body }: JsonReply) {
    const { __type: type, message, Message } = z.parse(refusalSchema, body);
    super(message ?? Message ?? type);
    this.name = /[^#]*$/.exec(type)?.[0] ?? type;
    this.status = status;
  }
}

const refusalSchema = z.object({
  __type: z._default(z.string(), 'UnknownError'),
  message: z.optional(z.string()),
  Message: z.optional(z.string()),
});

/** https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
const valueSchema = z.object({
  SecretString: z.string(),
  /** Of the value, not of the secret. Seconds since 1970, with a fraction. */
  CreatedDate: z.number(),
});

/** https://docs.aws.amazon.com/secretsmanager/latest/apireference/CommonErrors.html */
const passing: ReadonlySet<string> = new Set(['RequestLimitExceeded', 'ThrottlingException']);

function passingOf(error: unknown): Passing | undefined {
  if (!(error instanceof SecretsManagerError)) return 'unanswered';
  return error.status >= 500 || passing.has(error.name) ? 'refused' : undefined;
}

/**
 * Reads secrets with the region, the credentials and the endpoint in the environment. Without the AWS SDK, which is more
 * than half of what the authorizer would load.
 *
 * @throws Error, in which no value of a secret is.
 */
export function createSecretReader(environment: NodeJS.ProcessEnv): ReadSecret {
  const settings = settingsOf('secretsmanager', environment, 'AWS_ENDPOINT_URL_SECRETS_MANAGER');
  const service = new JsonService({ ...settings, version: '1.1', prefix: 'secretsmanager', maxSockets: 2 });
  const quota = new RetryQuota();
  return async (arn) => {
    const body = JSON.stringify({ SecretId: arn });
    const reply = await repeat(
      async () => {
        const { status, body: found } = await service.send('GetSecretValue', body, {});
        if (status !== 200) throw new SecretsManagerError({ status, body: found });
        return found;
      },
      { quota, passingOf },
    );
    const { success, data } = z.safeParse(valueSchema, reply);
    if (!success) throw new Error('The secret of the account does not contain text.');
    return { text: data.SecretString, setAt: new Date(data.CreatedDate * 1000) };
  };
}
