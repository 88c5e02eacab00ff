import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { discoverTargets } from '../../functions/api/endpoint-table.ts';
import { CLEANUP_MINUTES } from '../../functions/domain/records/cleanup.ts';
import { STATE_EVENTS_MINUTES } from '../../functions/domain/records/state-events.ts';
import { indexes } from '../../functions/store/table/keys.ts';
import type { AgentGateway } from '../agents/agent-gateway.ts';
import type { ReportApi } from '../gateway/report-api.ts';

/** The resources that alarms watch. */
export interface AlarmResources {
  /** Undefined without the agent gateway. */
  readonly agents: AgentGateway | undefined;
  readonly api: RestApiBase;
  /** Undefined without an API for reports. */
  readonly reports: ReportApi | undefined;
  /** Whether the capacity of the table is provisioned. */
  readonly isProvisioned: boolean;
  readonly authorizer: IFunction;
  readonly table: TableV2;
  /** The queue of changes that could not be published; undefined when changes are not published. */
  readonly lost: Queue | undefined;
  /** The function of the scheduled cleanup; undefined when it is disabled. */
  readonly cleanup: IFunction | undefined;
  /** The function that publishes changes of states; undefined when it is disabled. */
  readonly stateEvents: IFunction | undefined;
  /** The function that publishes changes; undefined when changes are not published. */
  readonly publisher: IFunction | undefined;
  /** The function that continues jobs. */
  readonly worker: IFunction;
  /** The queue of jobs that made no progress for hours. */
  readonly stuck: Queue;
  /** The log-ins of the account `admin`; undefined unless it is for emergencies. */
  readonly emergencies: IMetric | undefined;
  /** Whether the absence of requests raises an alarm. */
  readonly silenceAlarm: boolean;
  /** Number of requests with this status; no data while there is none. */
  readonly status: (status: number) => IMetric;
  /** Number of requests for which Lambda started no function; no data while there is none. */
  readonly throttled: IMetric;
  /** Milliseconds of the requests in the access log, without those to this path. */
  readonly latencyWithout: (path: string) => Metric;
}

/** One symptom that users notice, and the values of a metric that raise its alarm. */
export interface AlarmRule {
  readonly id: string;
  /** The effect on users while it lasts. */
  readonly means: string;
  /** Heading of the article in docs/runbook.md. */
  readonly article: string;
  /** The alarm is raised by values above this one, or, if `isMinimum`, by lower values and by none. */
  readonly threshold: number;
  readonly isMinimum?: true;
  /** Whether the metric has a value in each period, so that none in all of them is a symptom too. */
  readonly isRegular?: true;
  /** Number of periods that must be above the threshold, of the number that is evaluated. */
  readonly periods: readonly [toAlarm: number, of: number];
}

/** An alarm of one inventory. */
export interface AlarmDefinition extends AlarmRule {
  /** Undefined when the resource does not exist, or the alarm is not wanted. */
  readonly metric: (watched: AlarmResources) => IMetric | undefined;
}

const period = Duration.minutes(5);

/**
 * The calls that requests wait for: reads of credentials and objects, queries of lists, counts and reports, and
 * transactions for changes.
 */
const operations = ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'TransactWriteItems'] as const;

type Operation = (typeof operations)[number];

/** Those whose throttles are counted by operation. */
const throttledWrites = ['UpdateItem', 'TransactWriteItems'] as const satisfies readonly Operation[];

/** The number of events of the table, of an operation or of an index. */
const tableMetric = (
  metricName: 'ThrottledRequests' | 'SystemErrors' | 'ReadThrottleEvents' | 'WriteThrottleEvents',
  { tableName }: TableV2,
  of: { Operation?: Operation; GlobalSecondaryIndexName?: string } = {},
) =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName, ...of },
    statistic: Stats.SUM,
    period,
  });

// DynamoDB counts throttles and errors by operation. An alarm on their sum would need metric math; separate alarms also
// state which part of the service is affected.
const throttles = (table: TableV2, Operation: Operation) => tableMetric('ThrottledRequests', table, { Operation });
const errors = (table: TableV2, Operation: Operation) => tableMetric('SystemErrors', table, { Operation });

