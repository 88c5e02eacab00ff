import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import { MAX_SHARDS, type Shard } from './shard.ts';
import type { TargetGroup } from './target-group.ts';
import { META } from './target-labels.ts';

const NAMED_NODES = 3;

/** Bytes of the targets of one part, with room for growth: of 6 MB. */
const BYTES_OF_PART = 4_000_000;

const MIN_PARTS = 4;

/** Names have up to 512 characters. */
const MAX_SHOWN = 64;

const shown = (name: string) => (name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}...` : name);

/**
 * The remedy for a list that exceeds the maximum size of a reply: the number of parts to request, and the nodes with the
 * most bytes. Targets of several nodes belong to none.
 *
 * @param shard the part that is this list.
 */
export function remedyOfOversizedList(groups: readonly TargetGroup[], shard: Shard = { index: 0, count: 1 }): string {
  const nodes = new Map<string, { name: string; bytes: number; targets: number }>();
  let bytes = 0;
  for (const group of groups) {
    const size = jsonBytesInReply(JSON.stringify(group));
    bytes += size;
    const id = group.labels[`${META}node_id`];
    if (id === undefined) continue;
    const node = nodes.get(id) ?? { name: group.labels[`${META}node_name`] ?? id, bytes: 0, targets: 0 };
    node.bytes += size;
    node.targets += 1;
    nodes.set(id, node);
  }
  const largest = [...nodes.entries()]
    .toSorted(([left, one], [right, other]) => other.bytes - one.bytes || (left < right ? -1 : 1))
    .slice(0, NAMED_NODES)
    .map(([id, node]) => `"${shown(node.name)}" (${id}, ${node.targets} targets, ${node.bytes} bytes)`);
  const parts = Math.max(MIN_PARTS, Math.ceil((bytes * shard.count) / BYTES_OF_PART));
  return [
    parts > shard.count && parts <= MAX_SHARDS ? `Request parts: ?shard=0/${parts}.` : 'Request fewer targets.',
    ...(largest.length === 0 ? [] : [`The nodes with the most bytes: ${largest.join(', ')}.`]),
  ].join(' ');
}
