import { Duration, Stack } from 'aws-cdk-lib';
import { AlarmStatusWidget, Dashboard, GraphWidget, type IAlarm, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { addAlarm, AlarmTopic } from './alarm-topic.ts';
import { Probe, type ProbeProps } from './probe.ts';
import { sharedAlarms } from './shared-alarms.ts';

export interface SharedMonitoringProps {
  /** Recipient of the messages; undefined: none. */
  readonly alarmEmail?: string | undefined;
  /** The site with the runbook, to which the alarms refer; without a final slash. */
  readonly siteUrl: string;
}

/** An inventory on the dashboard. */
export interface ShownInventory {
  readonly title: string;
  /** The name of its API in metrics. */
  readonly apiName: string;
}

/** The graphs of the dashboard: each has a line for each inventory. */
const graphs = [
  ['Requests', 'Count', Stats.SUM],
  ['Requests that fail', '5XXError', Stats.SUM],
  ['Requests that are refused', '4XXError', Stats.SUM],
  ['99th percentile of latency (ms)', 'Latency', Stats.p(99)],
] as const;

/**
 * The alarms and the dashboard of several inventories. An inventory with this monitoring has none of its own: without
 * requests it costs only its secrets.
 */
export class SharedMonitoring extends Construct {
  readonly topic: ITopic;
  /** The namespace of the metrics to which the inventories add. */
  readonly namespace: string;
  private readonly siteUrl: string;
  private readonly watched: IAlarm[] = [];

  constructor(scope: Construct, id: string, { alarmEmail, siteUrl }: SharedMonitoringProps) {
    super(scope, id);
    this.namespace = Stack.of(this).stackName;
    const topic = new AlarmTopic(this, 'Alarms', { key: undefined, alarmEmail });
    const context = { topic, siteUrl };
    const alarms = sharedAlarms.map((rule) =>
      addAlarm(
        this,
        rule,
        new Metric({
          ...{ namespace: this.namespace, metricName: rule.id, statistic: Stats.SUM },
          period: Duration.minutes(rule.periodMinutes),
        }),
        context,
      ),
    );
    this.watched.push(...alarms);
    this.topic = topic;
    this.siteUrl = siteUrl;
  }

  /** The alarms of all inventories. */
  get alarms(): readonly IAlarm[] {
    return this.watched;
  }

  /** Adds the probe of these inventories, and its alarms. */
  addProbe(props: Omit<ProbeProps, 'alarms'>): Probe {
    const probe = new Probe(this, 'Probe', { ...props, alarms: { topic: this.topic, siteUrl: this.siteUrl } });
    this.watched.push(...probe.alarms);
    return probe;
  }

  /** Adds the dashboard: all alarms, and the requests of each inventory. */
  addDashboard(inventories: readonly ShownInventory[]): Dashboard {
    const widgets = graphs.map(
      ([title, metricName, statistic]) =>
        new GraphWidget({
          ...{ title, width: 12, height: 8 },
          left: inventories.map(
            ({ title: label, apiName }) =>
              new Metric({
                ...{ namespace: 'AWS/ApiGateway', metricName, statistic, label },
                dimensionsMap: { ApiName: apiName },
                period: Duration.minutes(5),
              }),
          ),
        }),
    );
    return new Dashboard(this, 'Dashboard', {
      widgets: [
        [new AlarmStatusWidget({ title: 'Symptoms', alarms: [...this.alarms], width: 24, height: 2 })],
        widgets.slice(0, 2),
        widgets.slice(2),
      ],
    });
  }
}

export interface SharedMetricsProps {
  readonly monitoring: SharedMonitoring;
  readonly logs: Readonly<Record<'access' | 'functions', LogGroup>>;
}

/** Adds the symptoms of one inventory to the metrics of all. */
export class SharedMetrics extends Construct {
  readonly topic: ITopic;
  readonly alarms: readonly IAlarm[];

  constructor(scope: Construct, id: string, { monitoring, logs }: SharedMetricsProps) {
    super(scope, id);
    for (const { id: metricName, log, pattern } of sharedAlarms)
      new MetricFilter(this, metricName, {
        logGroup: logs[log],
        filterPattern: pattern,
        metricNamespace: monitoring.namespace,
        metricName,
        // Without a default value: the metric is billed only for hours in which it has data.
        metricValue: '1',
      });
    this.topic = monitoring.topic;
    this.alarms = monitoring.alarms;
  }
}
