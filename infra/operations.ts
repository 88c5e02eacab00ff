import { Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { accessLogFields } from './access-log.ts';
import type { Jobs } from './jobs.ts';
import type { InventoryApi } from './api.ts';
import type { InventoryFunctions } from './inventory-functions.ts';
import type { ChangeEvents } from './change-events.ts';
import type { ScheduledCleanup } from './scheduled-cleanup.ts';
import type { StateEvents } from './state-events.ts';
import { regionalName } from './names.ts';
import type { Settings } from './settings-table.ts';
import { alarms, descriptionOf, tableTroubles, type Watched } from './alarms.ts';

export interface OperationsProps {
  readonly events: ChangeEvents | undefined;
  readonly cleanup: ScheduledCleanup | undefined;
  readonly stateEvents: StateEvents | undefined;
  readonly jobs: Jobs;
  readonly api: InventoryApi;
  readonly functions: InventoryFunctions;
  readonly table: TableV2;
  readonly key: IKey | undefined;
  readonly settings: Pick<Settings, 'alarmEmail' | 'silenceAlarm'>;
}

const period = Duration.minutes(5);

/** The alarms from the table of symptoms, the topic that they are sent to, and a dashboard. */
export class Operations extends Construct {
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { api, events, cleanup, stateEvents, jobs, functions, table, key, settings } = props;
    const { alarmEmail, silenceAlarm } = settings;
    this.topic = this.addTopic(key, alarmEmail);
    const watched: Watched = {
      api,
      authorizer: functions.authorizer.function,
      table,
      lost: events?.lost,
      cleanup: cleanup?.function,
      stateEvents: stateEvents?.function,
      publisher: events?.function,
      worker: jobs.worker,
      stuck: jobs.stuck,
      silenceAlarm,
      status: (status) => this.countStatus(api.accessLog, status),
    };
    this.alarms = alarms.flatMap((definition) => {
      const metric = definition.metric(watched);
      if (metric === undefined) return [];
      const [datapointsToAlarm, evaluationPeriods] = definition.periods;
      const alarm = new Alarm(this, definition.id, {
        alarmDescription: descriptionOf(definition),
        metric,
        threshold: definition.threshold,
        comparisonOperator:
          definition.isMinimum === true
            ? ComparisonOperator.LESS_THAN_THRESHOLD
            : ComparisonOperator.GREATER_THAN_THRESHOLD,
        datapointsToAlarm,
        evaluationPeriods,
        // Without requests there is no data, and no user is affected, except where their absence is the symptom.
        treatMissingData: definition.isMinimum === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(new SnsAction(this.topic));
      return [alarm];
    });
    this.addDashboard(props);
  }

  private addTopic(key: IKey | undefined, alarmEmail: string | undefined): Topic {
    const topic = new Topic(this, 'Alarms', {
      displayName: 'Monitoring inventory',
      enforceSSL: true,
      ...(key === undefined ? {} : { masterKey: key }),
    });
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    // A resource policy, such as the one that requires TLS, replaces the default that permits alarms to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        principals: [cloudWatch],
        conditions,
      }),
    );
    key?.addToResourcePolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        principals: [cloudWatch],
        conditions,
      }),
    );
    if (alarmEmail !== undefined) {
      topic.addSubscription(new EmailSubscription(alarmEmail));
      Validations.of(topic).acknowledge({
        id: 'Serverless-SNSRedrivePolicy',
        reason: 'A mail that cannot be delivered loses no information: the alarm stays on, and the dashboard shows it.',
      });
    }
    if (key === undefined)
      Validations.of(topic).acknowledge({
        id: 'AwsSolutions-SNS2',
        reason:
          'Messages contain the name of the alarm and nothing of the inventory. Alarms cannot publish with the AWS managed key; customerManagedKey=true encrypts with a key of the account.',
      });
    return topic;
  }

  private countStatus(accessLog: LogGroup, status: number): IMetric {
    const field: keyof typeof accessLogFields = 'status';
    const filter = new MetricFilter(this, `Status${status}`, {
      logGroup: accessLog,
      // Without a default value: a metric is billed only for hours in which it has data.
      filterPattern: FilterPattern.stringValue(`$.${field}`, '=', String(status)),
      metricNamespace: regionalName(this),
      metricName: `Status${status}`,
      metricValue: '1',
    });
    return filter.metric({ statistic: Stats.SUM, period });
  }

  private addDashboard({ api, functions, table }: OperationsProps): void {
    const authorizer = functions.authorizer.function;
    const perFunction = (metric: (of: IFunction, label: string) => IMetric) =>
      functions.endpoints.map(([{ id: label }, made]) => metric(made.function, label));
    const graph = (title: string, left: readonly IMetric[], right: readonly IMetric[] = []) =>
      new GraphWidget({ title, left: [...left], right: [...right], width: 12, height: 6 });
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [new AlarmStatusWidget({ title: 'Symptoms', alarms: [...this.alarms], width: 24, height: 2 })],
        [
          graph('Requests and errors', [api.metricCount(), api.metricClientError(), api.metricServerError()]),
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
      ],
    });
  }
}
