import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type ILogGroup, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { EMERGENCY_LOG_IN } from '../../functions/domain/access/admin-account.ts';
import { fieldOf } from '../gateway/access-log.ts';
import type { AgentGateway } from '../agents/agent-gateway.ts';
import type { Jobs } from '../triggers/jobs.ts';
import type { InventoryApi } from '../gateway/api.ts';
import type { ReportApi } from '../gateway/report-api.ts';
import type { InventoryFunctions } from '../functions/inventory-functions.ts';
import type { ChangeEvents } from '../triggers/change-events.ts';
import type { ScheduledCleanup } from '../triggers/scheduled-cleanup.ts';
import type { StateEvents } from '../triggers/state-events.ts';
import { regionalName } from '../settings/names.ts';
import type { Settings } from '../settings/settings-table.ts';
import { addAlarm, AlarmTopic } from './alarm-topic.ts';
import { type AlarmResources, alarms, tableTroubles } from './alarms.ts';
import { functionIsThrottled, whereStatus } from './log-patterns.ts';

export interface OperationsProps {
  readonly agents: AgentGateway | undefined;
  readonly events: ChangeEvents | undefined;
  readonly cleanup: ScheduledCleanup | undefined;
  readonly stateEvents: StateEvents | undefined;
  readonly jobs: Jobs;
  readonly api: InventoryApi;
  readonly reports: ReportApi | undefined;
  readonly functions: InventoryFunctions;
  readonly table: TableV2;
  /** The log of all functions. */
  readonly log: ILogGroup;
  readonly key: IKey | undefined;
  readonly settings: Pick<Settings, 'adminAccount' | 'alarmEmail' | 'billing' | 'silenceAlarm'>;
  /** Where the site is, without a final slash. */
  readonly siteUrl: string;
}

const period = Duration.minutes(5);

const [ROUTE, LATENCY] = [fieldOf('route'), fieldOf('latency_ms')];

/** The alarms from the table of symptoms, the topic that they are sent to, and a dashboard. */
export class Operations extends Construct {
  readonly topic: AlarmTopic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { agents, api, reports, events, cleanup, stateEvents, jobs, functions, table, key, log, settings, siteUrl } =
      props;
    const { adminAccount, alarmEmail, billing, silenceAlarm } = settings;
    this.topic = new AlarmTopic(this, 'Alarms', { key, alarmEmail });
    const watched: AlarmResources = {
      agents,
      api,
      reports,
      isProvisioned: billing === 'provisioned',
      authorizer: functions.authorizer.function,
      table,
      lost: events?.lost,
      cleanup: cleanup?.function,
      stateEvents: stateEvents?.function,
      publisher: events?.function,
      worker: jobs.worker,
      stuck: jobs.stuck,
      emergencies: adminAccount === 'emergency' ? this.countEmergencies(log) : undefined,
      silenceAlarm,
      status: (status) => this.countRequests(api.accessLog, `Status${status}`, whereStatus('status', `${status}`)),
      throttled: this.countRequests(api.accessLog, 'Throttled', functionIsThrottled),
      latencyWithout: (path) => this.measureLatency(api.accessLog, path),
    };
    this.alarms = alarms.flatMap((rule) => {
      const metric = rule.metric(watched);
      return metric === undefined ? [] : [addAlarm(this, rule, metric, { topic: this.topic, siteUrl })];
    });
    this.addDashboard(props);
  }

  private countRequests(accessLog: LogGroup, name: string, pattern: IFilterPattern): IMetric {
    return this.readLog(accessLog, name, pattern, '1').with({ statistic: Stats.SUM, period });
  }

  private countEmergencies(log: ILogGroup): IMetric {
    const pattern = FilterPattern.stringValue('$.message', '=', EMERGENCY_LOG_IN);
    return this.readLog(log, 'EmergencyLogIns', pattern, '1').with({ statistic: Stats.SUM, period });
  }

  private measureLatency(accessLog: LogGroup, without: string): Metric {
    const pattern = FilterPattern.all(
      FilterPattern.stringValue(ROUTE, '!=', without),
      FilterPattern.numberValue(LATENCY, '>=', 0),
    );
    return this.readLog(accessLog, 'Latency', pattern, LATENCY);
  }

  /** A metric of the lines of a log. Without a default value: it is billed only for hours in which it has data. */
  private readLog(logGroup: ILogGroup, name: string, filterPattern: IFilterPattern, metricValue: string): Metric {
    const of = { metricNamespace: regionalName(this), metricName: name };
    return new MetricFilter(this, name, { logGroup, filterPattern, ...of, metricValue }).metric();
  }

  private addDashboard({ agents, api, reports, functions, table }: OperationsProps): void {
    const authorizer = functions.authorizer.function;
    const perFunction = (metric: (of: IFunction, label: string) => IMetric) =>
      functions.endpoints.map(([{ id: label }, made]) => metric(made.function, label));
    const graph = (title: string, left: readonly IMetric[], right: readonly IMetric[] = []) =>
      new GraphWidget({ title, left: [...left], right: [...right], width: 12, height: 6 });
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [new AlarmStatusWidget({ title: 'Symptoms', alarms: [...this.alarms], width: 24, height: 2 })],
        [
          graph('Requests and errors', [
            ...[api.metricCount(), api.metricClientError(), api.metricServerError()],
            ...(reports === undefined
              ? []
              : ['Count', '4xx', '5xx'].map((name) => reports.metric(name, { label: `Reports: ${name}` }))),
          ]),
          graph(
            'Latency (ms)',
            [50, 99].map((share) => api.metricLatency({ statistic: Stats.p(share) })),
          ),
        ],
        [
          graph(
            'Authorizer',
            [authorizer.metricInvocations(), authorizer.metricErrors()],
            [authorizer.metricDuration()],
          ),
          graph('Table', [
            ...tableTroubles(table),
            table.metricConsumedReadCapacityUnits({ statistic: Stats.SUM }),
            table.metricConsumedWriteCapacityUnits({ statistic: Stats.SUM }),
          ]),
        ],
        [
          graph(
            'Requests by endpoint',
            perFunction((of, label) => of.metricInvocations({ label })),
          ),
          graph(
            '99th percentile of latency by endpoint (ms)',
            perFunction((of, label) => of.metricDuration({ label, statistic: Stats.p(99) })),
          ),
        ],
        ...(agents === undefined
          ? []
          : [
              [
                graph('Streams of agents by container', [
                  agents.metric('streams', Stats.AVERAGE),
                  agents.metric('streams', Stats.MAXIMUM),
                  agents.metric('refused', Stats.SUM),
                ]),
                graph(
                  'Containers of the agent gateway',
                  [agents.healthyTasks, agents.unhealthyTasks],
                  [agents.memory, agents.metric('feedAge', Stats.MAXIMUM)],
                ),
              ],
            ]),
      ],
    });
  }
}
