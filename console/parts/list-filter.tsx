import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Target } from '../inventory/target.ts';
import { filtersOf, type ListFilter as Filter } from '../inventory/filters.ts';
import { agents, type InventoryObject, type Kind, nodes, services, textOf } from '../inventory/kinds.tsx';
import { cachedObject } from '../inventory/object-cache.tsx';
import { searches } from '../inventory/search.tsx';
import { labelOf } from '../inventory/words.ts';
import { useLoad } from './use-load.tsx';

export type FilterQuery = Readonly<Record<string, string>>;

/** So long nobody types before the server is asked. */
const PAUSE_MS = 250;

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  query: FilterQuery;
  countText: string;
  loading: boolean;
  /** Of these filters the list takes one at a time. */
  exclusive?: readonly string[];
  /** What the list shows at the moment: its regions and clusters, say, are suggested. */
  shown: readonly T[];
  onChange: (query: FilterQuery) => void;
}

const isName = (name: string) => name === 'name_prefix';

/** The query after a change of the tokens: one value per filter, the last one given, and one of the exclusive ones. */
function changed(tokens: readonly PropertyFilterProps.Token[], before: FilterQuery, exclusive: readonly string[]) {
  const given = tokens.map(({ propertyKey = 'name_prefix', value }): [string, string] => [propertyKey, String(value)]);
  const added = given.find(([name, value]) => before[name] !== value)?.[0];
  const isDisplaced = (name: string) =>
    added !== undefined && name !== added && exclusive.includes(added) && exclusive.includes(name);
  return Object.fromEntries(given.filter(([name]) => !isDisplaced(name)));
}

/** The filters of a list as they stand in its contract. The server filters: nothing is loaded to be left out. */
export function ListFilter<T extends InventoryObject>(props: Props<T>) {
  const { kind, query, countText, loading, exclusive = [], shown, onChange } = props;
  const filters = useMemo(() => filtersOf(kind.contracts.list), [kind]);
  const { suggestions, status, load } = useSuggestions(filters, shown);
  const names = useNames(filters, query);
  const label = (name: string) => labelOf(`${kind.folder}.${name}`);
  const display = (name: string, value: string) =>
    [...suggestions, ...names].find((one) => one.name === name && one.value === value)?.label ?? value;

  return (
    <PropertyFilter
      query={{
        operation: 'and',
        tokens: filters
          .filter(({ name }) => query[name] !== undefined)
          .map(({ name }) => ({ propertyKey: name, operator: isName(name) ? '^' : '=', value: query[name] })),
      }}
      onChange={({ detail }) => {
        const next = changed(detail.tokens, query, exclusive);
        withIds(filters, next).then(onChange, () => onChange(next));
      }}
      countText={countText}
      loading={loading}
      readOnlyOperations
      disableFreeTextFiltering={!filters.some(({ name }) => isName(name))}
      freeTextFiltering={{ operators: ['^'], defaultOperator: '^' }}
      filteringProperties={filters.map(({ name }) => ({
        key: name,
        propertyLabel: label(name),
        groupValuesLabel: `${label(name)}: values`,
        ...(isName(name)
          ? { operators: ['^'], defaultOperator: '^' }
          : { operators: [{ operator: '=', format: (value: unknown) => display(name, String(value)) }] }),
      }))}
      filteringOptions={suggestions.map(({ name, value, label: text }) => ({ propertyKey: name, value, label: text }))}
      filteringStatusType={status}
      onLoadItems={({ detail }) => load(detail.filteringProperty?.key, detail.filteringText)}
      filteringPlaceholder={`Filter ${kind.folder}`}
      filteringAriaLabel={`Filter ${kind.folder}`}
      filteringEmpty="No suggestions"
      filteringLoadingText="Looking"
      filteringErrorText="No suggestions could be had."
      filteringRecoveryText="Try again"
      expandToViewport
    />
  );
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A filter wants an id; who types a name and does not wait for the suggestions means the object of that name. */
async function withIds(filters: readonly Filter[], query: FilterQuery): Promise<FilterQuery> {
  const entries = await Promise.all(
    Object.entries(query).map(async ([name, value]): Promise<[string, string]> => {
      const target = filters.find((filter) => filter.name === name)?.target;
      if (target === undefined || isName(name) || ID.test(value)) return [name, value];
      const choices = await searches[target](value, new AbortController().signal);
      // What is not found the server will call not found, by the name that was typed.
      return [name, choices.find((choice) => choice.name === value)?.id ?? value];
    }),
  );
  return Object.fromEntries(entries);
}

interface Suggestion {
  name: string;
  value: string;
  label: string;
}

/** Values that the contract names are known; names and ids are looked for as the user types. */
function useSuggestions(filters: readonly Filter[], shown: readonly InventoryObject[]) {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [status, setStatus] = useState<'finished' | 'loading' | 'error'>('finished');
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; controller: AbortController }>(undefined);
  const stop = () => {
    clearTimeout(pending.current?.timer);
    pending.current?.controller.abort();
  };
  useEffect(() => stop, []);

  const load = (name: string | undefined, text: string) => {
    stop();
    const target = filters.find((filter) => filter.name === name)?.target;
    if (name === undefined || target === undefined) {
      setStatus('finished');
      return;
    }
    setStatus('loading');
    const controller = new AbortController();
    const search = async () => {
      try {
        const choices = await searches[target](text, controller.signal);
        setFound(choices.map(({ id, name: label }) => ({ name, value: isName(name) ? label : id, label })));
        setStatus('finished');
      } catch {
        // Suggestions are a help: whatever keeps them away is said, and the filter works without.
        if (!controller.signal.aborted) setStatus('error');
      }
    };
    pending.current = { timer: setTimeout(() => void search(), PAUSE_MS), controller };
  };

  const known = filters.flatMap(({ name, values, target }) => {
    const seen = target === undefined ? shown.flatMap((object) => textOf(object, name) ?? []) : [];
    return [...new Set(values.length > 0 ? values : seen)].map((value) => ({ name, value, label: value }));
  });
  return { suggestions: [...known, ...found], status, load };
}

async function nameOf(target: Target, id: string): Promise<string> {
  if (target === 'node') return nodes.nameOf(await cachedObject(nodes, id));
  if (target === 'service') return services.nameOf(await cachedObject(services, id));
  return agents.nameOf(await cachedObject(agents, id));
}

/** The names of the objects that filters from the address bar give by id. */
function useNames(filters: readonly Filter[], query: FilterQuery): readonly Suggestion[] {
  const wanted = filters.flatMap(({ name, target }) => {
    const value = query[name];
    return target === undefined || isName(name) || value === undefined ? [] : [{ name, target, value }];
  });
  const { value = [] } = useLoad(JSON.stringify(wanted), () =>
    Promise.all(
      wanted.map(async ({ name, target, value: id }) => ({
        name,
        value: id,
        // What is not there any more keeps its id.
        label: await nameOf(target, id).catch(() => id),
      })),
    ),
  );
  return value;
}
