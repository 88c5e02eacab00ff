import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { useMemo } from 'react';
import { fieldNames } from '../../../shared/core/field-names.ts';
import { isPart } from '../../model/console-filters.ts';
import { filtersOf, type ListFilter as Filter } from '../../model/filters.ts';
import { agents, type InventoryObject, type Kind, type ListQuery, nodes, services } from '../../model/kinds.tsx';
import { HAS_LABEL, labelOfProperty } from '../../model/label-tokens.ts';
import { cachedObject } from '../../model/object-cache.tsx';
import type { TargetKind } from '../../model/target.ts';
import { useLoad } from '../../ui/use-load.tsx';
import { labelOf } from '../../ui/words.ts';
import { isName, NAME, type Suggestion, wordText } from './filter-suggestions.tsx';
import { HAS_LABEL_TEXT, labelTokensOf } from './label-filter.tsx';

/** The property of the name has an operator for a part of it. */
export const NAME_PART = 'name_contains';

/** The filters in the address, and the labels of a valid selector, as tokens. */
export function tokensOf(filters: readonly Filter[], query: ListQuery): readonly PropertyFilterProps.Token[] {
  const labelTokens = labelTokensOf(query['selector']);
  return [
    ...filters
      .filter(({ name }) => query[name] !== undefined && (name !== 'selector' || labelTokens === undefined))
      .map(({ name, isList }) => ({
        propertyKey: name === NAME_PART ? NAME : name,
        operator: isName(name) ? ('^' as const) : isPart(name) ? (':' as const) : ('=' as const),
        value: isList ? fieldNames(query[name] ?? '') : query[name],
      })),
    ...(labelTokens ?? []),
  ];
}

async function nameOf(target: TargetKind, id: string): Promise<string> {
  if (target === 'node') return nodes.nameOf(await cachedObject(nodes, id));
  if (target === 'service') return services.nameOf(await cachedObject(services, id));
  return agents.nameOf(await cachedObject(agents, id));
}

/** The names of the objects whose ids the filters in the address contain. */
export function useNames(filters: readonly Filter[], query: ListQuery): readonly Suggestion[] {
  const wanted = filters.flatMap(({ name, target }) => {
    const value = query[name];
    return target === undefined || isName(name) || value === undefined ? [] : [{ name, target, value }];
  });
  const { value = [] } = useLoad(['names in filters', wanted], () =>
    Promise.all(
      wanted.map(async ({ name, target, value: id }) => ({
        name,
        value: id,
        // Removed objects have no name: the id is shown.
        label: await nameOf(target, id).catch(() => id),
      })),
    ),
  );
  return value;
}

const operators: Readonly<Record<string, string>> = { '^': 'begins with', ':': 'contains' };

const propertyText = (folder: string, property: string) =>
  property === HAS_LABEL ? HAS_LABEL_TEXT : (labelOfProperty(property) ?? labelOf(`${folder}.${property}`));

/** The filters of a list in words: `Region = eu-1, State = stale or offline`. */
export function FilterText<T extends InventoryObject>({ kind, query }: { kind: Kind<T>; query: ListQuery }) {
  const filters = useMemo(() => filtersOf(kind.contracts.list), [kind]);
  const names = useNames(filters, query);
  const texts = tokensOf(filters, query).map(({ propertyKey: property = '', operator, value }) => {
    const isList = filters.some((filter) => filter.name === property && filter.isList);
    const shown = [value].flat().map((one) => {
      const name = names.find((known) => known.name === property && known.value === one)?.label;
      return name ?? (isList ? wordText(one) : String(one));
    });
    return `${propertyText(kind.folder, property)} ${operators[operator] ?? operator} ${shown.join(' or ')}`;
  });
  return <bdi className="any-word">{texts.join(', ')}</bdi>;
}
