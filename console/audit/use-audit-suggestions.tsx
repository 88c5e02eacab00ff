import { useState } from 'react';
import { loadKeys } from '../model/api-keys.tsx';
import { searches } from '../model/search.tsx';
import { useTypedLoad } from '../ui/use-typed-load.tsx';
import { type Candidate, meantBy } from './meant-by.ts';

const never = () => new AbortController().signal;

/** The properties whose values are ids with names. */
const idProperties = ['actor_id', 'object_id'] as const;

type IdProperty = (typeof idProperties)[number];

type Texts = Readonly<Record<string, string>>;

export interface FilterValue extends Candidate {
  property: IdProperty;
}

/** The keys of all programs, and of the hosts whose names begin with a text. */
async function keysFor(text: string, signal: AbortSignal): Promise<readonly Candidate[]> {
  const { keys } = await loadKeys(true, text, signal);
  return keys.map(({ key_id: id, name }) => ({ id, name }));
}

/** Nodes and services whose names begin with a text, and keys. */
async function objectsFor(text: string, signal: AbortSignal): Promise<readonly Candidate[]> {
  const matches = await Promise.all([
    searches.node(text, signal),
    searches.service(text, signal),
    keysFor(text, signal),
  ]);
  return matches.flat();
}

const sources = {
  actor_id: { noun: 'caller', read: keysFor },
  object_id: { noun: 'object', read: objectsFor },
} as const;

/** The suggestions of one filter: names in the entries, and names on the server, also without entries. */
function useSuggestions(property: IdProperty, seen: readonly Candidate[]) {
  const { noun, read } = sources[property];
  const { value = [], status, request } = useTypedLoad(['audit suggestions', property], read);
  return {
    named: [...new Map([...seen, ...value].map((candidate) => [candidate.id, candidate])).values()],
    status,
    load: request,
    /** See `meantBy`. @throws ApiFailure when the server does not answer. */
    find: async (text: string) => meantBy(text, [...seen, ...(await read(text, never()))], noun),
  };
}

export function useAuditSuggestions(named: readonly FilterValue[]) {
  const seen = (wanted: IdProperty) => named.filter(({ property }) => property === wanted);
  const suggestions = {
    actor_id: useSuggestions('actor_id', seen('actor_id')),
    object_id: useSuggestions('object_id', seen('object_id')),
  };
  const [open, setOpen] = useState<IdProperty>('actor_id');

  /** Replaces the texts that are not in the query by the ids that they mean. */
  const idsOf = async (texts: Texts, query: Texts): Promise<{ ids: Texts } | { problem: string }> => {
    const ids: Record<string, string> = {};
    for (const property of idProperties) {
      const text = texts[property];
      if (text === undefined || text === query[property]) continue;
      const match = await suggestions[property].find(text);
      if ('problem' in match) return match;
      ids[property] = match.id;
    }
    return { ids };
  };

  return {
    namedValues: idProperties.flatMap((property): FilterValue[] =>
      suggestions[property].named.map(({ id, name }) => ({ id, name, property })),
    ),
    /** Of the filter that the user fills in. */
    status: suggestions[open].status,
    load: (name: string | undefined, text: string) => {
      const property = idProperties.find((candidate) => candidate === name);
      if (property === undefined) return;
      setOpen(property);
      suggestions[property].load(text);
    },
    idsOf,
  };
}
