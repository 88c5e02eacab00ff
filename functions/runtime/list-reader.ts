import type { Scope } from '../store/entities/key-scope.ts';
import type { ListReader } from '../store/lists/list-objects.ts';
import { keptTotal } from '../store/summary/kept-total.ts';
import type { Dependencies } from './dependencies.ts';

/** The reader of a list for a caller. Its totals are those of the last summary, if that has them. */
export function listReader({ table, clock, log }: Dependencies, scope: Scope): ListReader {
  const now = clock();
  return { scope, now, log, keptTotal: async (kind, filters) => keptTotal(table, kind, filters, now) };
}
