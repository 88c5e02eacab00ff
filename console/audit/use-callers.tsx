import { useEffect, useRef, useState } from 'react';
import { loadKeys } from '../model/api-keys.tsx';
import { callerOf, type Caller } from './callers.ts';

/** So long nobody types before the server is asked. */
const PAUSE_MS = 250;

const never = () => new AbortController().signal;

/** The keys that a text may mean: those of all programs, and those of the hosts whose names begin with it. */
async function keysFor(text: string, signal: AbortSignal): Promise<readonly Caller[]> {
  const { keys } = await loadKeys(true, text, signal);
  return keys.map(({ key_id: id, name }) => ({ id, name }));
}

/**
 * The callers that the filter of the audit suggests and takes: those of the entries, and all API keys, also of programs
 * that have only read.
 */
export function useCallers(seen: readonly Caller[]) {
  const [keys, setKeys] = useState<readonly Caller[]>([]);
  const [status, setStatus] = useState<'finished' | 'loading' | 'error'>('finished');
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; controller: AbortController }>(undefined);
  const stop = () => {
    clearTimeout(pending.current?.timer);
    pending.current?.controller.abort();
  };
  useEffect(() => stop, []);

  const read = async (text: string, signal: AbortSignal) => {
    try {
      const found = await keysFor(text, signal);
      if (signal.aborted) return;
      setKeys(found);
      setStatus('finished');
    } catch {
      // Suggestions are a help: a failure is shown among them.
      if (!signal.aborted) setStatus('error');
    }
  };
  return {
    callers: [...new Map([...seen, ...keys].map((one) => [one.id, one])).values()],
    status,
    load: (text: string) => {
      stop();
      setStatus('loading');
      const controller = new AbortController();
      pending.current = { timer: setTimeout(() => void read(text, controller.signal), PAUSE_MS), controller };
    },
    /** As `callerOf`, of all callers. @throws ApiFailure when the keys cannot be read. */
    find: async (text: string) => callerOf(text, [...seen, ...(await keysFor(text, never()))]),
  };
}
