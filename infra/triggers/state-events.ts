import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { STATE_EVENTS_MINUTES, STATE_EVENTS_WORK_SECONDS } from '../../functions/domain/records/state-events.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import type { FunctionRole } from '../functions/function-role.ts';
import { InventoryFunction } from '../functions/inventory-function.ts';

const LATER = 'The next pass publishes everything that a failed one missed. An alarm counts failed passes.';

export interface StateEventsProps {
  readonly defaults: FunctionDefaults;
  /** The role of an endpoint that reads heartbeats and writes changes. */
  readonly role: FunctionRole;
}

/** Publishes changes of the states of nodes, at regular intervals. */
export class StateEvents extends Construct {
  readonly function: IFunction;

  constructor(scope: Construct, id: string, { defaults, role }: StateEventsProps) {
    super(scope, id);
    const { function: publish } = new InventoryFunction(this, 'stateEvents', {
      defaults,
      description: 'Publishes changes of the states of nodes',
      // Ends before the next pass begins.
      timeoutSeconds: STATE_EVENTS_WORK_SECONDS + 60,
      rights: role,
    });
    // An immediate repetition would meet the same fault of the table.
    publish.configureAsyncInvoke({ retryAttempts: 0 });
    Validations.of(publish).acknowledge({ id: 'Serverless-LambdaAsyncFailureDestination', reason: LATER });
    const rule = new Rule(this, 'Schedule', {
      description: 'Publishes changes of the states of nodes',
      enabled: !defaults.settings.closed,
      schedule: Schedule.rate(Duration.minutes(STATE_EVENTS_MINUTES)),
      targets: [new LambdaFunction(publish, { retryAttempts: 0 })],
    });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason: LATER });
    this.function = publish;
  }
}
