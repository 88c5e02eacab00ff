import { every, type MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/** More slots spread the pings more evenly. */
const SLOTS = 50;

/** Visits each member once in each turn, spread over the turn, with one timer for all. */
export class PingWheel<Member> {
  readonly #slots: Set<Member>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #visit: (member: Member) => void;
  readonly #turnMs: number;
  readonly #monotonic: MonotonicClock;
  #end: (() => void) | undefined;
  #current = 0;
  #next = 0;

  /** @param turnMs milliseconds of a turn. */
  constructor(monotonic: MonotonicClock, turnMs: number, visit: (member: Member) => void) {
    this.#monotonic = monotonic;
    this.#turnMs = turnMs;
    this.#visit = visit;
  }

  add(member: Member): void {
    this.#slots[this.#next]?.add(member);
    this.#next = (this.#next + 1) % SLOTS;
    this.#end ??= every(this.#monotonic, this.#turnMs / SLOTS, () => this.#tick(), { ref: false });
  }

  remove(member: Member): void {
    for (const slot of this.#slots) slot.delete(member);
    if (this.#slots.every(({ size }) => size === 0)) this.stop();
  }

  stop(): void {
    this.#end?.();
    this.#end = undefined;
  }

  #tick(): void {
    this.#current = (this.#current + 1) % SLOTS;
    for (const member of this.#slots[this.#current] ?? []) this.#visit(member);
  }
}