/**
 * Reads that the table, or an index of it, refused. In a batch, ThrottledRequests counts only when every item was
 * refused; this metric counts each one.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
const readThrottles = (table: TableV2, index?: string) =>
  tableMetric('ReadThrottleEvents', table, index === undefined ? {} : { GlobalSecondaryIndexName: index });

/** All error metrics of the table, for the dashboard. */
export function tableTroubles(table: TableV2): IMetric[] {
  return [
    readThrottles(table).with({ label: 'ReadThrottleEvents' }),
    ...Object.values(indexes).map(({ name }) =>
      readThrottles(table, name).with({ label: `ReadThrottleEvents of ${name}` }),
    ),
    ...throttledWrites.map((name) => throttles(table, name).with({ label: `${name} ThrottledRequests` })),
    ...operations.map((name) => errors(table, name).with({ label: `${name} SystemErrors` })),
  ];
}

const THROTTLED = 'is slow, and fails with 503 if this persists, because the table is throttled.';
const FAILED = 'is slow, and fails with 503 if retries do not help, because DynamoDB returns errors.';

function throttled(name: string, what: string, metric: (table: TableV2) => IMetric): AlarmDefinition {
  return {
    id: `${name}AreThrottled`,
    means: `${what} ${THROTTLED}`,
    article: 'The table throttles',
    metric: ({ table }) => metric(table),
    threshold: 10,
    periods: [2, 3],
  };
}

function failing(name: string, what: string, operation: Operation): AlarmDefinition {
  return {
    id: `${name}Fail`,
    means: `${what} ${FAILED}`,
    article: 'DynamoDB has errors',
    metric: ({ table }) => errors(table, operation),
    threshold: 5,
    periods: [2, 3],
  };
}

/** The age of the last item of the stream that a function has received. */
const iteratorAge = (reader: IFunction | undefined) =>
  reader?.metric('IteratorAge', { statistic: Stats.MAXIMUM, period });

const MINUTE_MS = 60_000;

/** The functions of this service alone: the metric of Lambda without a function counts those of the whole account. */
export const throttledFunctions = {
  id: 'FunctionsAreThrottled',
  means:
    'Lambda refuses to start functions for requests because the concurrency of the account is used up, by this service or another one. These requests fail.',
  article: 'The concurrency is used up',
  threshold: 10,
  periods: [2, 3],
} as const satisfies AlarmRule;

