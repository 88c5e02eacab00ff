import type { Change } from '../../typescript/src/generated/types.ts';
import type { Layout } from './output.ts';
import type { Fields } from './values.ts';

export const changeLayout: Layout = {
  columns: ['time', 'action', 'kind', 'object', 'revision', 'actor', 'fields'],
};

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** A change in a table: what happened to which object, by whom, and the new values of a change. */
export function changeRow({ time, action, kind, id, revision, actor, before = {}, after = {} }: Change): Fields {
  const name = text(after[`${kind}_name`]) ?? text(before[`${kind}_name`]) ?? id;
  const fields = Object.keys({ ...before, ...after }).map((field) => [field, after[field] ?? 'none'] as const);
  return {
    time,
    action,
    kind,
    object: name,
    revision,
    actor: actor.name,
    fields: action === 'changed' ? Object.fromEntries(fields) : {},
  };
}
