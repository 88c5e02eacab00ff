import { ArnFormat, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { lastingName } from '../settings/names.ts';
import type { Settings } from '../settings/settings-table.ts';

export interface LogProps {
  readonly settings: Pick<Settings, 'logRetentionDays'>;
  readonly removalPolicy: RemovalPolicy;
  readonly key: IKey | undefined;
}

/**
 * The log of an HTTP API. CloudWatch Logs adds the names of such logs to one resource policy of the account and region,
 * which is full after some 38 of them; those below this path have one entry together.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-CloudWatchLogs.html
 */
export const newDeliveredLog = (scope: Construct, id: string, props: LogProps): LogGroup =>
  newLog(scope, id, { ...props, logGroupName: `/aws/vendedlogs/${lastingName(scope)}` });

export function newLog(scope: Construct, id: string, props: LogProps & { readonly logGroupName?: string }): LogGroup {
  const { settings, removalPolicy, key, logGroupName } = props;
  return new LogGroup(scope, id, {
    ...(logGroupName === undefined ? {} : { logGroupName }),
    retention: settings.logRetentionDays,
    removalPolicy,
    ...(key === undefined ? {} : { encryptionKey: key }),
  });
}

/**
 * Lets CloudWatch Logs encrypt the log groups of this account and region with the key, and nothing else.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
 */
export function permitLogs(key: IKey): void {
  const stack = Stack.of(key);
  const groups = stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: '*',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      actions: [
        'kms:Encrypt',
        'kms:Decrypt',
        'kms:ReEncryptFrom',
        'kms:ReEncryptTo',
        'kms:GenerateDataKey',
        'kms:DescribeKey',
      ],
      resources: ['*'],
      // Not amazonaws.com, which is not the suffix in China.
      principals: [new ServicePrincipal(`logs.${stack.region}.${stack.urlSuffix}`)],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': groups } },
    }),
  );
}
