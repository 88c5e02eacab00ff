import { useEffect, useRef, useState } from 'react';
import type { ListFilter } from '../../model/filters.ts';
import { type InventoryObject, type Kind, services } from '../../model/kinds.tsx';
import { type Choice, searches } from '../../model/search.tsx';
import { type FieldValues, readValues } from '../../model/values.tsx';
import { searchIndex, useIndexState } from '../../search-index/search-index.tsx';

/** So long nobody types before the server is asked. */
const PAUSE_MS = 250;

export const isName = (name: string) => name === 'name_prefix';

/** `never_seen` becomes "never seen". */
export const wordText = (word: unknown) => String(word).replaceAll('_', ' ');

export interface Suggestion {
  name: string;
  value: string;
  label: string;
}

/** What is suggested for a filter while the user types; nothing where it takes any text. */
async function suggest<T extends InventoryObject>(
  kind: Kind<T>,
  filters: readonly ListFilter[],
  { name, text, signal, show }: Search,
): Promise<void> {
  const { target, fieldOf } = filters.find((filter) => filter.name === name) ?? {};
  if (name === undefined) {
    const found = await Promise.all([searches.node(text, signal), searches.service(text, signal)]);
    const options = (filter: string, choices: readonly Choice[]) =>
      choices.map(({ id, name: label }) => ({ name: filter, value: id, label }));
    show([...options('runs_on_node_id', found[0]), ...options('service_id', found[1])]);
  } else if (target !== undefined) {
    const choices = await searches[target](text, signal);
    show(choices.map(({ id, name: label }) => ({ name, value: isName(name) ? label : id, label })));
  } else {
    const fields = filters.flatMap((filter) => (filter.fieldOf === fieldOf ? (filter.field ?? []) : []));
    await searchIndex.ready();
    const reading = {
      signal,
      progress: ({ values, count, complete }: FieldValues) =>
        show(
          fields.flatMap((field) => (values[field] ?? []).map((value) => ({ name: field, value, label: value }))),
          complete ? undefined : `Values of the first ${count} ${fieldOf ?? kind.noun}s. Other values can be typed.`,
        ),
    };
    await (fieldOf === 'service' ? readValues(services, fields, reading) : readValues(kind, fields, reading));
  }
}

interface Search {
  name: string | undefined;
  text: string;
  signal: AbortSignal;
  show: (found: readonly Suggestion[], finishedText?: string) => void;
}

/** Values that the contract names are known; all others are read from the whole inventory when they are needed. */
export function useSuggestions<T extends InventoryObject>(kind: Kind<T>, filters: readonly ListFilter[]) {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [finishedText, setFinishedText] = useState<string>();
  const [status, setStatus] = useState<'finished' | 'loading' | 'error'>('finished');
  const pending = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; controller: AbortController }>(undefined);
  /** The property of the open list, if its values are those of a field. */
  const shown = useRef<string>(undefined);
  const index = useIndexState();
  const stop = () => {
    clearTimeout(pending.current?.timer);
    pending.current?.controller.abort();
  };
  useEffect(() => stop, []);

  const read = async (name: string | undefined, text: string, { signal }: AbortController) => {
    const show: Search['show'] = (next, after) => {
      if (signal.aborted) return;
      setFound(next);
      setFinishedText(after);
    };
    try {
      await suggest(kind, filters, { name, text, signal, show });
      if (!signal.aborted) setStatus('finished');
    } catch {
      // Suggestions are a help: a failure is shown among them, and the filter works without.
      if (!signal.aborted) setStatus('error');
    }
  };

  // An open list shows values that others add.
  const version = index.phase === 'ready' ? index.version : undefined;
  useEffect(() => {
    if (version === undefined || shown.current === undefined) return;
    stop();
    const controller = new AbortController();
    pending.current = { timer: undefined, controller };
    void read(shown.current, '', controller);
  }, [version]);

  const load = (name: string | undefined, text: string) => {
    stop();
    // The names of labels come from the index.
    if (index.phase === 'idle') searchIndex.start();
    const filter = filters.find((one) => one.name === name);
    const isNamed = filters.some((one) => isName(one.name));
    const isKnown = name === undefined ? isNamed || text === '' : (filter?.target ?? filter?.field) === undefined;
    shown.current = filter?.target === undefined && filter?.field !== undefined ? name : undefined;
    if (isKnown) {
      setStatus('finished');
      return;
    }
    if (shown.current !== undefined) searchIndex.refresh();
    setStatus('loading');
    const controller = new AbortController();
    pending.current = { timer: setTimeout(() => void read(name, text, controller), PAUSE_MS), controller };
  };

  const known = filters.flatMap(({ name, values, isList }) =>
    values.map((value) => ({ name, value, label: isList ? wordText(value) : value })),
  );
  return { suggestions: [...known, ...found], status, finishedText, load };
}
