import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { EventSourceMapping, FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  ACCESS_EVENTS_PARTITION,
  ANNOTATIONS_PARTITION,
  changeKey,
  REFUSALS_PARTITION,
  STATE_CHANGES_PARTITION,
} from '../../functions/store/table/keys.ts';
import { keyStatements } from '../data/encryption.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { InventoryFunction } from '../functions/inventory-function.ts';
import { streamStatements } from '../data/table-access.ts';

/**
 * Half of the retention of the stream: a change that cannot be published for so long is put into the queue before it is
 * lost.
 */
const MAX_AGE = Duration.hours(12);

/** The other entries of the audit. Refusals are counted in an item of their minute, and published with each new count. */
const auditFilters = [
  FilterCriteria.filter({
    eventName: ['INSERT'],
    dynamodb: { Keys: { pk: { S: [ACCESS_EVENTS_PARTITION, ANNOTATIONS_PARTITION] } } },
  }),
  FilterCriteria.filter({
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { Keys: { pk: { S: [REFUSALS_PARTITION] } } },
  }),
];

export interface ChangeEventsProps {
  readonly defaults: FunctionDefaults;
  readonly table: TableV2;
  readonly key: IKey | undefined;
  /** @default - the default bus of the account */
  readonly bus: IEventBus | undefined;
  /** Whether the other entries of the audit are published too. */
  readonly auditEvents: boolean;
}

/**
 * Publishes every change of the inventory, from the table's stream, as an event on a bus of EventBridge, at least
 * once.
 */
export class ChangeEvents extends Construct {
  /** The positions in the stream of the changes that could not be published. */
  readonly lost: Queue;
  readonly function: IFunction;

  constructor(scope: Construct, id: string, { defaults, table, key, bus, auditEvents }: ChangeEventsProps) {
    super(scope, id);
    const { tableStreamArn: stream } = table;
    if (stream === undefined) throw new Error('the table has no stream');
    this.lost = new Queue(this, 'Lost', {
      ...(key === undefined
        ? { encryption: QueueEncryption.SQS_MANAGED }
        : { encryption: QueueEncryption.KMS, encryptionMasterKey: key }),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.lost).acknowledge(
      { id: 'AwsSolutions-SQS3', reason: 'This is the queue for what failed.' },
      { id: 'Serverless-SQSRedrivePolicy', reason: 'This is the queue for what failed.' },
    );
    const defaultBus = Stack.of(this).formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' });
    const { environment } = defaults;
    const { function: publish } = new InventoryFunction(this, 'publishChanges', {
      defaults:
        bus === undefined ? defaults : { ...defaults, environment: { ...environment, EVENT_BUS: bus.eventBusArn } },
      description: 'Publishes changes to EventBridge',
      rights: [
        ...streamStatements(stream),
        new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus?.eventBusArn ?? defaultBus] }),
        new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.lost.queueArn] }),
        ...keyStatements(key, 'dynamodb'),
        ...keyStatements(key, 'sqs'),
      ],
    });
    this.function = publish;
    new EventSourceMapping(this, 'Stream', {
      target: publish,
      eventSourceArn: stream,
      // Includes the changes between the creation of the table and of this mapping.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge: MAX_AGE,
      onFailure: new SqsDlq(this.lost),
      filters: [
        FilterCriteria.filter({
          eventName: ['INSERT'],
          dynamodb: { Keys: { pk: { S: [{ prefix: changeKey('').pk }, STATE_CHANGES_PARTITION] } } },
        }),
        ...(auditEvents ? auditFilters : []),
      ],
    });
  }
}
