/** More slots spread the pings more evenly. */
const SLOTS = 50;

/** Visits each member once in each turn, spread over the turn, with one timer for all. */
export class PingWheel<Member> {
  readonly #slots: Set<Member>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #visit: (member: Member) => void;
  readonly #turnMs: number;
  #timer: NodeJS.Timeout | undefined;
  #current = 0;
  #next = 0;

  /** @param turnMs milliseconds of a turn. */
  constructor(turnMs: number, visit: (member: Member) => void) {
    this.#turnMs = turnMs;
    this.#visit = visit;
  }

  add(member: Member): void {
    this.#slots[this.#next]?.add(member);
    this.#next = (this.#next + 1) % SLOTS;
    // Does not keep the process alive.
    this.#timer ??= setInterval(() => this.#tick(), this.#turnMs / SLOTS).unref();
  }

  remove(member: Member): void {
    for (const slot of this.#slots) slot.delete(member);
    if (this.#slots.every(({ size }) => size === 0)) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.#current = (this.#current + 1) % SLOTS;
    for (const member of this.#slots[this.#current] ?? []) this.#visit(member);
  }
}
