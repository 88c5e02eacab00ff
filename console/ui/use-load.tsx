import { useCallback, useEffect, useState } from 'react';
import { ApiFailure } from '../api/client.tsx';

export interface Loading<T> {
  /** What was loaded last for this key, also while it is loaded anew. */
  value: T | undefined;
  loading: boolean;
  failure: ApiFailure | undefined;
  reload: () => void;
}

interface Result<T> {
  key: string;
  value?: T;
  failure?: ApiFailure;
}

/** Failures are shown where they happen; what is no failure of a call is a fault of the console. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  throw error;
}

/**
 * Loads something for as long as it is shown.
 *
 * @param key what is loaded: another key is another thing, and until it is there nothing is.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [version, setVersion] = useState(0);
  const [loaded, setLoaded] = useState<Result<T> & { version: number }>();
  useEffect(() => {
    const controller = new AbortController();
    const finish = (result: Partial<Result<T>>) => {
      if (!controller.signal.aborted) setLoaded({ key, version, ...result });
    };
    load(controller.signal).then(
      (value) => finish({ value }),
      (error: unknown) => {
        if (!controller.signal.aborted) finish({ failure: failureOf(error) });
      },
    );
    return () => controller.abort();
    // `load` is made anew with each rendering; the key says when it means something else.
  }, [key, version]);
  const present = loaded?.key === key ? loaded : undefined;
  return {
    value: present?.value,
    loading: present?.version !== version,
    failure: present?.failure,
    reload: useCallback(() => setVersion((last) => last + 1), []),
  };
}
