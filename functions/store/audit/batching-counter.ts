/** Events of one kind that are counted and not yet written. */
export interface EventCount<T> {
  of: T;
  count: number;
  /** Times of the first and the last event, in milliseconds since 1970. */
  first: number;
  last: number;
}

export interface BatchingCounter<T> {
  /** Counts one event. */
  add: (of: T, time: number) => void;
  /**
   * Removes and returns the counts that may be written now, the oldest first.
   *
   * @param now milliseconds of a monotonic clock.
   */
  due: (now: number) => EventCount<T>[];
  /** Returns a count that could not be written. It is written later. */
  putBack: (counted: EventCount<T>) => void;
  isWaiting: () => boolean;
  /** Removes and returns all counts, due or not. */
  takeAll: () => EventCount<T>[];
}

/** The least time between two writes of the same kind of event, and on average between any two writes. */
export const EVERY_MS = 1000;

/**
 * Number of different kinds that may be written at once: rare events are written at once rather than with the next one.
 */
const BURST = 10;

/** Number of different kinds that may wait. Further kinds are counted without their details. */
const MAX_WAITING = 50;

/**
 * Counts events that anybody can cause at any rate, so that recording them costs about one write a second, whatever
 * their number and variety. Counts that wait when the process is killed are lost.
 *
 * @param nameOf identifies the kind: events with the same name are counted together.
 * @param withoutDetails the event without the details that can have any number of values.
 */
export function createBatchingCounter<T>(nameOf: (of: T) => string, withoutDetails: (of: T) => T): BatchingCounter<T> {
  const waiting = new Map<string, EventCount<T>>();
  const writtenAt = new Map<string, number>();
  let budget = BURST;
  let budgetAt: number | undefined;

  function merge({ of, count, first, last }: EventCount<T>): void {
    const isKnown = waiting.has(nameOf(of)) || waiting.size < MAX_WAITING;
    const counted = isKnown ? of : withoutDetails(of);
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
      const due = [...waiting].filter(([name]) => !writtenAt.has(name)).slice(0, Math.floor(budget));
      budget -= due.length;
      for (const [name] of due) {
        waiting.delete(name);
        writtenAt.set(name, now);
      }
      return due.map(([, counted]) => counted);
    },
  };
}
