import type * as z from 'zod/mini';
import type { changeSchema } from '../../functions/catalogue/change-record.ts';
import { type Target, targetOf } from './target.ts';
import { labelOf } from './words.ts';

type Change = z.output<typeof changeSchema>;

/** What became of one field, or of one label. */
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

type Part = Omit<Difference, 'before' | 'after'> & { value: unknown };

function partsOf(name: string, value: unknown): Part[] {
  if (!isGroup(value)) return [{ path: name, label: labelOf(name), target: targetOf(name), value }];
  return Object.entries(value).map(([part, partValue]) => {
    const path = `${name}.${part}`;
    // The name of a label is the user's own word: `node_id` need not be the id of a node.
    return name === 'custom_labels'
      ? { path, label: `Label ${part}`, target: undefined, value: partValue }
      : { path, label: labelOf(path), target: targetOf(path), value: partValue };
  });
}

const partsIn = (fields: Fields = {}) =>
  Object.entries(fields).flatMap(([name, value]) => (leftOut.has(name) ? [] : partsOf(name, value)));

/** Says nothing in the list of all that an object had. */
const isNothing = (value: unknown) =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

const placeOf = ({ path }: Difference) => {
  const place = stateFields.indexOf(path);
  return place === -1 ? stateFields.length : place;
};

/** What a change did to each field and each label; of what was added or removed as a whole, what it had. */
export function differencesOf({ action, before, after }: Pick<Change, 'action'> & Partial<Change>): Difference[] {
  const found = new Map<string, Difference>();
  for (const { value, ...part } of partsIn(before)) found.set(part.path, { ...part, before: value, after: undefined });
  for (const { value, ...part } of partsIn(after))
    found.set(part.path, { ...part, before: found.get(part.path)?.before, after: value });
  const isTold = ({ before: was, after: is }: Difference) =>
    action === 'changed' ? JSON.stringify(was) !== JSON.stringify(is) : !(isNothing(was) && isNothing(is));
  return [...found.values()].filter(isTold).sort((one, other) => placeOf(one) - placeOf(other));
}
