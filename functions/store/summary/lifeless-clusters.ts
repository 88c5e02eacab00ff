import * as z from 'zod/mini';
import type { State } from '../../domain/fields/liveness.ts';
import { MAX_EXAMPLES } from '../../domain/records/summary.ts';
import type { Finding } from './tally-parts.ts';

/** The most names of clusters without a live service that are stored between two parts of a count. */
const MAX_NAMES = 50;

/** By the digest of a cluster without a live service so far: its name, and whether a service needs attention. */
export const lifelessSchema = z._default(z.record(z.string(), z.tuple([z.string(), z.boolean()])), {});

export type Lifeless = z.output<typeof lifelessSchema>;

/** The clusters of which no service that was counted is live. */
export class LifelessClusters {
  private readonly clusters: Map<string, [name: string, needsAttention: boolean]>;

  constructor(lifeless: Lifeless) {
    this.clusters = new Map(Object.entries(lifeless));
  }

  /** Counts a service. @param isFirst of its cluster: one that was counted before and is not lifeless has a live service. */
  add(
    { digest, name }: { digest: string; name: string },
    { state, isSilenced, isFirst }: { state: State; isSilenced: boolean; isFirst: boolean },
  ): void {
    const cluster = this.clusters.get(digest);
    if (state === 'live') this.clusters.delete(digest);
    else if (cluster !== undefined || isFirst) {
      const shown = cluster?.[0] ?? (this.clusters.size < MAX_NAMES ? name : '');
      const isSilent = state !== 'never_seen' && !isSilenced;
      this.clusters.set(digest, [shown, isSilent || cluster?.[1] === true]);
    }
  }

  result(): Lifeless {
    return Object.fromEntries(this.clusters);
  }
}

/** The finding of the clusters of which a silent service needs attention; none without such a cluster. */
export function clusterFindings(lifeless: Lifeless): Finding[] {
  const clusters = Object.values(lifeless).filter(([, needsAttention]) => needsAttention);
  const names = clusters.flatMap(([name]) => (name === '' ? [] : [name])).slice(0, MAX_EXAMPLES);
  const examples = names.map((name) => ({ id: name, name }));
  if (clusters.length === 0) return [];
  return [{ reason: 'no_live_member', kind: 'cluster', count: clusters.length, places: [], located: 0, examples }];
}
