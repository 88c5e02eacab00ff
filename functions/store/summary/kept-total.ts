import { wordsIn } from '../../domain/fields/list-query.ts';
import { type State, states } from '../../domain/fields/liveness.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import { shownStatuses } from '../../domain/agent/types.ts';
import { SUMMARY_SECONDS } from '../../domain/records/summary.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type ValueCount, valueCountsOf, isCountedProperty } from './property-counts.ts';
import type { ListTotal } from '../table/page.ts';
import { type KeptSummary, readKept } from './kept-summary.ts';
import { OTHER, type Row } from './rows.ts';

/** The filter whose values the rows of a kind have, besides type and state. */
const placeFilters = { node: 'region', service: 'environment', agent: 'status' } as const;

interface KeptRows {
  rows: Row[];
  /** When they were counted. */
  countedAt: string;
}

type Filters = Readonly<Record<string, string>>;

/** Whether the summary counts objects by all of these filters: type, state, and region of nodes, environment of services or status of agents. */
export function areRowFilters(
  kind: ObjectKind,
  { [`${kind}_type`]: _type, state: _state, [placeFilters[kind]]: place, ...others }: Filters,
): boolean {
  return Object.keys(others).length === 0 && place !== '';
}

/** The rows of the summary that match such filters. Undefined for places of which the summary does not count all apart. */
export function matchingRows(
  kept: KeptSummary,
  kind: ObjectKind,
  filters: Filters,
  needsPlaces = false,
): KeptRows | undefined {
  const { [`${kind}_type`]: type, state, [placeFilters[kind]]: place } = filters;
  const wanted: ReadonlySet<State> | undefined = wordsIn(states, state);
  const places: ReadonlySet<string> | undefined =
    kind === 'agent' ? wordsIn(shownStatuses, place) : place === undefined ? undefined : new Set([place]);
  const rows = kept.count.rows.filter(([of]: Row) => of === kind);
  if ((needsPlaces || places !== undefined) && rows.some(([, , , value]) => value === OTHER)) return undefined;
  return {
    rows: rows.filter(
      ([, of, at, value]) =>
        (type === undefined || of === type) && wanted?.has(at) !== false && places?.has(value) !== false,
    ),
    countedAt: new Date(kept.countedAt).toISOString(),
  };
}

/** The objects of a kind by a property, or by `labels.` and the name of a label. Undefined if the summary does not count them by it. */
export function keptValueCounts(
  { count, propertyCounts }: KeptSummary,
  kind: ObjectKind,
  name: string,
): ValueCount[] | undefined {
  if (propertyCounts === undefined) return undefined;
  const total: Partial<Record<State, number>> = {};
  for (const [of, , state, , number] of count.rows) if (of === kind) total[state] = (total[state] ?? 0) + number;
  return valueCountsOf(propertyCounts, kind, name, total);
}

/**
 * The number of objects that match these filters, from the summary. Undefined for filters by which it does not count, and for a summary
 * that nobody has refreshed in the last minute. One eventually consistent read, none for other filters.
 */
export async function keptTotal(
  table: Table,
  kind: ObjectKind,
  filters: Filters,
  now: Date,
): Promise<ListTotal | undefined> {
  const [only, ...more] = Object.entries(filters);
  const isOne = only !== undefined && more.length === 0 && isCountedProperty(kind, only[0]);
  if (!isOne && !areRowFilters(kind, filters)) return undefined;
  const kept = await readKept(table);
  if (kept === undefined || kept.isPartial || now.getTime() - kept.at > SUMMARY_SECONDS * 1000) return undefined;
  const total_at = new Date(kept.countedAt).toISOString();
  if (isOne) {
    const values = keptValueCounts(kept, kind, only[0])?.filter(({ value = '' }) => value === only[1]);
    if (values !== undefined)
      return { total: sumOf(values.flatMap(({ byState }) => byState.map(([, number]) => number))), total_at };
  }
  const rows = areRowFilters(kind, filters) ? matchingRows(kept, kind, filters) : undefined;
  return rows && { total: sumOf(rows.rows.map(([, , , , number]) => number)), total_at };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
