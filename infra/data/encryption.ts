import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** The actions that examples of key policies grant with `*` to readers and writers. */
const keyActions = [
  'Decrypt',
  'DescribeKey',
  'Encrypt',
  'GenerateDataKey',
  'GenerateDataKeyWithoutPlaintext',
  'ReEncryptFrom',
  'ReEncryptTo',
];

/**
 * Use of the customer-managed key, if there is one, only by way of a service: direct decryption is not permitted.
 *
 * @param service `dynamodb` encrypts and decrypts for its callers, `secretsmanager` decrypts for a reader and encrypts for a writer, `sqs`
 *   encrypts for a sender.
 */
export function keyStatements(
  key: IKey | undefined,
  service: 'dynamodb' | 'secretsmanager' | 'sqs',
  access: 'read' | 'write' = 'read',
): PolicyStatement[] {
  if (key === undefined) return [];
  const { region, urlSuffix } = Stack.of(key);
  const ofSecret = access === 'read' ? ['Decrypt'] : ['Decrypt', 'GenerateDataKey'];
  const actions = { dynamodb: keyActions, secretsmanager: ofSecret, sqs: ['Decrypt', 'GenerateDataKey'] }[service];
  return [
    new PolicyStatement({
      actions: actions.map((action) => `kms:${action}`),
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `${service}.${region}.${urlSuffix}` } },
    }),
  ];
}
