import { findingsOf } from './findings.ts';
import type { Attention } from './links.ts';

const finding = (reason: Attention['reason'], kind: Attention['kind'], count = 1): Attention => ({
  ...{ reason, kind, count, examples: [] },
});

const textsOf = (attention: readonly Attention[], zones: Parameters<typeof findingsOf>[0]['zones'] = []) =>
  findingsOf({ attention: [...attention], zones }).map(({ main, effects }) => [
    `${main.reason} ${main.kind}`,
    ...effects.map(({ reason, kind }) => `${reason} ${kind}`),
  ]);

test('services of silent nodes are below the nodes, each with those of the same state', () => {
  expect(
    textsOf([
      finding('offline', 'node'),
      finding('offline', 'service'),
      finding('stale', 'node'),
      finding('stale', 'service'),
      finding('waiting', 'agent'),
    ]),
  ).toEqual([['offline node', 'offline service'], ['stale node', 'stale service'], ['waiting agent']]);
});

test('services are a finding of their own without a node in the same state', () => {
  expect(textsOf([finding('stale', 'node'), finding('offline', 'service')])).toEqual([
    ['stale node'],
    ['offline service'],
  ]);
});

test('silent nodes are counted by region, the most first; other findings have no regions', () => {
  const zones = [
    { region: 'eu', az: 'a', by_state: { offline: 1, live: 5 } },
    { region: 'us', by_state: { offline: 3 } },
    { region: 'eu', az: 'b', by_state: { offline: 1, stale: 1 } },
    { region: 'ap', by_state: { live: 9 } },
  ];
  const [nodes, agents] = findingsOf({
    attention: [finding('offline', 'node', 5), finding('waiting', 'agent')],
    zones,
  });
  expect(nodes?.regions).toEqual([
    { region: 'us', count: 3, state: 'offline' },
    { region: 'eu', count: 2, state: 'offline' },
  ]);
  expect(agents?.regions).toEqual([]);
});
