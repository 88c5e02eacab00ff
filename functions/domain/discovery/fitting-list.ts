import { sharedFairly } from '../../../shared/core/fair-shares.ts';
import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import type { TargetGroup } from './target-group.ts';
import { bySize, META, META_LABEL, withoutFirst } from './target-labels.ts';

/**
 * A target of at most this size keeps all its labels: usual ones have 900 bytes, with ten more labels 1,500. Only the number of targets
 * makes a list too large for one reply.
 */
export const LEAST_TARGET_BYTES = 2000;

/** Attributes by which a target is known, and whether it is scraped: always present, and short. */
const KEPT = new Set(
  ['agent_id', 'agent_type', 'node_id', 'service_id', 'expose_exporter', 'push_metrics', 'dropped_labels'].map(
    (name) => META + name,
  ),
);

const bytesOf = (value: unknown) => jsonBytesInReply(JSON.stringify(value));

/** The target of at most `most` bytes in a reply, if its custom labels and then its attributes suffice for that. */
function smaller(group: TargetGroup, bytes: number, most: number): TargetGroup {
  const names = Object.keys(group.labels).filter((name) => name.startsWith(META) && !KEPT.has(name));
  const isCustom = (name: string) => name.startsWith(META_LABEL);
  const custom = bySize(group.labels, names.filter(isCustom));
  const attributes = bySize(
    group.labels,
    names.filter((name) => !isCustom(name)),
  );
  return { ...group, labels: withoutFirst(group.labels, [...custom, ...attributes], { bytes, most }).labels };
}

/**
 * A list that exceeds the maximum size of a reply, with fewer labels. Targets above their fair share lose their largest custom labels,
 * then their largest attributes; the others stay as they are.
 *
 * @param owners of the targets, in their order. A target without one shares with the others of its node.
 * @param total the most bytes in a reply.
 * @returns undefined if the list does not fit with `LEAST_TARGET_BYTES` of each target either.
 */
export function fittingList(
  groups: readonly TargetGroup[],
  owners: readonly (string | undefined)[],
  total: number,
): TargetGroup[] | undefined {
  const targets = groups.map((group, index) => {
    const bytes = bytesOf(group);
    const isUsual = bytes <= LEAST_TARGET_BYTES;
    const least = isUsual ? bytes : Math.max(LEAST_TARGET_BYTES, bytesOf(smaller(group, bytes, 0)));
    const { [`${META}node_id`]: node, [`${META}agent_id`]: agent = '' } = group.labels;
    return { group, sharer: owners[index] ?? node ?? agent, bytes, least: Math.min(bytes, least) };
  });
  const fitting = sharedFairly(targets, total, (target, most) => ({
    ...target,
    group: smaller(target.group, target.bytes, most),
  }));
  return fitting?.map(({ group }) => group);
}
