import { countGroups, type CountGroupsReply } from '../../../typescript/src/generated/operations.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { lists } from '../generated/lists.ts';
import type { KindName } from './objects.ts';
import type { Fields } from '../core/values.ts';

/** The states of objects. */
export const { words: states } = lists.nodes.filters.find((filter) => filter.name === 'state') ?? { words: [] };

export const groupColumns: readonly string[] = ['value', 'count', ...states];

interface Counts {
  value: string | undefined;
  count: number;
  byState: Record<string, number>;
}

// A method instead of a function: the filters are known at run time, and the service refuses those that it does not have.
const groups: { count(client: Client, query: object): Promise<CountGroupsReply> } = { count: countGroups };

/** The objects of a kind that match, counted by the values of a property. The largest group first. */
export async function readGroups(
  client: Client,
  kind: KindName,
  by: string,
  { [`${kind}_type`]: type, ...filters }: Record<string, string>,
): Promise<Fields[]> {
  const all = new Map<string | undefined, Counts>();
  let after: string | undefined;
  do {
    const query = { ...filters, kind, group_by: by, type, after };
    const { groups: part, next } = await groups.count(client, query);
    for (const { value, count, by_state: counts } of part) {
      const group = all.get(value) ?? { value, count: 0, byState: {} };
      group.count += count;
      for (const [state, number] of Object.entries(counts)) group.byState[state] = (group.byState[state] ?? 0) + number;
      all.set(value, group);
    }
    after = next;
  } while (after !== undefined);
  return [...all.values()]
    .sort((left, right) => right.count - left.count)
    .map(({ value, count, byState }) => ({ value, count, ...byState }));
}
