import { hostRegionsOf, hostsWithoutRegion, MAX_SQUARES, squaresOf } from './host-regions.ts';

const zones = [
  { region: 'eu', az: 'eu-b', by_state: { live: 3 } },
  { region: 'us', az: 'us-a', by_state: { live: 1, offline: 2 } },
  { region: 'eu', az: 'eu-a', by_state: { live: 4, never_seen: 5 } },
  { region: 'eu', by_state: { stale: 1 } },
];

test('regions with silent hosts are first, and zones sorted by name', () => {
  expect(hostRegionsOf(zones)).toEqual([
    { region: 'us', counts: { live: 1, offline: 2 }, zones: [zones[1]] },
    { region: 'eu', counts: { live: 7, never_seen: 5, stale: 1 }, zones: [zones[3], zones[2], zones[0]] },
  ]);
});

test('hosts without a region are those outside every zone', () => {
  const nodes = { total: 20, silenced: 0, by_state: { live: 10, offline: 2, never_seen: 6, stale: 1 }, by_type: {} };
  expect(hostsWithoutRegion({ nodes, zones })).toEqual({ live: 2, never_seen: 1 });
});

test('a square is a host, in a very large zone several, and one silent host still has its own', () => {
  expect(squaresOf({ live: 2, offline: 1 })).toEqual({ perSquare: 1, states: ['offline', 'live', 'live'] });
  const { perSquare, states } = squaresOf({ live: 3 * MAX_SQUARES - 1, stale: 1 });
  expect(perSquare).toBe(3);
  expect(states[0]).toBe('stale');
  expect(states.length).toBe(MAX_SQUARES + 1);
});
