import type { GatewayNumbers } from '../relay/agent-gateway.ts';

/** The metrics of a gateway: name and unit. */
export const metrics = {
  streams: { name: 'Streams', unit: 'Count' },
  refused: { name: 'RefusedAdmissions', unit: 'Count' },
  feedAge: { name: 'FeedAge', unit: 'Seconds' },
} as const;

/** The age of a feed that was never read: above every threshold. */
const NEVER_SECONDS = 3600;

/**
 * A line of the log that CloudWatch also stores as metrics (embedded metric format), so that the program needs no right to
 * store metrics.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * @param refused admissions since the line before.
 */
export function metricsLine(
  namespace: string,
  { streams, feedAgeMs }: Pick<GatewayNumbers, 'streams' | 'feedAgeMs'>,
  refused: number,
  now: Date,
): string {
  const values = {
    [metrics.streams.name]: streams,
    [metrics.refused.name]: refused,
    [metrics.feedAge.name]: feedAgeMs === undefined ? NEVER_SECONDS : Math.round(feedAgeMs / 1000),
  };
  const Metrics = Object.values(metrics).map(({ name: Name, unit: Unit }) => ({ Name, Unit }));
  const directive = { Namespace: namespace, Dimensions: [[]], Metrics };
  return `${JSON.stringify({ _aws: { Timestamp: now.getTime(), CloudWatchMetrics: [directive] }, ...values })}\n`;
}
