import type { AttentionReason } from '../../functions/domain/records/summary.ts';
import type { Attention } from './links.ts';

/** A finding, with the findings that have the same cause. */
export interface Finding {
  main: Attention;
  /** The services on silent nodes: they are silent because of these. */
  effects: readonly Attention[];
}

/** Findings that a node passes on to its services. */
const silences: readonly AttentionReason[] = ['offline', 'stale'];

/** The findings with those of one cause together, in the order of the summary. */
export function findingsOf(attention: readonly Attention[]): Finding[] {
  const isEffect = ({ reason, kind }: Attention) =>
    kind === 'service' &&
    silences.includes(reason) &&
    attention.some((other) => other.reason === reason && other.kind === 'node');
  return attention
    .filter((finding) => !isEffect(finding))
    .map((main) => ({
      main,
      effects:
        main.kind === 'node' ? attention.filter((effect) => isEffect(effect) && effect.reason === main.reason) : [],
    }));
}
