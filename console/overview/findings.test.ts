import { findingsOf } from './findings.ts';
import type { Attention } from './links.ts';

const finding = (reason: Attention['reason'], kind: Attention['kind'], count = 1): Attention => ({
  ...{ reason, kind, count, examples: [] },
});

const textsOf = (attention: readonly Attention[]) =>
  findingsOf(attention).map(({ main, effects }) => [
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
