import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { CUT, labelBytes, bySize, MAX_TARGET_BYTES, META_LABEL } from '../../domain/discovery/target-labels.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { type EntityOf, jsonOf } from '../entities/entity.ts';
import { withLabels } from '../entities/with-labels.ts';
import type { ObjectKind } from '../table/keys.ts';

type Labels = Record<string, string>;

/** Besides its text: an object of 600 bytes takes some 2 kB of the heap. */
const BYTES_OF_OBJECT = 1400;

/** A quarter of the heap is for the objects of a reply; the rest for what is made of them, and for garbage. */
export const maxHeldBytes = () => getHeapStatistics().heap_size_limit / 4;

/** An object with shorter text has too few labels to be cut. */
const SHORT_JSON = MAX_TARGET_BYTES / 4;

export interface OwnerShare {
  owner: string;
  bytes: number;
  objects: number;
}

/** More objects than the memory can hold. */
export class MemoryLimitError extends Error {
  /** That with the most bytes; undefined if no object has an owner. */
  readonly largest: OwnerShare | undefined;

  constructor(shares: Iterable<OwnerShare>) {
    super('the objects exceed the memory');
    this.largest = [...shares].toSorted((left, other) => other.bytes - left.bytes)[0];
  }
}

interface HeldLabels {
  ownerLabel: string;
  /** Other labels that decide which objects are shown. */
  selected: readonly string[];
}

const standIn = (value: string) => CUT + createHash('sha256').update(value).digest('base64url').slice(0, 16);

/**
 * Labels of an object of which no target shows more than its maximum: the largest ones, which it certainly lacks, have a short value
 * instead, equal for equal ones.
 *
 * @param whole the names of labels that stay as they are.
 */
function cutLabels(labels: Readonly<Labels>, whole: ReadonlySet<string>): Labels {
  const cut = new Set<string>();
  let bytes = 0;
  for (const name of bySize(labels, Object.keys(labels)).toReversed()) {
    bytes += labelBytes(META_LABEL + name, labels[name] ?? '');
    if (bytes > MAX_TARGET_BYTES && !whole.has(name)) cut.add(name);
  }
  if (cut.size === 0) return { ...labels };
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, cut.has(name) ? standIn(value) : value]),
  );
}

/** Objects of which targets are made, with as many labels as a target can have. Counts their bytes. */
export class HeldObjects {
  /** The bytes of all of them. */
  bytes = 0;
  readonly #ownerLabel: string;
  /** These labels stay whole. */
  readonly #whole: ReadonlySet<string>;
  readonly #most: number;
  readonly #shares = new Map<string, OwnerShare>();

  /** @param most the bytes above which `hold` refuses. */
  constructor({ ownerLabel = '', selected = [] }: Partial<HeldLabels> = {}, most = maxHeldBytes()) {
    this.#ownerLabel = ownerLabel;
    this.#whole = new Set([...selected, ownerLabel]);
    this.#most = most;
  }

  /** The object as it can be kept. @throws MemoryLimitError. */
  hold<Kind extends ObjectKind>(entity: EntityOf<Kind>): EntityOf<Kind> {
    const { held, bytes: ofText } = this.#held(entity);
    const bytes = ofText + BYTES_OF_OBJECT;
    this.bytes += bytes;
    const owner = labelOf(held.kind, held.object, this.#ownerLabel);
    if (owner !== undefined) {
      const share = this.#shares.get(owner) ?? { owner, bytes: 0, objects: 0 };
      share.bytes += bytes;
      share.objects += 1;
      this.#shares.set(owner, share);
    }
    if (this.bytes > this.#most) throw new MemoryLimitError(this.#shares.values());
    return held;
  }

  #held<Kind extends ObjectKind>(entity: EntityOf<Kind>): { held: EntityOf<Kind>; bytes: number } {
    const bytes = jsonOf(entity).length;
    if (bytes <= SHORT_JSON) return { held: withLabels(entity, (labels) => labels), bytes };
    const held = withLabels(entity, (labels) => cutLabels(labels, this.#whole));
    // No target shows the lists of texts of an agent.
    if (held.kind === 'agent')
      for (const [name, value] of Object.entries(held.object))
        if (Array.isArray(value)) Reflect.deleteProperty(held.object, name);
    return { held, bytes: JSON.stringify(held.object).length };
  }
}
