import { metricsLine, type MetricValues } from './metrics.ts';

const lineOf = (more: Partial<MetricValues> = {}, namespace = 'inventory') =>
  metricsLine(
    namespace,
    { streams: 70, feedAgeMs: 2600, refused: 3, before: [80, 100], keyAgeMs: 86_400_400, ...more },
    new Date(1000),
  );

const fallOf = (streams: number, ...before: readonly number[]): number =>
  JSON.parse(lineOf({ streams, before })).StreamsFall;

test('metrics are one line with all names', () => {
  const line = lineOf();
  expect(line.endsWith('}\n')).toBe(true);
  expect(JSON.parse(line)).toEqual({
    _aws: {
      Timestamp: 1000,
      CloudWatchMetrics: [
        {
          Namespace: 'inventory',
          Dimensions: [[]],
          Metrics: [
            { Name: 'Streams', Unit: 'Count' },
            { Name: 'RefusedAdmissions', Unit: 'Count' },
            { Name: 'FeedAge', Unit: 'Seconds' },
            { Name: 'StreamsFall', Unit: 'Percent' },
            { Name: 'KeyAge', Unit: 'Seconds' },
          ],
        },
      ],
    },
    Streams: 70,
    RefusedAdmissions: 3,
    FeedAge: 3,
    StreamsFall: 30,
    KeyAge: 86_400,
  });
});

test('an unread feed is an hour old, and a key without an age has no metric', () => {
  const printed = lineOf({ feedAgeMs: undefined, keyAgeMs: undefined });
  expect(JSON.parse(printed)).toMatchObject({ FeedAge: 3600 });
  expect(printed).not.toContain('KeyAge');
});

test('the loss is the share of the recent maximum, from twenty streams on', () => {
  expect([fallOf(10, 20), fallOf(10, 19), fallOf(0, 5, 40, 10)]).toEqual([50, 0, 100]);
  // More streams than before are no fall.
  expect([fallOf(30, 20), fallOf(20), fallOf(1, 9)]).toEqual([0, 0, 0]);
});
