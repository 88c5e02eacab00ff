import type { Group, Grouping, GroupQuery } from '../../domain/groups/groups.ts';
import type { Table } from '../../../shared/db/table.ts';
import { Groups } from '../lists/groups.ts';
import { matchingRows } from './kept-total.ts';

/** The places of a row, by the names of the properties. */
const placeOf = { node: 'region', service: 'environment', agent: 'status' } as const;

/**
 * The groups by state, type, region of nodes, environment of services or status of agents, from the summary. Undefined as for
 * `keptTotal`. One eventually consistent read, none for other properties or filters.
 */
export async function keptGroups(
  table: Table,
  { kind, group_by: _by, ...filters }: Omit<GroupQuery, 'after'>,
  by: Grouping,
  now: Date,
): Promise<{ groups: Group[]; counted_at: string } | undefined> {
  const property = 'property' in by ? by.property : undefined;
  const isPlace = property === placeOf[kind];
  if (property !== 'state' && property !== 'type' && !isPlace) return undefined;
  const { type, ...others } = filters;
  const set = Object.entries({ ...others, [`${kind}_type`]: type }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const kept = await matchingRows(table, kind, Object.fromEntries(set), { now, needsPlaces: isPlace });
  if (kept === undefined) return undefined;
  const groups = new Groups();
  for (const [, of, state, place, count] of kept.rows) {
    const values: Record<string, string> = { state, type: of };
    const value = isPlace ? place : values[property];
    groups.add(value === undefined || value === '' ? [] : [value], state, count);
  }
  return { groups: groups.result(), counted_at: kept.countedAt };
}
