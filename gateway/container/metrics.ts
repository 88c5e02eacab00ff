import type { GatewayNumbers } from '../relay/gateway-options.ts';

/** The metrics of a gateway: name and unit. */
export const metrics = {
  streams: { name: 'Streams', unit: 'Count' },
  refused: { name: 'RefusedAdmissions', unit: 'Count' },
  feedAge: { name: 'FeedAge', unit: 'Seconds' },
  /** Streams fewer than five minutes before, in percent. */
  fall: { name: 'StreamsFall', unit: 'Percent' },
  /** Since the key of the gateway was stored. */
  keyAge: { name: 'KeyAge', unit: 'Seconds' },
} as const;

/** The age of a feed that was never read: above every threshold. */
const NEVER_SECONDS = 3600;

/** The values of a gateway since the line before. */
export interface MetricValues extends Pick<GatewayNumbers, 'streams' | 'feedAgeMs' | 'refused'> {
  /** Of the last minutes, the oldest first. */
  before: readonly number[];
  /** Undefined: the key has no store, or was never read. */
  keyAgeMs: number | undefined;
}

/** A fall of few streams is no symptom: some hosts that restart. */
const LEAST_STREAMS = 20;

/** By how many percent the number of streams is lower than at any time before. */
function fallOf({ streams, before }: Pick<MetricValues, 'streams' | 'before'>): number {
  const most = Math.max(streams, ...before);
  return most < LEAST_STREAMS ? 0 : Math.round((100 * (most - streams)) / most);
}

/**
 * A line of the log that CloudWatch also stores as metrics (embedded metric format), so that the program needs no right to
 * store metrics.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricsLine(namespace: string, values: MetricValues, now: Date): string {
  const { streams, feedAgeMs, refused, keyAgeMs } = values;
  const shown = {
    [metrics.streams.name]: streams,
    [metrics.refused.name]: refused,
    [metrics.feedAge.name]: feedAgeMs === undefined ? NEVER_SECONDS : Math.round(feedAgeMs / 1000),
    [metrics.fall.name]: fallOf(values),
    ...(keyAgeMs === undefined ? {} : { [metrics.keyAge.name]: Math.round(keyAgeMs / 1000) }),
  };
  const printed = Object.values(metrics).filter(({ name }) => name in shown);
  const Metrics = printed.map(({ name: Name, unit: Unit }) => ({ Name, Unit }));
  const directive = { Namespace: namespace, Dimensions: [[]], Metrics };
  return `${JSON.stringify({ _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [directive] }, ...shown })}\n`;
}
