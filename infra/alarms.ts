import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/** The resources that alarms watch. */
export interface Watched {
  readonly api: RestApiBase;
  readonly authorizer: IFunction;
  readonly table: TableV2;
  /** The queue of changes that could not be published; undefined when changes are not published. */
  readonly lost: Queue | undefined;
  /** The function of the scheduled cleanup; undefined when it is disabled. */
  readonly cleanup: IFunction | undefined;
  /** The queue of jobs that made no progress for hours. */
  readonly stuck: Queue;
  /** Number of lines of the access log with this status; no data while no such line exists. */
  readonly status: (status: number) => IMetric;
}

/** One symptom that users notice. */
export interface AlarmDefinition {
  readonly id: string;
  /** The effect on users while it lasts. */
  readonly means: string;
  /** Heading of the article in docs/runbook.md. */
  readonly article: string;
  /** Undefined when the resource does not exist. */
  readonly metric: (watched: Watched) => IMetric | undefined;
  /** The alarm is raised by values above this one. */
  readonly threshold: number;
  /** Number of periods (five minutes each) that must be above the threshold, of the number that is evaluated. */
  readonly periods: readonly [toAlarm: number, of: number];
}

const period = Duration.minutes(5);

/**
 * The calls that requests wait for: reads of a credential or an object, queries of lists, and transactions for changes.
 */
const operations = ['GetItem', 'Query', 'TransactWriteItems'] as const;

type Operation = (typeof operations)[number];

// DynamoDB counts throttles and errors by operation. An alarm on their sum would need metric math; separate alarms also
// state which part of the service is affected.
function tableMetric(metricName: 'ThrottledRequests' | 'SystemErrors', { tableName }: TableV2, operation: Operation) {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName, Operation: operation },
    statistic: Stats.SUM,
    period,
  });
}

/** All error metrics of the table, for the dashboard. */
export function tableTroubles(table: TableV2): IMetric[] {
  return operations.flatMap((operation) =>
    (['ThrottledRequests', 'SystemErrors'] as const).map((name) =>
      tableMetric(name, table, operation).with({ label: `${operation} ${name}` }),
    ),
  );
}

const THROTTLED = 'is slow, and fails with 503 if this persists, because the table is throttled.';
const FAILED = 'is slow, and fails with 503 if retries do not help, because DynamoDB returns errors.';

function tableAlarms(
  name: string,
  operation: Operation,
  what: string,
): readonly [throttled: AlarmDefinition, failing: AlarmDefinition] {
  return [
    {
      id: `${name}AreThrottled`,
      means: `${what} ${THROTTLED}`,
      article: 'The table throttles',
      metric: ({ table }) => tableMetric('ThrottledRequests', table, operation),
      threshold: 10,
      periods: [2, 3],
    },
    {
      id: `${name}Fail`,
      means: `${what} ${FAILED}`,
      article: 'DynamoDB has errors',
      metric: ({ table }) => tableMetric('SystemErrors', table, operation),
      threshold: 5,
      periods: [2, 3],
    },
  ];
}

export const alarms: readonly AlarmDefinition[] = [
  {
    id: 'RequestsFail',
    means: 'More than 5 % of the requests fail with 500, 503 or 504. Clients that do not retry lose these requests.',
    article: 'Requests fail',
    metric: ({ api }) => api.metricServerError({ statistic: Stats.AVERAGE, period }),
    threshold: 0.05,
    periods: [2, 3],
  },
  {
    id: 'RequestsAreSlow',
    means: 'One percent of the requests take longer than three seconds. Consoles and pipelines are slow.',
    article: 'Requests are slow',
    metric: ({ api }) => api.metricLatency({ statistic: Stats.p(99), period }),
    threshold: 3000,
    periods: [3, 3],
  },
  {
    id: 'RequestsAreThrottled',
    means:
      'Requests are refused with 429 because their rate exceeds the throttling limits of the service. Clients have to wait and retry.',
    article: 'Requests are throttled',
    metric: ({ status }) => status(429),
    threshold: 10,
    periods: [2, 3],
  },
  {
    id: 'AuthorizerFails',
    means: 'Callers whose credentials are not in the cache are refused with 503.',
    article: 'The authorizer fails',
    metric: ({ authorizer }) => authorizer.metricErrors({ statistic: Stats.SUM, period }),
    threshold: 0,
    periods: [2, 3],
  },
  {
    id: 'ChangesAreNotPublished',
    means: 'Subscribers to events of the inventory have missed changes. The change feed contains them.',
    article: 'Changes are not published',
    metric: ({ lost }) => lost?.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period }),
    threshold: 0,
    periods: [1, 1],
  },
  {
    id: 'CleanupStands',
    means:
      'Silent ephemeral nodes are not removed: the scheduled cleanup fails, or the removals exceed its safety threshold.',
    article: 'The cleanup stands',
    metric: ({ cleanup }) => cleanup?.metricErrors({ statistic: Stats.SUM, period }),
    threshold: 0,
    periods: [1, 1],
  },
  {
    id: 'ReconciliationsAreStuck',
    means:
      'A reconciliation with the status 202, or a forced removal in several steps, is not continued. Repeating the request continues it.',
    article: 'Jobs are stuck',
    metric: ({ stuck }) => stuck.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period }),
    threshold: 0,
    periods: [1, 1],
  },
  ...tableAlarms('Reads', 'GetItem', 'Authenticating a request or getting one object'),
  ...tableAlarms('Lists', 'Query', 'Listing objects'),
  ...tableAlarms('Writes', 'TransactWriteItems', 'Adding, changing or removing an object'),
];

/** The anchor that GitHub and others generate for the heading of an article. */
export function anchorOf(article: string): string {
  return article.toLowerCase().replaceAll(' ', '-');
}

export function descriptionOf({ means, article }: AlarmDefinition): string {
  return `${means} What to do: docs/runbook.md#${anchorOf(article)}`;
}
