/** The pause after an attempt, in milliseconds: it doubles, with jitter. */
export const backoff = (attempt: number) => Math.min(30_000, 2 ** attempt * 125) * (1 + Math.random());

/** Resolves after the time, or at the abort. */
export const pause = (time: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : time);
    signal?.addEventListener('abort', end);
  });
