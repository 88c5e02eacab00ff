import type { Group, Grouping, GroupQuery } from '../../domain/groups/groups.ts';
import { wordsIn } from '../../domain/fields/list-query.ts';
import { type State, states } from '../../domain/fields/liveness.ts';
import type { Table } from '../../../shared/db/table.ts';
import { Groups } from '../lists/groups.ts';
import { isCountedInType, isCountedProperty, nameInType } from './property-counts.ts';
import { areRowFilters, keptValueCounts, matchingRows } from './kept-total.ts';
import type { KeptSummary } from './kept-summary.ts';
import { getSummary } from './summary.ts';

/** The places of a row, by the names of the properties. */
const placeOf = { node: 'region', service: 'environment', agent: 'status' } as const;

const isOfRows = (kind: GroupQuery['kind'], property: string | undefined) =>
  property === 'state' || property === 'type' || property === placeOf[kind];

type Filters = Readonly<Record<string, string>>;

/** Groups by state or type, or by the place of a row, of the objects that match filters. */
function groupsOfRows(
  kept: KeptSummary,
  kind: GroupQuery['kind'],
  property: string | undefined,
  filters: Filters,
): Groups | undefined {
  const isPlace = property === placeOf[kind];
  if (property === undefined || !isOfRows(kind, property) || !areRowFilters(kind, filters)) return undefined;
  const matching = matchingRows(kept, kind, filters, isPlace);
  if (matching === undefined) return undefined;
  const groups = new Groups();
  for (const [, of, state, place, count] of matching.rows) {
    const values: Record<string, string> = { state, type: of };
    const value = isPlace ? place : values[property];
    groups.add(value === undefined || value === '' ? [] : [value], state, count);
  }
  return groups;
}

/** Groups of all objects of a kind, or of those in some states or of one type, by another property, or a label without a type. */
function groupsByProperty(
  kept: KeptSummary,
  kind: GroupQuery['kind'],
  name: string,
  { state, [`${kind}_type`]: type, ...others }: Filters,
): Groups | undefined {
  if (Object.keys(others).length > 0) return undefined;
  const wanted: ReadonlySet<State> | undefined = wordsIn(states, state);
  const groups = new Groups();
  const valueCounts = keptValueCounts(kept, kind, type === undefined ? name : nameInType(type, name));
  for (const { value, byState } of valueCounts ?? [])
    for (const [of, count] of byState)
      if (count > 0 && wanted?.has(of) !== false) groups.add(value === undefined ? [] : [value], of, count);
  const isAbsent = type !== undefined && !kept.count.rows.some(([, ofType]) => ofType === type);
  return valueCounts === undefined && !isAbsent ? undefined : groups;
}

/**
 * The groups from the summary, which the request refreshes if it is older than a minute: however many ask, objects are counted once a
 * minute. Undefined for properties and filters by which it does not count, and until a first count of all objects has ended.
 */
export async function keptGroups(
  table: Table,
  { kind, group_by: _by, ...filters }: Omit<GroupQuery, 'after'>,
  by: Grouping,
  clock: () => Date,
): Promise<{ groups: Group[]; counted_at: string; label?: string } | undefined> {
  const { type, ...others } = filters;
  const set = Object.fromEntries(
    Object.entries({ ...others, [`${kind}_type`]: type }).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const property = 'property' in by ? by.property : undefined;
  const name = property ?? `labels.${'label' in by ? by.label : ''}`;
  const { state: _state, ...narrowing } = set;
  if (property !== undefined && isCountedInType(kind, property)) delete narrowing[`${kind}_type`];
  const isByRows = isOfRows(kind, property) && areRowFilters(kind, set);
  const isByProperty =
    (property === undefined || isCountedProperty(kind, property)) && Object.keys(narrowing).length === 0;
  if (!isByRows && !isByProperty) return undefined;
  const kept = await getSummary(table, clock);
  if (kept.isPartial) return undefined;
  const groups = groupsByProperty(kept, kind, name, set) ?? groupsOfRows(kept, kind, property, set);
  return (
    groups && {
      groups: groups.result(),
      counted_at: new Date(kept.countedAt).toISOString(),
      ...('label' in by ? { label: by.label } : {}),
    }
  );
}
