import { processClock } from '../../../shared/core/monotonic-clock.ts';

/** How long the engine works in one turn of the event loop, in milliseconds. Then everything else gets its turn. */
const BUDGET_MS = 4;

/**
 * Does synchronous work in the order in which it was asked for. Work never begins in the turn of the event loop in which it
 * was asked for: who asks at the same time is served at the same time, and a chain of calls cannot keep others waiting.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #now: () => number;

  /** @param now milliseconds since any moment. */
  constructor(now: () => number = processClock.now) {
    this.#now = now;
  }

  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      // An error of the work rejects the inner promise.
      this.#waiting.push(() => resolve(new Promise((done) => done(work()))));
      if (this.#waiting.length === 1) setImmediate(this.#turn);
    });
  }

  readonly #turn = (): void => {
    const end = this.#now() + BUDGET_MS;
    let done = 0;
    // Work that is asked for from now on belongs to another turn.
    const { length } = this.#waiting;
    do {
      this.#waiting[done]?.();
      done += 1;
    } while (done < length && this.#now() < end);
    this.#waiting.splice(0, done);
    if (this.#waiting.length > 0) setImmediate(this.#turn);
  };
}
