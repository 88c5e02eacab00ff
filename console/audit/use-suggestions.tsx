import { loadKeys } from '../model/api-keys.tsx';
import { searches } from '../model/search.tsx';
import { useTypedLoad } from '../ui/use-typed-load.tsx';
import { meantBy, type Named } from './meant-by.ts';

const never = () => new AbortController().signal;

export type SuggestedProperty = 'actor_id' | 'object_id';

/** The keys of all programs, and of the hosts whose names begin with a text. */
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

/** The suggestions of a filter of the audit: names in the entries, and names on the server, also without entries. */
export function useSuggestions(property: SuggestedProperty, seen: readonly Named[]) {
  const { noun, read } = sources[property];
  const { value = [], status, request } = useTypedLoad(['audit suggestions', property], read);
  return {
    named: [...new Map([...seen, ...value].map((one) => [one.id, one])).values()],
    status,
    load: request,
    /** See `meantBy`. @throws ApiFailure when the server does not answer. */
    find: async (text: string) => meantBy(text, [...seen, ...(await read(text, never()))], noun),
  };
}
