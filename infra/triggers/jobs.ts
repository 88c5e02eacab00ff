import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { endpoint } from '../../functions/api/reconciliations/apply/endpoint.ts';
import { FORCED_REMOVALS_PARTITION, reconciliationKey } from '../../functions/store/table/keys.ts';
import { keyStatements } from '../data/encryption.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { InventoryFunction } from '../functions/inventory-function.ts';
import { jobStatements, streamStatements } from '../data/table-access.ts';

/** The maximum of Lambda. */
const WORKER_SECONDS = 900;

/** How long a job that makes no progress is retried: longer than any temporary outage. */
const MAX_AGE = Duration.hours(2);

export interface JobsProps {
  readonly defaults: FunctionDefaults;
  readonly table: TableV2;
  readonly key: IKey | undefined;
  /** Jobs that are continued at the same time for each shard of the stream. */
  readonly workerConcurrency: number;
}

/**
 * Resumes the jobs that requests could not finish. The table's stream delivers the records of jobs that have begun, so
 * no function needs the permission to call another one. When the worker crashes, the stream delivers the same record
 * again.
 */
export class Jobs extends Construct {
  /** The positions in the stream of the jobs that made no progress. */
  readonly stuck: Queue;
  readonly worker: IFunction;

  constructor(scope: Construct, id: string, { defaults, table, key, workerConcurrency }: JobsProps) {
    super(scope, id);
    const { tableStreamArn: stream } = table;
    if (stream === undefined) throw new Error('the table has no stream');
    this.stuck = new Queue(this, 'Stuck', {
      ...(key === undefined
        ? { encryption: QueueEncryption.SQS_MANAGED }
        : { encryption: QueueEncryption.KMS, encryptionMasterKey: key }),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.stuck).acknowledge(
      { id: 'AwsSolutions-SQS3', reason: 'This is the queue for what failed.' },
      { id: 'Serverless-SQSRedrivePolicy', reason: 'This is the queue for what failed.' },
    );
    const { function: worker } = new InventoryFunction(this, 'continueJobs', {
      defaults,
      description: 'Continues reconciliations and forced removals that exceed one request',
      timeoutSeconds: WORKER_SECONDS,
      rights: [
        ...jobStatements(table, endpoint),
        ...streamStatements(stream),
        new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.stuck.queueArn] }),
        ...keyStatements(key, 'dynamodb'),
        ...keyStatements(key, 'sqs'),
      ],
    });
    this.worker = worker;
    new EventSourceMapping(this, 'Stream', {
      target: worker,
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      // A job may take minutes: one per batch, so that none waits for another one.
      batchSize: 1,
      parallelizationFactor: workerConcurrency,
      maxRecordAge: MAX_AGE,
      onFailure: new SqsDlq(this.stuck),
      filters: [
        FilterCriteria.filter({
          eventName: ['INSERT', 'MODIFY'],
          dynamodb: {
            Keys: { pk: { S: FilterRule.beginsWith(reconciliationKey('').pk) } },
            NewImage: { state: { S: ['applying'] } },
          },
        }),
        FilterCriteria.filter({
          eventName: ['INSERT'],
          dynamodb: { Keys: { pk: { S: [FORCED_REMOVALS_PARTITION] } } },
        }),
      ],
    });
  }
}
