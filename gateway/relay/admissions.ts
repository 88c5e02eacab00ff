import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import type { Candidate } from './admission.ts';
import type { FeedPosition } from './feed-position.ts';
import { type AdmittedHost, type Inventory, InventoryError } from './inventory.ts';

/** The most agent processes in a request, and requests at once. */
export const MAX_PAIRS = 100;
const MAX_REQUESTS = 2;

/** How long a request waits for further agent processes. */
const COLLECT_MS = 20;

/** A host with the position of the change feed before the service read it. */
export interface Admission extends AdmittedHost {
  position: FeedPosition;
}

/** Whether the stream of an admission is closed: for a kept one, its present stream. */
type StreamState = Pick<AbortSignal, 'aborted'>;

interface WaitingAdmission {
  candidate: Candidate;
  closed: StreamState;
  resolve: (host: Admission) => void;
  reject: (error: unknown) => void;
}

/** Admits agent processes that connect at the same time by one request. */
export class Admissions {
  readonly #inventory: Inventory;
  readonly #position: () => FeedPosition;
  #waiting: WaitingAdmission[] = [];
  #requests = 0;
  readonly #monotonic: MonotonicClock;
  #isCollecting = false;

  /** @param position of the change feed now. */
  constructor(inventory: Inventory, position: () => FeedPosition, monotonic: MonotonicClock) {
    this.#inventory = inventory;
    this.#position = position;
    this.#monotonic = monotonic;
  }

  /**
   * The host of an agent process whose own key may report for it.
   *
   * @param closed an admission for a stream that is closed before its request costs nothing.
   * @throws InventoryError as a single report.
   */
  admit(candidate: Candidate, closed: StreamState): Promise<Admission> {
    const { promise, resolve, reject } = Promise.withResolvers<Admission>();
    this.#waiting.push({ candidate, closed, resolve, reject });
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isCollecting || this.#waiting.length === 0 || this.#requests >= MAX_REQUESTS) return;
    this.#isCollecting = true;
    this.#monotonic.after(COLLECT_MS, () => void this.#send());
  }

  async #send(): Promise<void> {
    this.#isCollecting = false;
    const batch = this.#take();
    this.#requests += 1;
    this.#schedule();
    const position = this.#position();
    try {
      const results = batch.length === 0 ? [] : await this.#inventory.admit(batch.map(({ candidate }) => candidate));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new InventoryError({ status: 503, body: {} }));
        else if (result instanceof InventoryError) reject(result);
        else resolve({ ...result, position });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#requests -= 1;
      this.#schedule();
    }
  }

  /** The next admissions, without those whose streams have ended. */
  #take(): WaitingAdmission[] {
    const batch: WaitingAdmission[] = [];
    while (batch.length < MAX_PAIRS) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      if (next.closed.aborted) next.reject(new InventoryError({ status: 503, body: {} }));
      else batch.push(next);
    }
    return batch;
  }
}
