import { useEffect, useRef, useState } from 'react';
import { loadKeys } from '../model/api-keys.tsx';
import { searches } from '../model/search.tsx';
import { meantBy, type Named } from './meant-by.ts';

/** So long nobody types before the server is asked. */
const PAUSE_MS = 250;

const never = () => new AbortController().signal;

export type SuggestedProperty = 'actor_id' | 'object_id';

/** The keys that a text may mean: those of all programs, and those of the hosts whose names begin with it. */
async function keysFor(text: string, signal: AbortSignal): Promise<readonly Named[]> {
  const { keys } = await loadKeys(true, text, signal);
  return keys.map(({ key_id: id, name }) => ({ id, name }));
}

/** Nodes and services whose names begin with a text, and keys. */
async function objectsFor(text: string, signal: AbortSignal): Promise<readonly Named[]> {
  const found = await Promise.all([searches.node(text, signal), searches.service(text, signal), keysFor(text, signal)]);
  return found.flat();
}

const sources = {
  actor_id: { noun: 'caller', read: keysFor },
  object_id: { noun: 'object', read: objectsFor },
} as const;

/**
 * What a filter of the audit suggests and accepts: what the entries name, and what the server finds, such as keys of
 * programs that have only read.
 */
export function useSuggestions(property: SuggestedProperty, seen: readonly Named[]) {
  const { noun, read: readFor } = sources[property];
  const [read, setRead] = useState<readonly Named[]>([]);
  const [status, setStatus] = useState<'finished' | 'loading' | 'error'>('finished');
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; controller: AbortController }>(undefined);
  const stop = () => {
    clearTimeout(pending.current?.timer);
    pending.current?.controller.abort();
  };
  useEffect(() => stop, []);

  const readSuggestions = async (text: string, signal: AbortSignal) => {
    try {
      const found = await readFor(text, signal);
      if (signal.aborted) return;
      setRead(found);
      setStatus('finished');
    } catch {
      // Suggestions are a help: a failure is shown among them.
      if (!signal.aborted) setStatus('error');
    }
  };
  return {
    named: [...new Map([...seen, ...read].map((one) => [one.id, one])).values()],
    status,
    load: (text: string) => {
      stop();
      setStatus('loading');
      const controller = new AbortController();
      pending.current = {
        timer: setTimeout(() => void readSuggestions(text, controller.signal), PAUSE_MS),
        controller,
      };
    },
    /** As `meantBy`. @throws ApiFailure when the server does not answer. */
    find: async (text: string) => meantBy(text, [...seen, ...(await readFor(text, never()))], noun),
  };
}
