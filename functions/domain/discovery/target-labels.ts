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

/** States how many labels are absent because of the size of the target or of the list. */
export const DROPPED = `${META}dropped_labels`;

type Labels = Record<string, string>;

/**
 * Begins the value of a label that its object keeps no longer, because the targets of the object certainly lack it
 * (store/lists/held-objects.ts). No text of an object contains this character (shared/core/text.ts).
 */
export const CUT = '\u0000';

/** The size of a label in a reply, with its comma. Those of labels add up. */
export const labelBytes = (name: string, value: string): number =>
  // Without the quotes around the text and the brackets.
  jsonBytesInReply(JSON.stringify([name, value])) - 3;

/**
 * Labels without the first of `names` until the rest has at most `most` bytes. What is absent is counted, also what was absent before.
 *
 * @param bytes the size of all labels.
 */
export function withoutFirst(
  labels: Readonly<Labels>,
  names: readonly string[],
  { bytes, most }: { bytes: number; most: number },
): { labels: Labels; dropped: number } {
  let left = bytes + labelBytes(DROPPED, '999');
  const gone = new Set<string>();
  for (const name of names) {
    if (left <= most) break;
    gone.add(name);
    left -= labelBytes(name, labels[name] ?? '');
  }
  const kept = Object.fromEntries(Object.entries(labels).filter(([name]) => !gone.has(name)));
  const dropped = gone.size + Number(labels[DROPPED] ?? 0);
  return { labels: dropped === 0 ? kept : { ...kept, [DROPPED]: String(dropped) }, dropped };
}

/** The names of these labels, the largest first, by name for equal sizes. */
export const bySize = (labels: Readonly<Labels>, names: readonly string[]): string[] =>
  names
    .map((name) => ({ name, size: labelBytes(name, labels[name] ?? '') }))
    .sort((left, other) => other.size - left.size || (left.name < other.name ? -1 : 1))
    .map(({ name }) => name);

/**
 * The labels of a target: all of these, unless they exceed the maximum. Then the largest custom labels are dropped, by
 * name for equal sizes, until the rest fits, so that the short ones, which select and group, stay.
 *
 * @param custom by their names in the inventory.
 * @returns `bytes`: about the size of the labels.
 */
export function targetLabels(
  attributes: Readonly<Labels>,
  custom: ReadonlyMap<string, string>,
): { labels: Labels; bytes: number; dropped: number } {
  const whole = [...custom].flatMap(([name, value]) =>
    value.startsWith(CUT) ? [] : [[META_LABEL + name, value] as const],
  );
  const cut = custom.size - whole.length;
  const named: Labels = Object.fromEntries(whole);
  const labels = { ...attributes, ...named };
  const bytes = jsonBytesInReply(JSON.stringify(labels));
  if (cut === 0 && (bytes <= MAX_TARGET_BYTES || custom.size === 0)) return { labels, bytes, dropped: 0 };
  const names = bySize(named, Object.keys(named));
  const left = withoutFirst({ ...labels, [DROPPED]: String(cut) }, names, { bytes, most: MAX_TARGET_BYTES });
  return { ...left, bytes: Math.min(bytes, MAX_TARGET_BYTES) };
}
