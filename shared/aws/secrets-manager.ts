import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';

/** The present value of a secret, and the time since which it has this value. */
export interface SecretValue {
  text: string;
  setAt: Date;
}

export type ReadSecret = (arn: string) => Promise<SecretValue>;

/**
 * Reads secrets, by default with the region, the credentials and the endpoint in the environment.
 *
 * @throws Error, in which no value of a secret is.
 */
export function createSecretReader(settings: SecretsManagerClientConfig = {}): ReadSecret {
  const client = new SecretsManagerClient(settings);
  return async (arn) => {
    const { SecretString: text, CreatedDate: setAt } = await client
      .send(new GetSecretValueCommand({ SecretId: arn }))
      .catch((error: unknown) => {
        // Its message quotes the reply.
        throw error instanceof SyntaxError ? new Error('The reply of Secrets Manager is no JSON.') : error;
      });
    if (text === undefined || setAt === undefined) throw new Error('The secret of the account does not contain text.');
    return { text, setAt };
  };
}
