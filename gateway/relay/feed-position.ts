import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/** The longest time between an admission and the use of its objects, in milliseconds. */
const KNOWN_MS = 120_000;

/** A position of the change feed, with the changes since then. */
export interface FeedPosition {
  /** When it was taken, in milliseconds of the monotonic clock. */
  readonly at: number;
  /** The ids that changed since, one set for each read; undefined: not known, because changes were missed or it is too old. */
  readonly changes: readonly ReadonlySet<string>[] | undefined;
}

/** The positions of objects that may still be used. */
export class FeedPositions {
  readonly #open = new Set<{ at: number; changes: ReadonlySet<string>[] | undefined }>();
  readonly #monotonic: MonotonicClock;

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** The position now. The feed must be followed. */
  now(): FeedPosition {
    this.#forgetOld();
    const position = { at: this.#monotonic.now(), changes: [] };
    this.#open.add(position);
    return position;
  }

  /** Adds changes that the feed delivers. */
  add(changed: ReadonlySet<string>): void {
    this.#forgetOld();
    for (const { changes } of this.#open) changes?.push(changed);
  }

  #forgetOld(): void {
    const oldest = this.#monotonic.now() - KNOWN_MS;
    for (const position of this.#open) {
      // In the order of their times.
      if (position.at > oldest) return;
      position.changes = undefined;
      this.#open.delete(position);
    }
  }

  /** Changes were missed. */
  gap(): void {
    for (const position of this.#open) position.changes = undefined;
    this.#open.clear();
  }
}
