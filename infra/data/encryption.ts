import { Aws, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

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
  const ofSecret = access === 'read' ? ['Decrypt'] : ['Decrypt', 'GenerateDataKey'];
  const actions = { dynamodb: keyActions, secretsmanager: ofSecret, sqs: ['Decrypt', 'GenerateDataKey'] }[service];
  return [useBy(service, actions, key.keyArn, Stack.of(key))];
}

const useBy = (service: string, actions: readonly string[], key: string, { region, urlSuffix }: Stack) =>
  new PolicyStatement({
    actions: actions.map((action) => `kms:${action}`),
    resources: [key],
    conditions: { StringEquals: { 'kms:ViaService': `${service}.${region}.${urlSuffix}` } },
  });

/** All keys of the account. */
const ALL_KEYS = `arn:${Aws.PARTITION}:kms:${Aws.REGION}:${Aws.ACCOUNT_ID}:key/*`;

/**
 * Use of the keys of tables, by way of DynamoDB, which decrypts for a caller only what the caller may read. The tables limit
 * it, not the keys: a role has no room for the ARNs of the tables and of the keys of all tenants.
 *
 * @param scope of the role.
 */
export function tableKeysStatement(scope: Construct): PolicyStatement {
  Validations.of(scope).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]',
    reason: 'By way of DynamoDB only, whose permissions name each table.',
  });
  return useBy('dynamodb', keyActions, ALL_KEYS, Stack.of(scope));
}
