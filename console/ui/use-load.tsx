import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../api/client.tsx';
import { autoRefresh } from './auto-refresh.tsx';

export interface Loading<T> {
  /** What was loaded last for this key, also while it is loaded anew. */
  value: T | undefined;
  /** Whether the user waits for it: false while it is refreshed without notice. */
  loading: boolean;
  failure: ApiFailure | undefined;
  /** When the value was loaded, in milliseconds since 1970. */
  loadedAt: number | undefined;
  reload: () => void;
}

interface Result<T> {
  key: string;
  version: number;
  at: number;
  value?: T;
  failure?: ApiFailure;
}

/** Failures are shown where they happen; what is no failure of a call is a fault of the console. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  throw error;
}

/** Whether a repetition of the call can succeed: the network failed, or the server is busy or has a fault. */
const isPassing = ({ status }: ApiFailure) => status === 0 || status === 429 || status >= 500;

/**
 * Loads something for as long as it is shown.
 *
 * @param key what is loaded: another key is another thing, and until it is there nothing is.
 * @param maxAge in milliseconds: auto-refresh loads an older value again, and every value after a change of an object. If
 * such a load fails for a while, the former value stays. Default: only `reload` loads a value again. Without a value, a
 * load that failed for a while is repeated in any case.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>, maxAge?: number): Loading<T> {
  const [{ version, isQuiet }, setRequest] = useState({ version: 0, isQuiet: false });
  const [loaded, setLoaded] = useState<Result<T>>();
  useEffect(() => {
    const controller = new AbortController();
    const finish = (result: { value: T } | { failure: ApiFailure }) => {
      if (controller.signal.aborted) return;
      setLoaded((last) => {
        const isKept = isQuiet && 'failure' in result && isPassing(result.failure) && last?.key === key;
        return isKept ? { ...last, version } : { key, version, at: Date.now(), ...result };
      });
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
  const isPending = present?.version !== version;

  const isLost = present?.failure !== undefined && isPassing(present.failure);
  const status = useRef({ loadedAt: present?.at, isPending, isLost: false });
  status.current = { loadedAt: present?.at, isPending, isLost };
  useEffect(
    () =>
      autoRefresh.add({
        maxAge,
        status: () => status.current,
        refresh: () => setRequest((last) => ({ version: last.version + 1, isQuiet: true })),
      }),
    [maxAge],
  );

  return {
    value: present?.value,
    loading: present === undefined || (isPending && !isQuiet),
    failure: present?.failure,
    loadedAt: present?.value === undefined ? undefined : present.at,
    reload: useCallback(() => setRequest((last) => ({ version: last.version + 1, isQuiet: false })), []),
  };
}
