import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { CLEANUP_MINUTES, CLEANUP_WORK_SECONDS } from '../../functions/domain/records/cleanup.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import type { FunctionRole } from '../functions/function-role.ts';
import { InventoryFunction } from '../functions/inventory-function.ts';

const LATER = 'The next run includes everything that a failed run missed. An alarm counts failed runs.';

export interface ScheduledCleanupProps {
  readonly defaults: FunctionDefaults;
  /** The role of the endpoint that does the same on request. */
  readonly role: FunctionRole;
}

/** Removes ephemeral nodes that no longer report, at regular intervals. */
export class ScheduledCleanup extends Construct {
  readonly function: IFunction;

  constructor(scope: Construct, id: string, { defaults, role }: ScheduledCleanupProps) {
    super(scope, id);
    const { function: cleanup } = new InventoryFunction(this, 'scheduledCleanup', {
      defaults,
      description: 'Removes silent ephemeral nodes',
      // The last call of the cleanup begins before the end of its work and takes half a minute at most.
      timeoutSeconds: CLEANUP_WORK_SECONDS + 60,
      rights: role,
    });
    // An immediate repetition would fail for the same reason: the safety threshold, or a fault of the table.
    cleanup.configureAsyncInvoke({ retryAttempts: 0 });
    Validations.of(cleanup).acknowledge({ id: 'Serverless-LambdaAsyncFailureDestination', reason: LATER });
    const rule = new Rule(this, 'Schedule', {
      description: 'Removes silent ephemeral nodes',
      enabled: !defaults.settings.closed,
      schedule: Schedule.rate(Duration.minutes(CLEANUP_MINUTES)),
      targets: [new LambdaFunction(cleanup, { retryAttempts: 0 })],
    });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason: LATER });
    this.function = cleanup;
  }
}
