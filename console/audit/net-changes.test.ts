import fc from '../../shared/testing/fast-check.ts';
import { differencesOf } from '../model/differences.ts';
import type { AuditEntry } from './audit-entry.ts';
import { netChanges } from './net-changes.ts';

type Fields = Record<string, unknown>;

/** The objects by their ids, and the entries of their changes, as the server writes them. */
class Model {
  readonly objects = new Map<string, Fields>();
  readonly entries: AuditEntry[] = [];
  readonly #revisions = new Map<string, number>();

  #record(id: string, action: string, sides: { before?: Fields; after?: Fields }): void {
    const revision = (this.#revisions.get(id) ?? 1) + Number(action !== 'removed');
    this.#revisions.set(id, revision);
    this.entries.push({
      audit_id: String(this.entries.length),
      time: '2026-03-02T09:30:00.000Z',
      event: `node.${action}` as AuditEntry['event'],
      request_id: 'r',
      subject: { kind: 'node', id },
      revision,
      ...sides,
    });
  }

  /** Replaces the object; undefined removes it. What is impossible has no effect. */
  set(id: string, after: Fields | undefined): void {
    const before = this.objects.get(id);
    if (after === undefined) {
      if (before !== undefined) this.#record(id, 'removed', { before });
      this.objects.delete(id);
      return;
    }
    this.objects.set(id, after);
    const part = (from: Fields, other: Fields) =>
      Object.fromEntries(
        Object.entries(from).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
      );
    if (before === undefined)
      this.#record(id, this.#revisions.has(id) || id.startsWith('old') ? 'restored' : 'added', { after });
    else this.#record(id, 'changed', { before: part(before, after), after: part(after, before) });
  }
}

const value = fc.constantFrom('', 'a', 'b', false, true, ['x'], ['x', 'y'], []);
const object = fc.record(
  {
    node_name: fc.constantFrom('n', 'm'),
    az: value,
    region: value,
    custom_labels: fc.dictionary(fc.constantFrom('team', 'constructor', '__proto__'), fc.constantFrom('', '1', '2')),
  },
  { requiredKeys: ['node_name'] },
);
const id = fc.constantFrom('old-1', 'old-2', 'new-1', 'new-2');

/** The difference of two whole states, by object. */
function compared(was: ReadonlyMap<string, Fields>, is: ReadonlyMap<string, Fields>) {
  const ids = [...new Set([...was.keys(), ...is.keys()])];
  const all = ids.map((objectId) => {
    const [before, after] = [was.get(objectId), is.get(objectId)];
    const action = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const differences = differencesOf({ action, ...(before && { before }), ...(after && { after }) });
    return [objectId, action, byPath(differences)] as const;
  });
  return all.filter(([, action, differences]) => action !== 'changed' || differences.length > 0).sort();
}

const byPath = (differences: readonly { path: string }[]) =>
  differences.toSorted((left, other) => (left.path < other.path ? -1 : 1));

test('the net difference of any changes in any order equals that of the two states', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('old-1', 'old-2'), object),
      fc.array(fc.tuple(id, fc.option(object, { nil: undefined })), { maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (start, steps, random) => {
        const model = new Model();
        for (const [objectId, fields] of Object.entries(start)) model.set(objectId, fields);
        model.entries.splice(0, Infinity);
        const was = new Map(model.objects);
        for (const [objectId, fields] of steps) model.set(objectId, fields);
        const entries = model.entries
          .map((entry) => ({ entry, rank: random.next().value as number }))
          .sort((left, other) => left.rank - other.rank)
          .map(({ entry }) => entry);
        const netChange = netChanges(entries).map(
          (netChange) => [netChange.id, netChange.action, byPath(netChange.differences)] as const,
        );
        expect(netChange.sort()).toEqual(compared(was, model.objects));
      },
    ),
    { numRuns: 2000 },
  );
});

const entry = (event: AuditEntry['event'], revision: number, more: Partial<AuditEntry>): AuditEntry => ({
  audit_id: `${event} ${revision}`,
  time: `2026-03-02T09:30:0${revision}.000Z`,
  event,
  request_id: 'r',
  revision,
  ...more,
});

test('a reverted field is omitted, others have first and last values with the last entry', () => {
  const subject = { kind: 'service', id: 's-1', name: 'orders' };
  const entries = [
    entry('service.changed', 4, { subject: { kind: 'service', id: 's-1' }, before: { port: 3 }, after: { port: 1 } }),
    entry('service.changed', 3, { subject, before: { port: 2, az: 'b' }, after: { port: 3, az: 'c' } }),
    entry('service.changed', 2, { subject, before: { port: 1, az: 'a' }, after: { port: 2, az: 'b' } }),
    entry('api_key.added', 1, { subject: { kind: 'api_key', id: 'k' }, after: { role: 'Viewer' } }),
  ];
  expect(netChanges(entries)).toEqual([
    {
      ...{ kind: 'service', id: 's-1', name: 'orders', action: 'changed', last: entries[0] },
      differences: [expect.objectContaining({ path: 'az', before: 'a', after: 'c' })],
    },
  ]);
});
