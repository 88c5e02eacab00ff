import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/**
 * Requests that begin in a second on average, further ones that begin at once after a pause, and those without a reply. The
 * API sees at most the sum in any second, also after it stood still: two gateways send at most 150.
 */
export const MAX_RATE = 50;
export const MAX_BURST = 10;
export const MAX_UNANSWERED = 15;

/** Every fourth request is a background request if one waits: the others cannot displace them. */
const BACKGROUND_TURN = 4;

/** Limits the requests of a gateway to the API. Those beyond the limit wait, background requests behind the others. */
export class RequestLimit {
  readonly #monotonic: MonotonicClock;
  readonly #waiting: Record<'foreground' | 'background', (() => void)[]> = { foreground: [], background: [] };
  #unanswered = 0;
  #begun = 0;
  #tokens = MAX_BURST;
  #refilledAt: number;
  #isWaking = false;

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
    this.#refilledAt = monotonic.now();
  }

  /** Sends a request when its turn has come. */
  async run<T>(send: () => Promise<T>, { isBackground = false } = {}): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#waiting[isBackground ? 'background' : 'foreground'].push(() => resolve(undefined));
    this.#begin();
    await promise;
    try {
      return await send();
    } finally {
      this.#unanswered -= 1;
      this.#begin();
    }
  }

  #begin(): void {
    const { foreground, background } = this.#waiting;
    while (foreground.length + background.length > 0 && this.#unanswered < MAX_UNANSWERED && this.#takeToken()) {
      this.#begun += 1;
      this.#unanswered += 1;
      const isBackgroundTurn = this.#begun % BACKGROUND_TURN === 0;
      const [first, second] = isBackgroundTurn ? [background, foreground] : [foreground, background];
      (first.shift() ?? second.shift())?.();
    }
  }

  #takeToken(): boolean {
    const now = this.#monotonic.now();
    this.#tokens = Math.min(MAX_BURST, this.#tokens + ((now - this.#refilledAt) / 1000) * MAX_RATE);
    this.#refilledAt = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return true;
    }
    this.#wakeLater();
    return false;
  }

  /** Begins the next request as soon as it has a token. */
  #wakeLater(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    this.#monotonic.after(Math.ceil(((1 - this.#tokens) / MAX_RATE) * 1000), () => {
      this.#isWaking = false;
      this.#begin();
    });
  }
}
