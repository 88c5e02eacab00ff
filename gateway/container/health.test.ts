import { type Health, healthOf } from './health.ts';
import { metricsLine } from './metrics.ts';

const state = (more: Partial<Health>): Health => ({
  isDraining: () => false,
  lacksKey: () => false,
  feedAgeMs: () => 3000,
  drain: () => undefined,
  ...more,
});

test('is ready while the change feed is followed, and before a key is stored; not while it drains', () => {
  expect(healthOf(state({})).status).toBe(200);
  expect(healthOf(state({ feedAgeMs: () => 60_001 })).status).toBe(503);
  expect(healthOf(state({ feedAgeMs: () => undefined })).status).toBe(503);
  expect(healthOf(state({ feedAgeMs: () => undefined, lacksKey: () => true })).status).toBe(200);
  expect(healthOf(state({ isDraining: () => true })).status).toBe(503);
});

test('metrics are one line that names each of them', () => {
  const line = metricsLine(
    'inventory',
    { streams: 70, feedAgeMs: 2600, refused: 3, before: [80, 100], keyAgeMs: 86_400_400 },
    new Date(1000),
  );
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
  const few = { streams: 1, feedAgeMs: undefined, refused: 0, before: [9], keyAgeMs: undefined };
  const printed = metricsLine('n', few, new Date(1000));
  expect(JSON.parse(printed)).toMatchObject({ FeedAge: 3600, StreamsFall: 0 });
  expect(printed).not.toContain('KeyAge');
});
