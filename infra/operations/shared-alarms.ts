import { FilterPattern, type IFilterPattern } from 'aws-cdk-lib/aws-logs';
import { discoverTargets } from '../../functions/api/endpoint-table.ts';
import { EMERGENCY_LOG_IN } from '../../functions/domain/access/admin-account.ts';
import { fieldOf } from '../gateway/access-log.ts';
import { type AlarmRule, throttledFunctions } from './alarms.ts';
import { functionIsThrottled, whereStatus } from './log-patterns.ts';

/** An alarm of several inventories together: on a count of lines in the logs of all of them. */
export interface SharedAlarm extends AlarmRule {
  readonly log: 'access' | 'functions';
  /** The lines that are counted. */
  readonly pattern: IFilterPattern;
  readonly periodMinutes: number;
}

const SLOW_MS = 3000;

/**
 * An alarm on a metric of each inventory would cost its price for each of them, also by metric math. The filters of all
 * inventories add to one metric instead. They count, because a share would hide the failures of a small inventory among
 * the requests of a large one.
 */
export const sharedAlarms: readonly SharedAlarm[] = [
  {
    id: 'RequestsFail',
    means:
      'More than 10 requests in five minutes fail with 500, 503 or 504, of all inventories together. Clients that do not retry lose these requests.',
    article: 'Requests fail',
    log: 'access',
    pattern: whereStatus('status', '5*'),
    periodMinutes: 5,
    threshold: 10,
    periods: [2, 3],
  },
  {
    id: 'RequestsAreSlow',
    means:
      'More than 50 requests in five minutes, without those of discovery, take longer than three seconds. Consoles and pipelines are slow.',
    article: 'Requests are slow',
    log: 'access',
    pattern: FilterPattern.all(
      FilterPattern.stringValue(fieldOf('route'), '!=', discoverTargets.path),
      FilterPattern.numberValue(fieldOf('latency_ms'), '>', SLOW_MS),
    ),
    periodMinutes: 5,
    threshold: 50,
    periods: [3, 3],
  },
  {
    id: 'RequestsAreThrottled',
    means:
      'Requests are refused with 429 because their rate exceeds the throttling limits of the service. Clients have to wait and retry.',
    article: 'Requests are throttled',
    log: 'access',
    pattern: whereStatus('status', '429'),
    periodMinutes: 5,
    threshold: 10,
    periods: [2, 3],
  },
  { ...throttledFunctions, log: 'access', pattern: functionIsThrottled, periodMinutes: 5 },
  {
    // Functions for requests handle their errors. Lambda itself writes this level for an error that a function throws:
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
    id: 'BackgroundWorkFails',
    means:
      'Functions without a request have failed in two of three hours: changes or states are not published, the scheduled cleanup stands, or a job is not continued.',
    article: 'Background work fails',
    log: 'functions',
    pattern: FilterPattern.stringValue('$.level', '=', 'ERROR'),
    periodMinutes: 60,
    threshold: 0,
    periods: [2, 3],
  },
  {
    id: 'AdminLogsIn',
    means: 'Somebody logged in with the account admin, which is for emergencies, within the last minutes.',
    article: 'The account admin was used',
    log: 'functions',
    pattern: FilterPattern.stringValue('$.message', '=', EMERGENCY_LOG_IN),
    periodMinutes: 5,
    threshold: 0,
    periods: [1, 1],
  },
];
