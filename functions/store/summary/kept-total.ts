import { wordsIn } from '../../domain/fields/list-query.ts';
import { type State, states } from '../../domain/fields/liveness.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import { shownStatuses } from '../../domain/agent/types.ts';
import { SUMMARY_SECONDS } from '../../domain/records/summary.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { ListTotal } from '../table/page.ts';
import { readKept } from './kept-summary.ts';
import { OTHER, type Row } from './rows.ts';

/** The filter whose values the rows of a kind have, besides type and state. */
const placeFilters = { node: 'region', service: 'environment', agent: 'status' } as const;

interface KeptRows {
  rows: Row[];
  /** When they were counted. */
  countedAt: string;
}

/**
 * The rows of the summary that match filters by type, state, and region of nodes, environment of services or status of agents.
 * Undefined for other filters, for places of which the summary does not count all apart, and for a summary that nobody has refreshed
 * in the last minute. One eventually consistent read, none for other filters.
 */
export async function matchingRows(
  table: Table,
  kind: ObjectKind,
  filters: Readonly<Record<string, string>>,
  { now, needsPlaces = false }: { now: Date; needsPlaces?: boolean },
): Promise<KeptRows | undefined> {
  const { [`${kind}_type`]: type, state, [placeFilters[kind]]: place, ...others } = filters;
  if (Object.keys(others).length > 0 || place === '') return undefined;
  const kept = await readKept(table);
  if (kept === undefined || kept.isPartial || now.getTime() - kept.at > SUMMARY_SECONDS * 1000) return undefined;
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

/** The number of objects that match these filters, from the summary. Undefined as for `matchingRows`. */
export async function keptTotal(
  table: Table,
  kind: ObjectKind,
  filters: Readonly<Record<string, string>>,
  now: Date,
): Promise<ListTotal | undefined> {
  const kept = await matchingRows(table, kind, filters, { now });
  return kept && { total: kept.rows.reduce((sum, [, , , , count]) => sum + count, 0), total_at: kept.countedAt };
}
