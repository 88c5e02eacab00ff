import type { Table } from '../../../shared/db/table.ts';
import type { ApiKey } from './api-keys.ts';

/** Numbers of authorizations by day, as `2026-03-02` in UTC. */
export type UsesByDay = Readonly<Record<string, number>>;

/** The number of days that are stored: the latest ones with a use. */
const DAYS = 7;

/** Maximum number of keys whose counts wait in a process; beyond it, the key that waits longest loses its count. */
const MAX_WAITING = 10_000;

/** The authorizations of a process since it last wrote those of the key, by the id of the key. */
const waiting = new WeakMap<Table, Map<string, Record<string, number>>>();

function waitingIn(table: Table): Map<string, Record<string, number>> {
  const waitingCounts = waiting.get(table);
  if (waitingCounts !== undefined) return waitingCounts;
  const counts = new Map<string, Record<string, number>>();
  waiting.set(table, counts);
  return counts;
}

/** The sum of both, of the latest days. */
export function sumOfUses(left: UsesByDay = {}, right: UsesByDay = {}): Record<string, number> {
  const days = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted().slice(-DAYS);
  return Object.fromEntries(days.map((day) => [day, (left[day] ?? 0) + (right[day] ?? 0)]));
}

/** Counts uses that wait to be written. */
export function addUses(table: Table, { key_id: id }: Pick<ApiKey, 'key_id'>, uses: UsesByDay): void {
  const counts = waitingIn(table);
  counts.set(id, sumOfUses(counts.get(id), uses));
  const [longest] = counts.keys();
  if (counts.size > MAX_WAITING && longest !== undefined) counts.delete(longest);
}

/**
 * Counts one authorization. It is written with the next last use of the key, so counting costs no request. Not counted:
 * sessions; the keys of programs of a provider, which are in no list.
 */
export function countUse(table: Table, key: ApiKey, now: Date): void {
  if (key.kind !== 'api_key' || key.provider !== undefined) return;
  const day = now.toISOString().slice(0, 10);
  const uses = waitingIn(table).get(key.key_id);
  // Every request passes here.
  if (uses?.[day] === undefined) addUses(table, key, { [day]: 1 });
  else uses[day] += 1;
}

/** Removes and returns the counts that wait for a key. */
export function takeUses(table: Table, { key_id: id }: Pick<ApiKey, 'key_id'>): UsesByDay | undefined {
  const counts = waitingIn(table);
  const uses = counts.get(id);
  counts.delete(id);
  return uses;
}
