import { endpoint as countGroups } from '../../functions/api/groups/count/endpoint.ts';
import { type Grouping, groupProperties } from '../../functions/domain/groups/groups.ts';
import { call, parsedBy, type ReplyOf } from '../api/client.tsx';
import { NO_VALUE } from '../search-index/no-value.ts';
import { apiFilters } from './console-filters.ts';
import type { InventoryObject, Kind, ListQuery } from './kinds.tsx';
import { byLiveShare, sumsOf, worstOf } from './health.ts';
import { propertyOfLabel, selectorOf } from './label-tokens.ts';

type Part = ReplyOf<typeof countGroups>;

export type Group = Part['groups'][number];

export interface Groups {
  groups: readonly Group[];
  /** Whether all objects were counted. */
  isComplete: boolean;
}

/** The most requests of one count: each counts 20,000 objects at most, or a thousand values. */
const MAX_PARTS = 10;

const LABEL = 'labels.';

/** The property that this text names; undefined for a text that the API would refuse. */
export function groupingOf(
  { noun }: Pick<Kind<InventoryObject>, 'noun'>,
  by: string,
  owner: string,
): Grouping | undefined {
  if (by === 'owner') return { label: owner };
  if (by.startsWith(LABEL)) return { label: by.slice(LABEL.length) };
  const property = groupProperties[noun].find((candidate) => candidate === by);
  return property === undefined ? undefined : { property };
}

export const groupByLabel = (label: string): string => LABEL + label;

/** The query of a count of the objects of a list, and the filters of the list that it does not have. */
export function groupQueryOf<T extends InventoryObject>(kind: Kind<T>, filters: ListQuery, by: string) {
  const { [kind.typeField]: type, ...others } = filters;
  const isQueryParameter = ([name]: readonly [string, unknown]) => Object.hasOwn(countGroups.query.shape, name);
  return {
    query: {
      ...Object.fromEntries(Object.entries(apiFilters(kind.noun, others)).filter(isQueryParameter)),
      ...{ kind: kind.noun, group_by: by },
      ...(type === undefined ? {} : { type }),
    },
    others: Object.entries(others).flatMap((filterEntry) => (isQueryParameter(filterEntry) ? [] : [filterEntry[0]])),
  };
}

/** The groups of several parts of a count, those with the smallest share of live objects first; of equal ones the largest. */
function joined(parts: readonly Pick<Part, 'groups'>[]): Group[] {
  const all = new Map<string | undefined, Group>();
  for (const group of parts.flatMap(({ groups }) => groups)) {
    const existing = all.get(group.value);
    if (existing === undefined) all.set(group.value, group);
    else {
      const byState = sumsOf([existing.by_state, group.by_state]);
      const state = worstOf(byState) ?? existing.state;
      all.set(group.value, { ...existing, count: existing.count + group.count, by_state: byState, state });
    }
  }
  return [...all.values()].sort(
    (left, right) => byLiveShare(left.by_state, right.by_state) || right.count - left.count,
  );
}

/** Counts the objects of a list by a property. */
export async function readGroups<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  by: string,
  signal: AbortSignal,
): Promise<Groups> {
  const parts: Part[] = [];
  const { query } = groupQueryOf(kind, filters, by);
  do {
    const after = parts.at(-1)?.next;
    const part = parsedBy(countGroups.query, { ...query, ...(after === undefined ? {} : { after }) });
    parts.push(await call(countGroups, { query: part }, { signal }));
  } while (parts.at(-1)?.next !== undefined && parts.length < MAX_PARTS);
  return { groups: joined(parts), isComplete: parts.at(-1)?.next === undefined };
}

/** The filters of the list of one group; undefined if no filter selects it. */
export function filtersOfGroup<T extends InventoryObject>(
  { noun, typeField }: Kind<T>,
  filters: Readonly<Record<string, string>>,
  by: Grouping,
  { value }: Pick<Group, 'value'>,
): Record<string, string> | undefined {
  if ('label' in by) {
    const requirement =
      value === undefined
        ? `!${by.label}`
        : selectorOf([{ propertyKey: propertyOfLabel(by.label), operator: '=', value: [value] }]);
    const selector = [filters['selector'], requirement].filter((part) => part !== undefined && part !== '').join(',');
    return { ...filters, selector };
  }
  const { property } = by;
  if (property === 'type') return value === undefined ? undefined : { ...filters, [typeField]: value };
  const isWithoutFilter = property === 'status' || (noun === 'node' && property === 'cluster');
  if (isWithoutFilter && value === undefined) return undefined;
  return { ...filters, [property]: value ?? NO_VALUE };
}
