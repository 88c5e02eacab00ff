/** Things of one kind that have been counted and not yet written down. */
export interface Counted<T> {
  of: T;
  count: number;
  /** Of the first and the last of them, in milliseconds since 1970. */
  first: number;
  last: number;
}

export interface BatchingCounter<T> {
  /** Counts one. */
  add: (of: T, time: number) => void;
  /**
   * Takes out what may be written now, the longest waiting first.
   *
   * @param now milliseconds, from whenever on.
   */
  due: (now: number) => Counted<T>[];
  /** What could not be written waits for the next time. */
  putBack: (counted: Counted<T>) => void;
  isWaiting: () => boolean;
  /** Takes out all that waits, due or not. */
  takeAll: () => Counted<T>[];
}

/** So often the same thing is written at most, and anything at all in the long run. */
export const EVERY_MS = 1000;

/** So many different ones in a row: what happens now and then is on record at once, and not with the next one. */
const BURST = 10;

/** So many different ones wait; what comes on top is counted without saying of what exactly. */
const MAX_WAITING = 50;

/**
 * Counts what anybody may cause as often as they like, so that writing it down costs one write a second, however often it
 * happens and in however many ways. What is left waiting when the process is killed is lost.
 *
 * @param nameOf what makes two the same.
 * @param roughly the same, without what there may be any number of.
 */
export function createBatchingCounter<T>(nameOf: (of: T) => string, roughly: (of: T) => T): BatchingCounter<T> {
  const waiting = new Map<string, Counted<T>>();
  const writtenAt = new Map<string, number>();
  let budget = BURST;
  let budgetAt: number | undefined;

  function merge({ of, count, first, last }: Counted<T>): void {
    const isKnown = waiting.has(nameOf(of)) || waiting.size < MAX_WAITING;
    const counted = isKnown ? of : roughly(of);
    const old = waiting.get(nameOf(counted));
    waiting.set(
      nameOf(counted),
      old === undefined
        ? { of: counted, count, first, last }
        : { of: counted, count: old.count + count, first: Math.min(old.first, first), last: Math.max(old.last, last) },
    );
  }

  return {
    add: (of, time) => merge({ of, count: 1, first: time, last: time }),
    putBack: merge,
    isWaiting: () => waiting.size > 0,
    takeAll: () => {
      const all = [...waiting.values()];
      waiting.clear();
      return all;
    },
    due: (now) => {
      budget = Math.min(BURST, budget + (now - (budgetAt ?? now)) / EVERY_MS);
      budgetAt = now;
      for (const [name, at] of writtenAt) if (now - at >= EVERY_MS) writtenAt.delete(name);
      const found = [...waiting].filter(([name]) => !writtenAt.has(name)).slice(0, Math.floor(budget));
      budget -= found.length;
      for (const [name] of found) {
        waiting.delete(name);
        writtenAt.set(name, now);
      }
      return found.map(([, counted]) => counted);
    },
  };
}
