import * as z from 'zod/mini';
import { type State, states } from '../../domain/fields/liveness.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { MAX_COUNTED_VALUES } from '../../domain/records/summary.ts';

/** The values of objects that are counted together; `place` is the region of nodes, the environment of services, and the status of agents. */
export const rowSchema = z.tuple([z.enum(objectKinds), z.string(), z.enum(states), z.string(), z.int()]);

export type Row = z.output<typeof rowSchema>;

/** Different regions, environments or statuses that are counted until the largest are known. */
export const MAX_TRACKED_VALUES = 100;

/** The values of objects that one row counts. */
export const keyOfRow = (row: Row) => JSON.stringify(row.slice(0, 4));

const rowsByKey = (rows: readonly Row[]) => new Map(rows.map((row) => [keyOfRow(row), row]));

export const OTHER = 'other';

/** How many objects of each kind have each value, without those of no value and of the values that are not apart. */
function totalsOf(rows: readonly Row[]): Record<Row[0], Map<string, number>> {
  const totals = {
    node: new Map<string, number>(),
    service: new Map<string, number>(),
    agent: new Map<string, number>(),
  };
  for (const [kind, , , value, count] of rows)
    if (value !== '' && value !== OTHER) totals[kind].set(value, (totals[kind].get(value) ?? 0) + count);
  return totals;
}

/** Whether a value of a kind is one of those with the most objects: a caller with few objects displaces no value of others. */
export function largestValues(rows: readonly Row[]): (kind: Row[0], value: string) => boolean {
  const largestOf = (values: ReadonlyMap<string, number>) =>
    new Set(
      [...values]
        .toSorted((left, right) => right[1] - left[1])
        .slice(0, MAX_COUNTED_VALUES)
        .map(([value]) => value),
    );
  const { node, service, agent } = totalsOf(rows);
  const largest = { node: largestOf(node), service: largestOf(service), agent: largestOf(agent) };
  return (kind, value) => value === '' || largest[kind].has(value);
}

/** The rows, with those of other values as one value. */
export function withOther(rows: readonly Row[], isNamed: (kind: Row[0], value: string) => boolean): Row[] {
  const merged = new Map<string, Row>();
  for (const [kind, type, state, value, count] of rows)
    addTo(merged, [kind, type, state, isNamed(kind, value) ? value : OTHER, count]);
  return [...merged.values()];
}

function addTo(rows: Map<string, Row>, [kind, type, state, value, count]: Row): void {
  const added: Row = [kind, type, state, value, 0];
  const row = rows.get(keyOfRow(added)) ?? added;
  row[4] += count;
  rows.set(keyOfRow(row), row);
}

/** Rows that count objects one after the other, and the part of them that is silenced. */
export class Rows {
  private readonly rows: Map<string, Row>;
  private readonly silenced: Map<string, Row>;
  /** The numbers of objects with the counted regions, environments and statuses. */
  private readonly values: ReturnType<typeof totalsOf>;

  constructor(rows: readonly Row[], silenced: readonly Row[]) {
    this.rows = rowsByKey(rows);
    this.silenced = rowsByKey(silenced);
    this.values = totalsOf(rows);
  }

  count(kind: Row[0], type: string, state: State, value: string, isSilenced: boolean): void {
    const counts = this.values[kind];
    if (value !== '' && value !== OTHER) {
      if (!counts.has(value) && counts.size >= MAX_TRACKED_VALUES) this.dropLeast(kind);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    for (const rows of isSilenced ? [this.rows, this.silenced] : [this.rows])
      addTo(rows, [kind, type, state, value, 1]);
  }

  result(): { rows: Row[]; silenced: Row[] } {
    // Rows of a value are together, so that they are packed well.
    const rows = [...this.rows.values()].toSorted(([, , , left], [, , , right]) =>
      left < right ? -1 : Number(left > right),
    );
    return { rows, silenced: [...this.silenced.values()] };
  }

  /** Makes room for another value: the one with the fewest objects is no longer apart. */
  private dropLeast(kind: Row[0]): void {
    const counts = this.values[kind];
    let least: [string, number] | undefined;
    for (const entry of counts) if (least === undefined || entry[1] < least[1]) least = entry;
    if (least === undefined) return;
    const [dropped] = least;
    counts.delete(dropped);
    for (const rows of [this.rows, this.silenced])
      for (const [key, [of, type, state, value, count]] of rows) {
        if (of !== kind || value !== dropped) continue;
        rows.delete(key);
        addTo(rows, [kind, type, state, OTHER, count]);
      }
  }
}
