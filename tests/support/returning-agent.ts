import { PmmAgent } from './pmm-agent.ts';

/** The back-off of pmm-agent: first pause, factor, longest pause, and jitter. */
const BACK_OFF = { firstMs: 1000, factor: 1.5, mostMs: 15_000, jitter: 0.25 };

/** Longer than that of pmm-agent, 5 s, so that a loaded machine changes nothing. */
const GIVE_UP_MS = 60_000;

export interface ReturningAgentOptions {
  id: string;
  authorization: string;
  /** The port to which the balancer sends the next connection. */
  port: () => number;
  onConnected?: (agent: ReturningAgent) => void;
  onEnded?: (agent: ReturningAgent) => void;
}

/** An agent process that connects again by the rules of pmm-agent, until it is closed. */
export class ReturningAgent {
  attempts = 0;
  /** Streams that were established, and the ends of them. */
  streams = 0;
  readonly ends: { code: number; message: string }[] = [];
  /** The port of the last attempt. */
  at = 0;
  readonly #options: ReturningAgentOptions;
  #agent: PmmAgent | undefined;
  #pauseMs = BACK_OFF.firstMs;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReturningAgentOptions) {
    this.#options = options;
    void this.#connect();
  }

  get isConnected(): boolean {
    return this.streams > this.ends.length;
  }

  #wasClosed(): boolean {
    return this.#isClosed;
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) return;
    const { id, authorization, port, onConnected, onEnded } = this.#options;
    this.attempts += 1;
    this.at = port();
    const agent = new PmmAgent({ port: this.at, plain: true, generation: 3, id, authorization });
    this.#agent = agent;
    const before = this.streams;
    const late = setTimeout(() => agent.close(), GIVE_UP_MS);
    void agent.connected.then(() => {
      clearTimeout(late);
      this.streams += 1;
      this.#pauseMs = BACK_OFF.firstMs;
      onConnected?.(this);
    });
    const end = await agent.ended;
    clearTimeout(late);
    if (this.#wasClosed()) return;
    if (this.streams > before) {
      this.ends.push(end);
      onEnded?.(this);
      // At once, without a pause.
      void this.#connect();
      return;
    }
    const { factor, mostMs, jitter } = BACK_OFF;
    const pauseMs = this.#pauseMs * (1 + jitter * (2 * Math.random() - 1));
    this.#pauseMs = Math.min(mostMs, this.#pauseMs * factor);
    this.#timer = setTimeout(() => void this.#connect(), pauseMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#agent?.close();
  }
}
