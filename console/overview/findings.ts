import type { State } from '../../functions/domain/fields/liveness.ts';
import { hostRegionsOf } from './host-regions.ts';
import type { Attention, Summary } from './links.ts';

/** A finding, with the findings that have the same cause. */
export interface Finding {
  main: Attention;
  /** The services on silent nodes: they are silent because of these. */
  effects: readonly Attention[];
  /** The regions with most of the objects; empty if they are unknown. */
  regions: readonly { region: string; count: number; state: State }[];
}

/** Regions that are named. */
const MAX_REGIONS = 3;

/** Findings that a node passes on to its services. */
const silences: readonly Attention['reason'][] = ['offline', 'stale'];

const stateOf = ({ reason }: Attention): State | undefined =>
  reason === 'offline' || reason === 'stale' ? reason : undefined;

function regionsOf(finding: Attention, zones: Summary['zones']): Finding['regions'] {
  const state = stateOf(finding);
  if (state === undefined || finding.kind !== 'node') return [];
  return hostRegionsOf(zones)
    .map(({ region, counts }) => ({ region, count: counts[state] ?? 0, state }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count)
    .slice(0, MAX_REGIONS);
}

/** The findings with those of one cause together, in the order of the summary. */
export function findingsOf({ attention, zones }: Pick<Summary, 'attention' | 'zones'>): Finding[] {
  const isEffect = ({ reason, kind }: Attention) =>
    kind === 'service' &&
    silences.includes(reason) &&
    attention.some((other) => other.reason === reason && other.kind === 'node');
  return attention
    .filter((finding) => !isEffect(finding))
    .map((main) => ({
      main,
      effects: main.kind === 'node' ? attention.filter((one) => isEffect(one) && one.reason === main.reason) : [],
      regions: regionsOf(main, zones),
    }));
}
