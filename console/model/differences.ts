import type * as z from 'zod/mini';
import type { changeSchema } from '../../functions/domain/records/change.ts';
import { type TargetKind, targetOf } from './target.ts';
import { labelOf } from '../ui/words.ts';

type Change = z.output<typeof changeSchema>;

/** The change of one field or label. */
export interface Difference {
  /** With the names of the groups around it: `insights.node_ids`, `custom_labels.team`. */
  path: string;
  label: string;
  /** The kind of object that the ids in the field name. */
  target: TargetKind | undefined;
  /** Undefined for a field that did not exist. */
  before: unknown;
  after: unknown;
}

/** Fields of the state. They come first, because they describe the present, not the configuration. */
export const stateFields: readonly string[] = ['connected', 'status', 'disabled'];

/** Fields that every change changes, and fields that never change. */
const leftOut: ReadonlySet<string> = new Set([
  ...['created_at', 'updated_at', 'revision'],
  ...['node_id', 'service_id', 'agent_id'],
]);

type Fields = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Users choose the names of labels: a label can have the name of a property of every object, such as `constructor`. */
const ownValue = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

interface Sides {
  before?: unknown;
  after?: unknown;
}

const CUSTOM_LABELS = 'custom_labels';

function differenceAt(path: string, { before, after }: Sides): Difference {
  // Users choose the names of labels: a label `node_id` need not contain the id of a node.
  return path.startsWith(`${CUSTOM_LABELS}.`)
    ? { path, label: `Label ${path.slice(CUSTOM_LABELS.length + 1)}`, target: undefined, before, after }
    : { path, label: labelOf(path), target: targetOf(path), before, after };
}

const namesIn = (...sides: readonly Fields[]) => new Set(sides.flatMap((side) => Object.keys(side)));

/**
 * The differences of a field. A group has one for each of its fields that differs.
 *
 * @param path as in the API: `address`, `insights`, `custom_labels.team`.
 */
export function differencesAt(path: string, { before, after }: Sides): Difference[] {
  if (!isGroup(before ?? after) || !isGroup(after ?? before)) return [differenceAt(path, { before, after })];
  const [was, is] = [isGroup(before) ? before : {}, isGroup(after) ? after : {}];
  return [...namesIn(was, is)].map((name) =>
    differenceAt(`${path}.${name}`, { before: ownValue(was, name), after: ownValue(is, name) }),
  );
}

/** Whether the value is empty: the fields of an added or removed object omit it. */
const isNothing = (value: unknown) =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

const placeOf = ({ path }: Difference) => {
  const place = stateFields.indexOf(path);
  return place === -1 ? stateFields.length : place;
};

/**
 * The differences of a change, field by field and label by label. An added or removed object has one for each of its
 * fields.
 */
export function differencesOf({ action, before = {}, after = {} }: Pick<Change, 'action'> & Partial<Change>) {
  const isTold = ({ before: was, after: is }: Difference) =>
    action === 'changed' ? JSON.stringify(was) !== JSON.stringify(is) : !(isNothing(was) && isNothing(is));
  return [...namesIn(before, after)]
    .filter((name) => !leftOut.has(name))
    .flatMap((name) => differencesAt(name, { before: before[name], after: after[name] }))
    .filter(isTold)
    .sort((left, other) => placeOf(left) - placeOf(other));
}

/** A value without the entries that the other side also contains: of two lists, only the added or removed entries. */
export function ownPart(value: unknown, other: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(other)) return value;
  const additional = value.filter((entry) => !other.includes(entry));
  // The lists differ only in their order: all entries.
  if (additional.length === 0 && other.every((entry) => value.includes(entry))) return value;
  return additional.length === 0 ? undefined : additional;
}