const CHANGING = 'Adding, changing or removing an object';

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
    id: 'ReportsFail',
    means: 'More than 5 % of the reports of hosts fail with 500, 503 or 504. Hosts become stale if this persists.',
    article: 'Requests fail',
    metric: ({ reports }) => reports?.metric('5xx', { statistic: Stats.AVERAGE, period }),
    threshold: 0.05,
    periods: [2, 3],
  },
  {
    // A part of discovery takes seconds by design, and few other requests may arrive beside it.
    id: 'RequestsAreSlow',
    means:
      'One percent of the requests, without those of discovery, take longer than three seconds. Consoles and pipelines are slow.',
    article: 'Requests are slow',
    metric: ({ latencyWithout }) => latencyWithout(discoverTargets.path).with({ statistic: Stats.p(99), period }),
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
    id: 'EventsAreLate',
    means: 'Subscribers to events of the inventory receive changes more than ten minutes late.',
    article: 'The stream is read late',
    metric: ({ publisher }) => iteratorAge(publisher),
    threshold: 10 * MINUTE_MS,
    periods: [2, 3],
  },
  {
    // A job may take 15 minutes, and the next one of its shard waits for it.
    id: 'JobsAreLate',
    means: 'Reconciliations with the status 202 and forced removals in several steps wait for more than half an hour.',
    article: 'The stream is read late',
    metric: ({ worker }) => iteratorAge(worker),
    threshold: 30 * MINUTE_MS,
    periods: [2, 3],
  },
  { ...throttledFunctions, metric: ({ throttled }) => throttled },
  {
    id: 'NoRequestsArrive',
    means: 'No request has arrived for an hour. The hosts do not report, or cannot reach the service.',
    article: 'No requests arrive',
    metric: ({ api, reports, silenceAlarm }) => {
      const of = { statistic: Stats.SUM, period };
      return silenceAlarm ? (reports?.metric('Count', of) ?? api.metricCount(of)) : undefined;
    },
    threshold: 1,
    isMinimum: true,
    periods: [12, 12],
  },
  {
    id: 'CleanupStands',
    means:
      'Silent ephemeral nodes are not removed: the scheduled cleanup fails or does not start, or the removals exceed its safety threshold.',
    article: 'The cleanup stands',
    metric: ({ cleanup }) => cleanup?.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(CLEANUP_MINUTES) }),
    threshold: 0,
    isRegular: true,
    periods: [1, 3],
  },
  {
    id: 'StatesAreNotPublished',
    means: 'Nodes that become stale, offline or live again are not published, or later than usual.',
    article: 'States are not published',
    metric: ({ stateEvents }) =>
      stateEvents?.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(STATE_EVENTS_MINUTES) }),
    threshold: 0,
    isRegular: true,
    periods: [2, 3],
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
  {
    id: 'AgentsHaveNoGateway',
    means: 'No container of the agent gateway accepts connections. Agents run on as they are, and try to connect.',
    article: 'No container serves agents',
    metric: ({ agents }) => agents?.healthyTasks,
    threshold: 1,
    isMinimum: true,
    periods: [3, 3],
  },
  {
    id: 'AgentContainersAreUnhealthy',
    means:
      'A container of the agent gateway fails its health check or does not start, so fewer than wanted serve agents.',
    article: 'A container of agents is not ready',
    metric: ({ agents }) => agents?.unhealthyTasks,
    threshold: 0,
    periods: [3, 3],
  },
  {
    id: 'AgentContainersAreFull',
    means: 'A container of the agent gateway uses most of its memory. Without memory it ends, with all of its streams.',
    article: 'A container of agents is full',
    metric: ({ agents }) => agents?.memory,
    threshold: 85,
    periods: [2, 3],
  },
  {
    // It is replaced after 30 days, with an attempt in every hour.
    id: 'AgentKeyIsOld',
    means: 'The key of the agent gateway was not rotated for 32 days. Once it ends, no agent can connect.',
    article: 'The key of the gateway is old',
    metric: ({ agents }) => agents?.metric('keyAge', Stats.MINIMUM),
    threshold: 32 * 86_400,
    periods: [3, 3],
  },
  {
    id: 'AgentsDisconnect',
    means:
      'A container lost a fifth of its agents within five minutes. Those that returned to another one are connected.',
    article: 'Agents lose their connections',
    metric: ({ agents }) => agents?.metric('fall', Stats.MAXIMUM),
    threshold: 20,
    periods: [1, 1],
  },
  {
    id: 'AgentsAreLate',
    means: 'Agents learn of changes of the inventory more than a minute late.',
    article: 'Agents learn of changes late',
    metric: ({ agents }) => agents?.metric('feedAge', Stats.MAXIMUM),
    threshold: 60,
    periods: [2, 3],
  },
  {
    id: 'AgentsAreRefused',
    means: 'Many agents are refused when they connect: for wrong keys, or because too many return at once.',
    article: 'Agents are refused',
    metric: ({ agents }) => agents?.metric('refused', Stats.SUM),
    threshold: 100,
    periods: [3, 3],
  },
  {
    id: 'AdminLogsIn',
    means: 'Somebody logged in with the account admin, which is for emergencies, within the last minutes.',
    article: 'The account admin was used',
    metric: ({ emergencies }) => emergencies,
    threshold: 0,
    periods: [1, 1],
  },
  throttled('Reads', 'Authenticating a request, or getting or listing objects,', (table) => readThrottles(table)),
  throttled('ListsByName', 'Listing objects', (table) => readThrottles(table, indexes.byName.name)),
  throttled('ListsByType', 'Listing objects of a type', (table) => readThrottles(table, indexes.byType.name)),
  throttled('Writes', CHANGING, (table) => throttles(table, 'TransactWriteItems')),
  throttled('Updates', 'Reporting, or counting the requests of a key,', (table) => throttles(table, 'UpdateItem')),
  {
    id: 'CapacityIsUsedUp',
    means: 'Writes wait, or fail with 503, because they exceed the provisioned capacity of the table.',
    article: 'The table throttles',
    // Writes of every kind that the table refused, also because an index refused them.
    metric: ({ table, isProvisioned }) => (isProvisioned ? tableMetric('WriteThrottleEvents', table) : undefined),
    threshold: 10,
    periods: [2, 3],
  },
  failing('Reads', 'Authenticating a request or getting one object', 'GetItem'),
  failing('Lists', 'Listing objects', 'Query'),
  failing('Writes', CHANGING, 'TransactWriteItems'),
];

/** The anchor that GitHub and others generate for the heading of an article. */
function anchorOf(article: string): string {
  return article.toLowerCase().replaceAll(' ', '-');
}

/** @param siteUrl where the site serves the documents, without a final slash. */
export function descriptionOf({ means, article }: AlarmRule, siteUrl: string): string {
  return `${means} What to do: ${siteUrl}/docs/runbook.html#${anchorOf(article)}`;
}
