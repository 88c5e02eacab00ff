import type { AuditEntry } from './audit-entry.ts';
import { foldEntries } from './fold-entries.ts';

const entry = (id: string, event: AuditEntry['event'], request: string): AuditEntry => ({
  ...{ audit_id: id, event, request_id: request, time: '2026-03-02T09:30:00.000Z' },
  subject: { kind: event.split('.')[0]!, id: `id-${id}`, name: id },
});

/** Five changes of an import, of two kinds. */
const imported = ['a', 'b', 'c', 'd', 'e'].map((id, index) =>
  entry(id, index < 3 ? 'node.added' : 'service.added', 'r-1'),
);

test('the changes of an import are one row, in the place of the newest, with those of other requests around it', () => {
  const rows = foldEntries([entry('new', 'node.changed', 'r-2'), ...imported, entry('old', 'node.added', 'r-0')]);
  expect(rows.map(({ audit_id: id, entries }) => [id, entries.length])).toEqual([
    ['new', 1],
    ['a', 5],
    ['old', 1],
  ]);
  expect(rows[1]!.entries).toEqual(imported);
});

test('a few changes of one request, its removals beside its adds, and entries that are no changes have a row each', () => {
  expect(foldEntries(imported.slice(1))).toHaveLength(4);
  const removed = ['f', 'g'].map((id) => entry(id, 'node.removed', 'r-1'));
  expect(foldEntries([...imported, ...removed]).map(({ entries }) => entries.length)).toEqual([5, 1, 1]);
  const keys = ['1', '2', '3', '4', '5', '6'].map((id) => entry(id, 'api_key.added', 'r-1'));
  expect(foldEntries(keys)).toHaveLength(6);
});
