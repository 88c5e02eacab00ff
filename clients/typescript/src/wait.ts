import type { Clock } from './clock.ts';

/** The pause after an attempt, in milliseconds: it doubles, with jitter. */
export const backoff = (attempt: number) => Math.min(30_000, 2 ** attempt * 125) * (1 + Math.random());

/** Resolves after the time, or at the abort. */
export const pause = (time: number, signal: AbortSignal | undefined, { after }: Clock) =>
  new Promise<void>((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = after(signal?.aborted ? 0 : time, end);
    signal?.addEventListener('abort', end);
  });
