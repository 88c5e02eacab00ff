import { type AuditEntry, changeOf } from './audit-entry.ts';

/** An entry, or the changes of several objects by one request: one row. */
export interface AuditRow {
  audit_id: string;
  /** The newest. */
  entry: AuditEntry;
  /** All of them, the newest first. */
  entries: readonly AuditEntry[];
}

/** Fewer changes of one request have a row each. */
const MIN_FOLDED = 5;

/** A key that changes by the same request and action share; any other entry has a row of its own. */
function rowKeyOf(entry: AuditEntry): string {
  const action = changeOf(entry) === undefined ? undefined : entry.event.split('.')[1];
  return action === undefined ? entry.audit_id : `${entry.request_id} ${action}`;
}

/** The entries as rows, newest first: an import is one row, in the place of its newest change. */
export function foldEntries(entries: readonly AuditEntry[]): AuditRow[] {
  const groups = Map.groupBy(entries, rowKeyOf);
  return entries.flatMap((entry): AuditRow[] => {
    const group = groups.get(rowKeyOf(entry)) ?? [];
    if (group.length < MIN_FOLDED) return [{ audit_id: entry.audit_id, entry, entries: [entry] }];
    return group[0] === entry ? [{ audit_id: entry.audit_id, entry, entries: group }] : [];
  });
}
