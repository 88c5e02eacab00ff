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

interface Share {
  /** Of a node: its id. */
  id?: string;
  name: string;
  bytes: number;
  targets: number;
}

function add(shares: Map<string, Share>, bytes: number, { id, name }: Pick<Share, 'id' | 'name'>): void {
  const share = shares.get(id ?? name) ?? { ...(id === undefined ? {} : { id }), name, bytes: 0, targets: 0 };
  share.bytes += bytes;
  share.targets += 1;
  shares.set(id ?? name, share);
}

/** The largest ones in words. */
const largest = (shares: ReadonlyMap<string, Share>, most: number): string =>
  [...shares.entries()]
    .toSorted(([left, leftShare], [right, other]) => other.bytes - leftShare.bytes || (left < right ? -1 : 1))
    .slice(0, most)
    .map(([, { id, name, targets, bytes }]) => {
      const parts = [...(id === undefined ? [] : [id]), `${targets} targets`, `${bytes} bytes`];
      return `"${shown(name)}" (${parts.join(', ')})`;
    })
    .join(', ');

const partsRemedy = (parts: number, { count }: Shard): string =>
  parts > count && parts <= MAX_SHARDS ? `Request parts: ?shard=0/${parts}.` : 'Request fewer targets.';

const WHOLE: Shard = { index: 0, count: 1 };

/**
 * The remedy for objects that exceed the memory or the time of a request, before the size of the list is known: four times as many
 * parts.
 *
 * @param largest the owner with the most bytes.
 */
export function remedyOfReading(
  shard: Shard = WHOLE,
  largest?: { owner: string; objects: number; bytes: number },
): string {
  const remedy = partsRemedy(Math.min(MAX_SHARDS, shard.count * MIN_PARTS), shard);
  if (largest === undefined) return remedy;
  const { owner, objects, bytes } = largest;
  return `${remedy} The owner with the most bytes: "${shown(owner)}" (${objects} objects, ${bytes} bytes).`;
}

/**
 * The remedy for a list that exceeds the maximum size of a reply: the number of parts to request, and the nodes and the owner with
 * the most bytes. Targets of several nodes belong to none.
 *
 * @param owners of the targets, in their order.
 * @param shard the part that is this list.
 */
export function remedyOfOversizedList(
  groups: readonly TargetGroup[],
  owners: readonly (string | undefined)[] = [],
  shard: Shard = WHOLE,
): string {
  const nodes = new Map<string, Share>();
  const shares = new Map<string, Share>();
  let bytes = 0;
  for (const [index, group] of groups.entries()) {
    const size = jsonBytesInReply(JSON.stringify(group));
    bytes += size;
    const { [`${META}node_id`]: id, [`${META}node_name`]: name = id } = group.labels;
    if (id !== undefined && name !== undefined) add(nodes, size, { id, name });
    const owner = owners[index];
    if (owner !== undefined) add(shares, size, { name: owner });
  }
  const parts = Math.max(MIN_PARTS, Math.ceil((bytes * shard.count) / BYTES_OF_PART));
  return [
    partsRemedy(parts, shard),
    ...(nodes.size === 0 ? [] : [`The nodes with the most bytes: ${largest(nodes, NAMED_NODES)}.`]),
    ...(shares.size === 0 ? [] : [`The owner with the most bytes: ${largest(shares, 1)}.`]),
  ].join(' ');
}
