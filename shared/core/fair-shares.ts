/** A part of a reply that can become smaller. */
export interface Part {
  /** Whose share of the reply it uses. */
  sharer: string;
  bytes: number;
  /** The size below which it does not become smaller; at most `bytes`. */
  least: number;
}

/** The most that each of these amounts may have so that all together have `total`. What one does not use is for the others. */
function levelOf(amounts: readonly number[], total: number): number {
  let left = total;
  for (const [index, amount] of amounts.toSorted((left, other) => left - other).entries()) {
    const share = left / (amounts.length - index);
    if (amount > share) return share;
    left -= amount;
  }
  return Infinity;
}

/**
 * Parts that have at most `total` bytes together. Each has its `least`. The rest is shared equally, first by the sharers and then by the
 * parts of each; what one does not use is for the others. So the largest parts of the largest sharers become smaller, and a part
 * within the share of its sharer stays as it is.
 *
 * @param make makes a part of at most `most` bytes; not called for one that stays as it is.
 * @returns undefined if the parts do not fit with their `least` either.
 */
export function sharedFairly<Whole extends Part>(
  parts: readonly Whole[],
  total: number,
  make: (part: Whole, most: number) => Whole,
): Whole[] | undefined {
  const rest = total - parts.reduce((sum, { least }) => sum + least, 0);
  if (rest < 0) return undefined;
  const excesses = new Map<string, number[]>();
  for (const { sharer, bytes, least } of parts) {
    const sharerExcesses = excesses.get(sharer);
    if (sharerExcesses === undefined) excesses.set(sharer, [bytes - least]);
    else sharerExcesses.push(bytes - least);
  }
  const sums = [...excesses.values()].map((sharerExcesses) => sharerExcesses.reduce((sum, excess) => sum + excess, 0));
  const share = levelOf(sums, rest);
  const levels = new Map([...excesses].map(([sharer, sharerExcesses]) => [sharer, levelOf(sharerExcesses, share)]));
  return parts.map((part) => {
    const most = part.least + (levels.get(part.sharer) ?? 0);
    return most < part.bytes ? make(part, most) : part;
  });
}
