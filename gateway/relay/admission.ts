import type { IncomingHttpHeaders } from 'node:http2';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { codes } from '../protocol/enumerations.ts';
import { connectPaths, type Generation, plainId } from '../protocol/generation.ts';
import { type Credential, InventoryError } from './inventory.ts';

/** Admissions that wait. */
const MAX_WAITING = 100;

/** An agent gives up after 5 s: a later admission would be work for nobody. */
const MAX_WAIT_MS = 3000;

/** The end of a stream before it is admitted, with words for the log of the agent. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const busy = () => new Refusal(codes.tryLater, 'Too many agents connect at this time. Try again.');

/** Limits the number of admissions at once. */
export class AdmissionGate {
  #running = 0;
  readonly #max: number;
  readonly #monotonic: MonotonicClock;
  readonly #waiting = new Set<() => void>();

  /** @param max admissions that run at once. */
  constructor(max: number, monotonic: MonotonicClock) {
    this.#max = max;
    this.#monotonic = monotonic;
  }

  get running(): number {
    return this.#running;
  }

  /** @throws Refusal when too many wait, when the wait is too long, and when the stream was closed in the meantime. */
  async run<T>(work: () => Promise<T>, closed: AbortSignal): Promise<T> {
    if (this.#running >= this.#max) await this.#turn(closed);
    this.#running += 1;
    try {
      if (closed.aborted) throw busy();
      return await work();
    } finally {
      this.#running -= 1;
      const [next] = this.#waiting;
      if (next !== undefined) {
        this.#waiting.delete(next);
        next();
      }
    }
  }

  async #turn(closed: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const begin = () => resolve(undefined);
    this.#waiting.add(begin);
    const giveUp = () => {
      // Not after its turn has come: that turn would be lost.
      if (this.#waiting.delete(begin)) reject(busy());
    };
    const cancel = this.#monotonic.after(MAX_WAIT_MS, giveUp, { ref: false });
    closed.addEventListener('abort', giveUp, { once: true });
    try {
      await promise;
    } finally {
      cancel();
      closed.removeEventListener('abort', giveUp);
    }
  }
}

/** Of an agent process that does not state its version. */
export const UNKNOWN_VERSION = '0.0.0';

/** The statement of an agent process about itself. */
export interface Candidate {
  pmmAgentId: string;
  generation: Generation;
  version: string;
  credential: Credential;
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

/** @throws Refusal without an id or a credential. */
export function candidateOf(headers: IncomingHttpHeaders, source: string): Candidate {
  const pmmAgentId = plainId(textOf(headers['pmm-agent-id']));
  const authorization = textOf(headers.authorization);
  if (authorization === '') throw new Refusal(codes.unauthenticated, 'Missing credentials.');
  if (pmmAgentId === '') throw new Refusal(codes.notAllowed, 'The agent has no id: set it up first.');
  const version = /^\d{1,4}(?:\.\d{1,4}){1,2}/.exec(textOf(headers['pmm-agent-version']))?.[0] ?? UNKNOWN_VERSION;
  const generation = connectPaths.get(textOf(headers[':path'])) ?? 3;
  return { pmmAgentId, generation, version, credential: { authorization, source } };
}

/** The end of a stream whose request the service refused, in the words of the service. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof InventoryError))
    return new Refusal(codes.tryLater, 'The inventory cannot be reached. Try again.');
  if (error.status === 401) return new Refusal(codes.unauthenticated, error.message);
  if ([400, 403, 404].includes(error.status)) return new Refusal(codes.notAllowed, error.message);
  return new Refusal(codes.tryLater, error.message);
}
