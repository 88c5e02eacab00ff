import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';

/** The label of a version that only claims the right to replace another one. */
const CLAIM_LABEL = 'CLAIM';

/** A secret that its user replaces. */
export interface VersionedSecret {
  read: () => Promise<{ text: string; setAt: Date; versionId: string }>;
  /** Makes the text the present version. */
  write: (text: string) => Promise<void>;
  /** Adds a version with this id that is not the present one. @returns false when another caller has added it. */
  claim: (versionId: string) => Promise<boolean>;
}

/**
 * A secret in Secrets Manager, by default with the region, the credentials and the endpoint in the environment.
 *
 * @throws Error, in which no value of a secret is.
 */
export function createVersionedSecret(arn: string, settings: SecretsManagerClientConfig = {}): VersionedSecret {
  const client = new SecretsManagerClient(settings);
  return {
    read: async () => {
      const {
        SecretString: text,
        CreatedDate: setAt,
        VersionId: versionId,
      } = await client.send(new GetSecretValueCommand({ SecretId: arn })).catch((error: unknown) => {
        // Its message quotes the reply.
        throw error instanceof SyntaxError ? new Error('The reply of Secrets Manager is no JSON.') : error;
      });
      if (text === undefined || setAt === undefined || versionId === undefined)
        throw new Error('The secret does not contain text.');
      return { text, setAt, versionId };
    },
    write: async (text) => {
      await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: text }));
    },
    claim: async (versionId) => {
      try {
        const claim = { ClientRequestToken: versionId, SecretString: randomUUID(), VersionStages: [CLAIM_LABEL] };
        await client.send(new PutSecretValueCommand({ SecretId: arn, ...claim }));
        return true;
      } catch (error) {
        if (error instanceof ResourceExistsException) return false;
        throw error;
      }
    },
  };
}
