import { Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  MAX_PROBED,
  NOT_READY,
  PROBE_MINUTES,
  PROBE_SECONDS,
  type ProbeEvent,
} from '../../functions/domain/records/probe.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { PROBE_MEMORY_MB } from '../functions/function-size.ts';
import { InventoryFunction } from '../functions/inventory-function.ts';
import { regionalName } from '../settings/names.ts';
import { addAlarm, type AlarmContext } from './alarm-topic.ts';
import type { AlarmRule } from './alarms.ts';

/** The alarms of a probe, whose metrics no other alarm has. */
export const probeAlarms = {
  notReady: {
    id: 'InventoryIsNotReady',
    means:
      'An inventory was not ready at its address in two of three minutes: its users get errors, or nothing. The message names it.',
    article: 'An inventory is not ready',
    threshold: 0,
    periods: [2, 3],
  },
  stands: {
    id: 'ProbeStands',
    means: 'Nothing asks the inventories whether they are ready: the probe fails, or does not start.',
    article: 'The probe stands',
    threshold: 0,
    isRegular: true,
    periods: [2, 3],
  },
} as const satisfies Record<string, AlarmRule>;

const LATER = 'The next call asks again. An alarm counts failed calls, and is raised when none happens.';

const METRIC = 'NotReady';
const DIMENSION = 'Inventory';

export interface ProbeProps {
  readonly defaults: FunctionDefaults;
  /** The inventories: the names that the alarm states, and their base URLs without a final slash. */
  readonly inventories: ProbeEvent['inventories'];
  readonly alarms: AlarmContext;
}

/**
 * Asks each inventory every minute whether it is ready, from outside of it: an alarm on the requests of an inventory cannot
 * tell few failures from few requests, and stays silent when none arrive.
 */
export class Probe extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { defaults, inventories, alarms }: ProbeProps) {
    super(scope, id);
    const { function: probe } = new InventoryFunction(this, 'probe', {
      // It needs no variable of the service, and no right.
      defaults: { ...defaults, environment: {} },
      description: 'Asks the inventories whether they are ready',
      memoryMb: PROBE_MEMORY_MB,
      timeoutSeconds: PROBE_SECONDS + 10,
      rights: [],
      isTraced: false,
    });
    probe.configureAsyncInvoke({ retryAttempts: 0 });
    Validations.of(probe).acknowledge({ id: 'Serverless-LambdaAsyncFailureDestination', reason: LATER });
    const parts = Array.from({ length: Math.ceil(inventories.length / MAX_PROBED) }, (_, index) =>
      inventories.slice(index * MAX_PROBED, (index + 1) * MAX_PROBED),
    );
    const rule = new Rule(this, 'Schedule', {
      description: 'Asks the inventories whether they are ready',
      enabled: !defaults.settings.closed,
      schedule: Schedule.rate(Duration.minutes(PROBE_MINUTES)),
      targets: parts.map(
        (part) =>
          new LambdaFunction(probe, {
            retryAttempts: 0,
            event: RuleTargetInput.fromObject({ inventories: part } satisfies ProbeEvent),
          }),
      ),
    });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason: LATER });
    const errors = probe.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(5) });
    this.alarms = [
      addAlarm(this, probeAlarms.notReady, this.countNotReady(defaults), alarms),
      addAlarm(this, probeAlarms.stands, errors, alarms),
    ];
  }

  /**
   * A time series for each inventory that is not ready. The alarm is raised for each of them, and its message names it.
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Metrics_Insights_Alarm.html
   */
  private countNotReady({ log }: FunctionDefaults): MathExpression {
    const metricNamespace = regionalName(this);
    new MetricFilter(this, METRIC, {
      logGroup: log,
      filterPattern: FilterPattern.stringValue('$.message', '=', NOT_READY),
      metricNamespace,
      metricName: METRIC,
      metricValue: '1',
      // Without a default value: a series is billed only for hours in which its inventory is not ready.
      dimensions: { [DIMENSION]: '$.inventory' },
    });
    return new MathExpression({
      expression: `SELECT SUM(${METRIC}) FROM SCHEMA("${metricNamespace}", ${DIMENSION}) GROUP BY ${DIMENSION} ORDER BY SUM() DESC`,
      usingMetrics: {},
      period: Duration.minutes(PROBE_MINUTES),
    });
  }
}
