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
  const line = metricsLine('inventory', { streams: 7, feedAgeMs: 2600 }, 3, new Date(1000));
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
          ],
        },
      ],
    },
    Streams: 7,
    RefusedAdmissions: 3,
    FeedAge: 3,
  });
  expect(JSON.parse(metricsLine('n', { streams: 0, feedAgeMs: undefined }, 0, new Date()))).toMatchObject({
    FeedAge: 3600,
  });
});
