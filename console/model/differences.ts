import type * as z from 'zod/mini';
import type { changeSchema } from '../../functions/domain/records/change.ts';
import { type Target, targetOf } from './target.ts';
import { labelOf } from '../ui/words.ts';

type Change = z.output<typeof changeSchema>;

/** The change of one field or label. */
export interface Difference {
  /** With the names of the groups around it: `insights.node_ids`, `custom_labels.team`. */
  path: string;
  label: string;
  /** What the ids in it stand for. */
  target: Target | undefined;
  /** Undefined where it was not there. */
  before: unknown;
  after: unknown;
}

/** They say what an object does, not what it is; so they come first. */
export const stateFields: readonly string[] = ['connected', 'status', 'disabled'];

/** What every change changes, and what never changes. */
const leftOut: ReadonlySet<string> = new Set([
  ...['created_at', 'updated_at', 'revision'],
  ...['node_id', 'service_id', 'agent_id'],
]);

type Fields = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Sides {
  before?: unknown;
  after?: unknown;
}

const CUSTOM_LABELS = 'custom_labels';

function differenceAt(path: string, { before, after }: Sides): Difference {
  // The name of a label is the user's own word: `node_id` need not be the id of a node.
  return path.startsWith(`${CUSTOM_LABELS}.`)
    ? { path, label: `Label ${path.slice(CUSTOM_LABELS.length + 1)}`, target: undefined, before, after }
    : { path, label: labelOf(path), target: targetOf(path), before, after };
}

const namesIn = (...sides: readonly Fields[]) => new Set(sides.flatMap((side) => Object.keys(side)));

/**
 * A field that is, or is to be, different: itself, or of a group each part that is.
 *
 * @param path as in the API: `address`, `insights`, `custom_labels.team`.
 */
export function differencesAt(path: string, { before, after }: Sides): Difference[] {
  if (!isGroup(before ?? after) || !isGroup(after ?? before)) return [differenceAt(path, { before, after })];
  const [was, is] = [isGroup(before) ? before : {}, isGroup(after) ? after : {}];
  return [...namesIn(was, is)].map((name) => differenceAt(`${path}.${name}`, { before: was[name], after: is[name] }));
}

/** Says nothing in the list of all that an object had. */
const isNothing = (value: unknown) =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

const placeOf = ({ path }: Difference) => {
  const place = stateFields.indexOf(path);
  return place === -1 ? stateFields.length : place;
};

/** What a change did to each field and each label; of what was added or removed as a whole, what it had. */
export function differencesOf({ action, before = {}, after = {} }: Pick<Change, 'action'> & Partial<Change>) {
  const isTold = ({ before: was, after: is }: Difference) =>
    action === 'changed' ? JSON.stringify(was) !== JSON.stringify(is) : !(isNothing(was) && isNothing(is));
  return [...namesIn(before, after)]
    .filter((name) => !leftOut.has(name))
    .flatMap((name) => differencesAt(name, { before: before[name], after: after[name] }))
    .filter(isTold)
    .sort((one, other) => placeOf(one) - placeOf(other));
}

/** A value of one side without what the other side has as well: of two lists, only what came or went. */
export function ownPart(value: unknown, other: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(other)) return value;
  const own = value.filter((one) => !other.includes(one));
  // The same things in another order: all of them.
  if (own.length === 0 && other.every((one) => value.includes(one))) return value;
  return own.length === 0 ? undefined : own;
}
