import type { State } from '../../domain/fields/liveness.ts';
import { MAX_EXAMPLES } from '../../domain/records/summary.ts';
import { clusterFindings, type Lifeless, LifelessClusters, lifelessSchema } from './lifeless-clusters.ts';

type CountedService = [name: string, state: State, more?: { isSilenced?: boolean }];

/** The clusters after these services, which follow those of an earlier part. */
function countedAfter(lifeless: Lifeless, seen: Set<string>, ...services: CountedService[]): Lifeless {
  const clusters = new LifelessClusters(lifeless);
  for (const [name, state, { isSilenced = false } = {}] of services) {
    clusters.add({ digest: `digest of ${name}`, name }, { state, isSilenced, isFirst: !seen.has(name) });
    seen.add(name);
  }
  return lifelessSchema.parse(JSON.parse(JSON.stringify(clusters.result())));
}

const counted = (...services: CountedService[]) => countedAfter({}, new Set(), ...services);
const namesOf = (lifeless: Lifeless) =>
  clusterFindings(lifeless).flatMap(({ examples }) => examples.map(({ id }) => id));

test('a cluster with a live service is never lifeless, whichever service is counted first', () => {
  const services: CountedService[] = [
    ['shop', 'offline'],
    ['shop', 'live'],
    ['shop', 'stale'],
  ];
  for (const order of [services, [...services].reverse(), [services[1]!, services[0]!, services[2]!]])
    expect(counted(...order)).toEqual({});
});

test('a cluster needs attention if one of its services is silent without being silenced', () => {
  const lifeless = counted(
    ['gone', 'never_seen'],
    ['gone', 'offline'],
    ['gone', 'never_seen'],
    ['slow', 'stale'],
    ['planned', 'never_seen'],
    ['quiet', 'offline', { isSilenced: true }],
  );
  expect(Object.keys(lifeless)).toHaveLength(4);
  expect(clusterFindings(lifeless)).toMatchObject([{ reason: 'no_live_member', kind: 'cluster', count: 2 }]);
  expect(namesOf(lifeless)).toEqual(['gone', 'slow']);
});

test('no finding follows from clusters that need no attention', () => {
  expect(clusterFindings({})).toEqual([]);
  expect(clusterFindings(counted(['planned', 'never_seen']))).toEqual([]);
});

test('a later part of a count removes a cluster with a live service, and does not bring it back', () => {
  const seen = new Set<string>();
  const first = countedAfter({}, seen, ['shop', 'offline'], ['bank', 'offline']);
  const second = countedAfter(first, seen, ['shop', 'live']);
  expect(namesOf(countedAfter(second, seen, ['shop', 'offline'], ['bank', 'offline']))).toEqual(['bank']);
});

test('counts all clusters, and stores a bounded number of names', () => {
  const services = Array.from({ length: 500 }, (_, index): CountedService => [`cluster-${index}`, 'offline']);
  const lifeless = counted(...services, ...services);
  expect(Object.values(lifeless).filter(([name]) => name !== '')).toHaveLength(50);
  const [finding] = clusterFindings(lifeless);
  expect([finding!.count, finding!.examples.length]).toEqual([500, MAX_EXAMPLES]);
});

test('a count that an older version began has no lifeless clusters', () => {
  expect(lifelessSchema.parse(undefined)).toEqual({});
});
