import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { keyStatements } from './encryption.ts';
import { type FunctionDefaults, InventoryFunction } from './inventory-function.ts';
import { cleanupStatements } from './table-access.ts';

export interface ScheduledCleanupProps {
  readonly defaults: FunctionDefaults;
  readonly table: TableV2;
  readonly key: IKey | undefined;
}

/** Removes ephemeral nodes that are gone, once an hour. */
export class ScheduledCleanup extends Construct {
  constructor(scope: Construct, id: string, { defaults, table, key }: ScheduledCleanupProps) {
    super(scope, id);
    const cleanup = new InventoryFunction(this, 'scheduledCleanup', {
      defaults,
      description: 'Removes ephemeral nodes that are gone',
      statements: [...cleanupStatements(table), ...keyStatements(key, 'dynamodb')],
    });
    new Rule(this, 'Hourly', {
      description: 'Removes ephemeral nodes that are gone',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new LambdaFunction(cleanup.function, { retryAttempts: 0 })],
    });
  }
}
