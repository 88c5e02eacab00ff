import { type StateCounts, sumsOf, totalOf, worstFirst } from '../model/health.ts';
import type { Summary } from './links.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';

/** The hosts of one zone; without `az` those of the region that have no zone. */
export type HostZone = Summary['zones'][number];

export interface HostRegion {
  region: string;
  counts: StateCounts;
  zones: readonly HostZone[];
}

/** The number of hosts that have ever been seen and are silent now. */
const silentOf = ({ offline = 0, stale = 0 }: StateCounts): number => offline + stale;

/** The regions with the most silent hosts first, then the largest; their zones by name. */
export function hostRegionsOf(zones: Summary['zones']): HostRegion[] {
  return [...Map.groupBy(zones, ({ region }) => region)]
    .map(([region, own]) => ({
      region,
      counts: sumsOf(own.map(({ by_state: counts }) => counts)),
      zones: own.toSorted((left, right) => byNumbers(left.az ?? '', right.az ?? '')),
    }))
    .toSorted(
      (left, right) =>
        silentOf(right.counts) - silentOf(left.counts) ||
        totalOf(right.counts) - totalOf(left.counts) ||
        byNumbers(left.region, right.region),
    );
}

/** The hosts without a region: all others are in a zone. */
export function hostsWithoutRegion({ nodes: { by_state: all }, zones }: Pick<Summary, 'nodes' | 'zones'>): StateCounts {
  const placed = sumsOf(zones.map(({ by_state: counts }) => counts));
  return sumsOf([
    Object.fromEntries(worstFirst.map((state) => [state, Math.max(0, (all[state] ?? 0) - (placed[state] ?? 0))])),
  ]);
}

/** Squares that are drawn for one zone; one stands for several hosts if the zone has more. */
export const MAX_SQUARES = 1000;

/** The squares of a zone, the worst state first, and the number of hosts of each square. */
export function squaresOf(counts: StateCounts): { perSquare: number; states: readonly (typeof worstFirst)[number][] } {
  const perSquare = Math.max(1, Math.ceil(totalOf(counts) / MAX_SQUARES));
  // A single host that is not well has a square as well.
  const states = worstFirst.flatMap((state) =>
    Array.from({ length: Math.ceil((counts[state] ?? 0) / perSquare) }, () => state),
  );
  return { perSquare, states };
}
