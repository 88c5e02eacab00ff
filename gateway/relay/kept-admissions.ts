import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import type { Candidate } from './admission.ts';
import type { Admissions, Admission } from './admissions.ts';
import { InventoryError } from './inventory.ts';

/**
 * How long an admission is kept for an agent that gave up before it. Longer than the first pauses of an agent, and short,
 * because a key that is removed in this time still opens a stream.
 */
export const KEEP_MS = 15_000;

/** An admission that has begun, and the stream that it is for. */
interface BegunAdmission {
  result: Promise<Admission>;
  closed: AbortSignal;
}

const streamEnded = () => new InventoryError({ status: 503, body: {} });

const keyOf = ({ pmmAgentId, credential: { authorization, source } }: Candidate) =>
  JSON.stringify([pmmAgentId, authorization, source]);

/**
 * Admissions outlive streams that end before their result: the next stream with the same id, credential and address gets
 * it. An agent gives up after 5 s. If each return began another admission, a slow service would get more and more of them,
 * and all would be work for nobody. An admission opens one stream at most, and refusals are not kept.
 */
export class KeptAdmissions {
  readonly #admissions: Admissions;
  readonly #monotonic: MonotonicClock;
  readonly #begun = new Map<string, BegunAdmission>();

  constructor(admissions: Admissions, monotonic: MonotonicClock) {
    this.#admissions = admissions;
    this.#monotonic = monotonic;
  }

  /** @throws InventoryError as the admissions, and when the stream ends before the result. */
  async admit(candidate: Candidate, closed: AbortSignal): Promise<Admission> {
    const key = keyOf(candidate);
    const earlier = this.#begun.get(key);
    // The stream of the known one is still open: two processes with one id.
    if (earlier?.closed.aborted === false) return this.#admissions.admit(candidate, closed);
    const begun = earlier ?? this.#begin(key, candidate, closed);
    begun.closed = closed;
    const admitted = await unlessClosed(begun.result, closed);
    if (this.#begun.get(key) !== begun || begun.closed !== closed) throw streamEnded();
    this.#begun.delete(key);
    return admitted;
  }

  #begin(key: string, candidate: Candidate, closed: AbortSignal): BegunAdmission {
    const forget = () => {
      if (this.#begun.get(key) === begun) this.#begun.delete(key);
    };
    const owner = {
      get aborted() {
        return begun.closed.aborted;
      },
    };
    const begun: BegunAdmission = { closed, result: this.#admissions.admit(candidate, owner) };
    this.#begun.set(key, begun);
    begun.result.then(() => this.#monotonic.after(KEEP_MS, forget, { ref: false }), forget);
    return begun;
  }
}

/** Rejects as soon as the stream is closed. */
async function unlessClosed<Value>(result: Promise<Value>, closed: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(streamEnded());
  if (closed.aborted) onAbort();
  closed.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([result, promise]);
  } finally {
    closed.removeEventListener('abort', onAbort);
  }
}
