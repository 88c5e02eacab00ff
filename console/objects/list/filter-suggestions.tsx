import type { ListFilter } from '../../model/filters.ts';
import { type InventoryObject, type Kind, nodes, services } from '../../model/kinds.tsx';
import { type Choice, searches } from '../../model/search.tsx';
import { type FieldValues, readValues } from '../../model/values.tsx';
import { searchIndex, useIndexState } from '../../search-index/search-index.tsx';
import { useTypedLoad } from '../../ui/use-typed-load.tsx';

export const NAME = 'name_prefix';

export const isName = (name: string) => name === NAME;

/** `never_seen` becomes "never seen". */
export const wordText = (word: unknown) => String(word).replaceAll('_', ' ');

export interface Suggestion {
  name: string;
  value: string;
  label: string;
}

interface Suggestions {
  suggestions: readonly Suggestion[];
  /** Below the suggestions, if they are not all. */
  finishedText?: string | undefined;
}

/** Objects whose names begin with a text. @param name The filter; undefined for a text without a filter. */
async function objectsFor({ name, target }: Partial<ListFilter>, text: string, signal: AbortSignal) {
  if (name === undefined || target === undefined) {
    const [nodes, hosted] = await Promise.all([searches.node(text, signal), searches.service(text, signal)]);
    const options = (filter: string, choices: readonly Choice[]) =>
      choices.map(({ id, name: label }) => ({ name: filter, value: id, label }));
    return [...options('runs_on_node_id', nodes), ...options('service_id', hosted)];
  }
  const choices = await searches[target](text, signal);
  return choices.map(({ id, name: label }) => ({ name, value: isName(name) ? label : id, label }));
}

/** The values of a field, and of the other fields of the same objects. */
async function valuesFor<T extends InventoryObject>(
  kind: Kind<T>,
  filters: readonly ListFilter[],
  { fieldOf }: ListFilter,
  signal: AbortSignal,
  show: (part: Suggestions) => void,
): Promise<Suggestions> {
  const fields = filters.flatMap((filter) => (filter.fieldOf === fieldOf ? (filter.field ?? []) : []));
  await searchIndex.ready();
  const suggestionsOf = ({ values, count, complete }: FieldValues): Suggestions => ({
    suggestions: fields.flatMap((field) =>
      (values[field] ?? []).map((value) => ({ name: field, value, label: value })),
    ),
    finishedText: complete
      ? undefined
      : `Values of the first ${count} ${fieldOf ?? kind.noun}s. Other values can be typed.`,
  });
  const reading = { signal, progress: (values: FieldValues) => show(suggestionsOf(values)) };
  if (fieldOf === 'service') return suggestionsOf(await readValues(services, fields, reading));
  return suggestionsOf(
    await (fieldOf === 'node' ? readValues(nodes, fields, reading) : readValues(kind, fields, reading)),
  );
}

/** The suggestions of a list's filters. The contract has some values; the others are read when they are needed. */
export function useSuggestions<T extends InventoryObject>(kind: Kind<T>, filters: readonly ListFilter[]) {
  const index = useIndexState();
  // An open list shows values that others add. The index needs no pause.
  const version = index.phase === 'ready' ? index.version : -1;
  const filterOf = (name: string | undefined) => filters.find((filter) => filter.name === name);
  const { value, status, request } = useTypedLoad(
    ['suggestions', kind.folder, version],
    async (
      { name, text }: { name: string | undefined; text: string },
      signal,
      show: (part: Suggestions) => void,
    ): Promise<Suggestions> => {
      const filter = filterOf(name);
      if (filter?.field !== undefined && filter.target === undefined)
        return valuesFor(kind, filters, filter, signal, show);
      return { suggestions: await objectsFor(filter ?? {}, text, signal) };
    },
    version < 0 ? undefined : 0,
  );
  const load = (name: string | undefined, text: string) => {
    // The names of labels come from the index.
    if (index.phase === 'idle') searchIndex.start();
    const { target, field } = filterOf(name) ?? {};
    const isField = target === undefined && field !== undefined;
    const isNamed = filters.some((filter) => isName(filter.name));
    const isKnown = name === undefined ? isNamed || text === '' : target === undefined && !isField;
    if (isField) searchIndex.refresh();
    request(isKnown ? undefined : { name, text: isField ? '' : text });
  };

  const fixedSuggestions = filters.flatMap(({ name, values, isList }) =>
    values.map((value) => ({ name, value, label: isList ? wordText(value) : value })),
  );
  return {
    suggestions: [...fixedSuggestions, ...(value?.suggestions ?? [])],
    status,
    finishedText: value?.finishedText,
    load,
  };
}
