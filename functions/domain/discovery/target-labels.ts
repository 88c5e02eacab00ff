import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';

/** The prefix of labels from the inventory, which Prometheus removes after relabelling. */
export const META = '__meta_inventory_';

/** That of custom labels. */
export const META_LABEL = `${META}label_`;

/**
 * The most bytes of the labels of a target in a reply (shared/core/reply-size.ts). A target usually has 900. Its agent,
 * services and nodes can have 64 custom labels of 1 KiB each, and the list of all targets is complete or refused: large
 * targets of few agents must not use up the 6 MB that all share. Attributes are not dropped.
 */
export const MAX_TARGET_BYTES = 8000;

/**
 * A target without an object that adds more than this is within the maximum: it has one agent, and the labels of its nodes, of
 * other nodes and of services are those that all of these have in common. The rest is for lists of ids and labels that no
 * object has.
 */
export const MAX_OBJECT_BYTES = 1200;

/** States how many custom labels are absent. */
const DROPPED = `${META}dropped_labels`;

type Labels = Record<string, string>;

/** The size of a label in a reply, with its comma. Those of labels add up. */
export const labelBytes = (name: string, value: string): number =>
  // Without the quotes around the text and the brackets.
  jsonBytesInReply(JSON.stringify([name, value])) - 3;

/**
 * The labels of a target: all of these, unless they exceed the maximum. Then the largest custom labels are dropped, by
 * name for equal sizes, until the rest fits, so that the short ones, which select and group, stay.
 *
 * @param custom by their names in the inventory.
 */
export function targetLabels(
  attributes: Readonly<Labels>,
  custom: ReadonlyMap<string, string>,
): { labels: Labels; dropped: number } {
  const left = new Map(custom);
  const labels = () => ({
    ...attributes,
    ...Object.fromEntries(Array.from(left, ([name, value]) => [META_LABEL + name, value])),
  });
  const all = labels();
  let bytes = jsonBytesInReply(JSON.stringify(all));
  if (bytes <= MAX_TARGET_BYTES || custom.size === 0) return { labels: all, dropped: 0 };
  bytes += labelBytes(DROPPED, '64');
  const bySize = Array.from(custom, ([name, value]) => ({ name, size: labelBytes(META_LABEL + name, value) }));
  bySize.sort((one, other) => other.size - one.size || (one.name < other.name ? -1 : 1));
  for (const { name, size } of bySize) {
    if (bytes <= MAX_TARGET_BYTES) break;
    left.delete(name);
    bytes -= size;
  }
  const dropped = custom.size - left.size;
  return { labels: { ...labels(), [DROPPED]: String(dropped) }, dropped };
}
