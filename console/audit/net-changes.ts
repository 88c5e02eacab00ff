import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { netFieldsOf } from '../../functions/domain/records/net-fields.ts';
import { type Difference, differencesOf } from '../model/differences.ts';
import { type AuditEntry, changeOf } from './audit-entry.ts';

/** The difference of an object between two times. */
export interface NetChange {
  kind: ObjectKind;
  id: string;
  /** The last name in the entries; undefined if no entry contains it. Of an agent, its type. */
  name: string | undefined;
  action: 'added' | 'changed' | 'removed';
  differences: Difference[];
  /** The last entry about the object. */
  last: AuditEntry;
}

export interface NamedChange extends NetChange {
  name: string;
}

interface ObjectChange extends NonNullable<ReturnType<typeof changeOf>> {
  entry: AuditEntry;
  kind: ObjectKind;
  id: string;
}

function objectChangeOf(entry: AuditEntry): ObjectChange[] {
  const change = changeOf(entry);
  if (change === undefined || entry.subject === undefined) return [];
  const [kind] = entry.event.split('.');
  if (kind !== 'node' && kind !== 'service' && kind !== 'agent') return [];
  return [{ ...change, entry, kind, id: entry.subject.id }];
}

const revisionOf = ({ entry }: ObjectChange) => entry.revision ?? 0;

const isRemoval = ({ action }: ObjectChange) => action === 'removed';

/**
 * Changes of one millisecond have any order in the audit, but the revisions of an object increase. A removal has the
 * revision of the change before it.
 */
const oldestFirst = (left: ObjectChange, other: ObjectChange) =>
  revisionOf(left) - revisionOf(other) || Number(isRemoval(left)) - Number(isRemoval(other));

function nameOf({ entry, before, after }: ObjectChange): string | undefined {
  const { agent_type: type } = { ...before, ...after };
  return entry.subject?.name ?? (typeof type === 'string' ? type : undefined);
}

/** The difference that the changes of one object make together. @returns undefined if they make none. */
function netOf(changes: readonly ObjectChange[]): NetChange | undefined {
  const ordered = changes.toSorted(oldestFirst);
  const [first, last] = [ordered.at(0), ordered.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [wasThere, isThere] = [first.action !== 'added', last.action !== 'removed'];
  if (!wasThere && !isThere) return undefined;
  const { before, after } = netFieldsOf(ordered);
  const action = !wasThere ? 'added' : isThere ? 'changed' : 'removed';
  const differences = differencesOf({
    action,
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  });
  if (action === 'changed' && differences.length === 0) return undefined;
  const name = ordered.map(nameOf).findLast((objectName) => objectName !== undefined);
  return { kind: last.kind, id: last.id, name, action, differences, last: last.entry };
}

/**
 * The net difference of a sequence of audit entries: the objects that exist on one side only, or have fields that differ
 * between the start and the end. A field that changed back is absent, and so is an object that was added and removed.
 *
 * @param entries all entries between two times, in any order.
 */
export function netChanges(entries: readonly AuditEntry[]): NetChange[] {
  const byObject = Map.groupBy(entries.flatMap(objectChangeOf), ({ kind, id }) => `${kind}/${id}`);
  return [...byObject.values()].map(netOf).filter((netChange) => netChange !== undefined);
}
