import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { useMemo } from 'react';
import { standardLabels } from '../../../functions/domain/fields/filterable-labels.ts';
import { isPart } from '../../model/console-filters.ts';
import { filtersOf, type ListFilter as Filter, wordsValue } from '../../model/filters.ts';
import { isId } from '../../model/object-id.ts';
import { agentFilterFor } from './agent-search.tsx';
import { NAME_PART, tokensOf, useNames } from './filter-text.tsx';
import { labelGroups, labelOptions, labelProperties, labelTokensOf, splitTokens, useLabels } from './label-filter.tsx';
import { SavedFilters } from './saved-filters-menu.tsx';
import { ApiFailure } from '../../api/client.tsx';
import { flash } from '../../ui/flash.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { searches } from '../../model/search.tsx';
import { isName, NAME, useSuggestions, wordText } from './filter-suggestions.tsx';
import { NO_VALUE } from '../../search-index/no-value.ts';
import { labelOf } from '../../ui/words.ts';
import { failureOf } from '../../ui/use-load.tsx';

type FilterQuery = Readonly<Record<string, string>>;

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  query: FilterQuery;
  countText: string;
  loading: boolean;
  /** The list accepts one of these filters at a time. */
  exclusive?: readonly string[];
  onChange: (query: FilterQuery) => void;
}

type FilterEntry = readonly [name: string, value: string];

/** The last value of each filter, and of the exclusive filters the new one. */
function queryOf(entries: readonly FilterEntry[], before: FilterQuery, exclusive: readonly string[]): FilterQuery {
  const added = entries.find(([name, value]) => before[name] !== value)?.[0];
  const isDisplaced = (name: string) =>
    added !== undefined && name !== added && exclusive.includes(added) && exclusive.includes(name);
  return Object.fromEntries(entries.filter(([name]) => !isDisplaced(name)));
}

/** The filters of a list from its contract. The server applies them. */
export function ListFilter<T extends InventoryObject>(props: Props<T>) {
  const { kind, query, countText, loading, exclusive = [], onChange } = props;
  const filters = useMemo(() => filtersOf(kind.contracts.list), [kind]);
  const { suggestions, status, finishedText, load } = useSuggestions(kind, filters);
  const names = useNames(filters, query);
  const label = (name: string) => labelOf(`${kind.folder}.${name}`);
  const display = (name: string, value: string) =>
    [...suggestions, ...names].find((candidate) => candidate.name === name && candidate.value === value)?.label ??
    value;
  const labels = useLabels(kind);
  const labelTokens = labelTokensOf(query['selector']);
  const change = async (tokens: readonly PropertyFilterProps.Token[]) => {
    const { selector, others } = splitTokens(kind.noun, tokens);
    const entries = await Promise.all(others.map((token) => entryOf(filters, token)));
    const selected: readonly FilterEntry[] = selector === undefined ? [] : [['selector', selector]];
    onChange(
      queryOf([...entries.flatMap((entry) => (entry === undefined ? [] : [entry])), ...selected], query, exclusive),
    );
  };

  return (
    <PropertyFilter
      query={{
        operation: 'and',
        tokens: tokensOf(filters, query),
      }}
      onChange={({ detail }) => {
        change(detail.tokens).catch((error: unknown) => {
          flash.add({ type: 'error', content: failureOf(error).message });
        });
      }}
      countText={countText}
      loading={loading}
      customControl={<SavedFilters list={kind.folder} />}
      readOnlyOperations
      freeTextFiltering={{
        operators: filters.some(({ name }) => isName(name)) ? ['^', ':'] : ['^'],
        defaultOperator: '^',
      }}
      filteringProperties={[
        ...filters
          .filter(({ name }) => name !== NAME_PART)
          .map((filter) => ({
            key: filter.name,
            propertyLabel: label(filter.name),
            groupValuesLabel: `${label(filter.name)}: values`,
            ...operatorsOf(filter, standardLabels[kind.noun].has(filter.name), (value) => display(filter.name, value)),
          })),
        ...labelProperties(labels, labelTokens ?? []),
      ]}
      customGroupsText={labelGroups}
      filteringOptions={[
        ...filters.flatMap(({ name, mayBeEmpty }) =>
          mayBeEmpty === true ? [{ propertyKey: name, value: NO_VALUE }] : [],
        ),
        ...suggestions.map(({ name, value, label: text }) => ({ propertyKey: name, value, label: text })),
        ...labelOptions(labels),
      ]}
      filteringStatusType={status}
      onLoadItems={({ detail }) => load(detail.filteringProperty?.key, detail.filteringText)}
      filteringPlaceholder={`Filter ${kind.folder}`}
      filteringAriaLabel={`Filter ${kind.folder}`}
      filteringEmpty="No suggestions"
      filteringLoadingText="Loading"
      filteringErrorText="The suggestions could not be loaded."
      filteringRecoveryText="Try again"
      filteringFinishedText={finishedText}
      expandToViewport
    />
  );
}

/**
 * Filters with several words also accept the negation.
 *
 * @param isAttribute whether selectors know the field: a negation is then a part of the selector.
 */
function operatorsOf(
  { name, isList }: Filter,
  isAttribute: boolean,
  display: (value: string) => string,
): Pick<PropertyFilterProps.FilteringProperty, 'operators' | 'defaultOperator'> {
  if (isName(name)) return { operators: ['^', ':'], defaultOperator: '^' };
  if (isPart(name)) return { operators: [':'], defaultOperator: ':' };
  if (!isList) {
    const operators = isAttribute ? (['=', '!='] as const) : (['='] as const);
    return {
      operators: operators.map((operator) => ({ operator, format: (value: unknown) => display(String(value)) })),
    };
  }
  const format = (value: unknown) => (Array.isArray(value) ? value.map(wordText).join(', ') : String(value));
  return { operators: (['=', '!='] as const).map((operator) => ({ operator, tokenType: 'enum', format })) };
}

/**
 * A token as a filter of the list; undefined if it excludes nothing. Text without a property is a name; agents have no
 * names and are searched.
 *
 * @throws ApiFailure if no object has the name.
 */
async function entryOf(
  filters: readonly Filter[],
  { propertyKey: property, operator, value: given }: PropertyFilterProps.Token,
): Promise<FilterEntry | undefined> {
  const { signal } = new AbortController();
  const list = filters.find(({ name, isList }) => name === property && isList);
  if (list !== undefined) {
    const words = Array.isArray(given) ? given.map(String) : [String(given)];
    const chosen = wordsValue(list, words, operator === '!=');
    return chosen === undefined ? undefined : [list.name, chosen];
  }
  const value = String(given);
  if (property === undefined) {
    if (filters.some(({ name }) => isName(name))) return [operator === ':' ? NAME_PART : NAME, value];
    const types = filters.find(({ name }) => name === 'agent_type')?.values ?? [];
    const agentFilter = await agentFilterFor(value.trim(), types, signal);
    if (agentFilter !== undefined) return agentFilter;
    throw new ApiFailure(404, { message: `No agent type, node or service has a name that begins with "${value}".` });
  }
  if (isName(property) && operator === ':') return [NAME_PART, value];
  const target = filters.find(({ name }) => name === property)?.target;
  if (target === undefined || isName(property) || isId(value)) return [property, value];
  // The filter accepts an id. A typed name stands for the object with this name; the server refuses an unknown one.
  const choices = await searches[target](value, signal);
  return [property, choices.find((choice) => choice.name === value)?.id ?? value];
}
