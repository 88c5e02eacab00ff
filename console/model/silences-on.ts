import { labelOf } from '../../functions/domain/fields/filterable-labels.ts';
import { groundsOf } from '../../functions/domain/records/silence-grounds.ts';
import { matchesSelector } from '../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../shared/selector/parse-selector.ts';

type LabelledObject = Parameters<typeof labelOf>[1] & Parameters<typeof groundsOf>[0];

/** Whether the selector of a silence matches labels; the end is that of the list. */
export const covers = ({ selector }: { selector: string }, valueOf: (label: string) => string | undefined) =>
  matchesSelector(parseSelector(selector), valueOf);

/**
 * The silences of an object, as the server counts it: those that match it, else those of all that it rests on.
 *
 * @param find an object on which another one rests; undefined if it does not exist.
 */
export async function silencesOn<Silence extends { selector: string }>(
  silences: readonly Silence[],
  kind: 'node' | 'service' | 'agent',
  object: LabelledObject,
  find: (kind: 'node' | 'service', id: string) => Promise<LabelledObject | undefined>,
): Promise<readonly Silence[]> {
  const direct = silences.filter((silence) => covers(silence, (label) => labelOf(kind, object, label)));
  if (direct.length > 0) return direct;
  const silencesOf = async (ground: 'node' | 'service', id: string) => {
    const groundObject = await find(ground, id);
    return groundObject === undefined ? [] : silencesOn(silences, ground, groundObject, find);
  };
  for (const { node_ids: nodeIds, service_ids: serviceIds } of groundsOf(object)) {
    const inherited = await Promise.all([
      ...nodeIds.map((id) => silencesOf('node', id)),
      ...serviceIds.map((id) => silencesOf('service', id)),
    ]);
    if (inherited.length > 0 && inherited.every((some) => some.length > 0)) return [...new Set(inherited.flat())];
  }
  return [];
}
