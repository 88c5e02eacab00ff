import type { Item } from '../../../shared/db/table.ts';
import { internalFields } from '../../domain/fields/internal-fields.ts';

/** Replies show of the internal fields only `removing`. */
const hidden: ReadonlySet<string> = new Set(internalFields.filter((name) => name !== 'removing'));

/**
 * An object as JSON, for replies.
 *
 * @param fields the names of the fields to show; undefined: all that replies may contain.
 */
export function shownJson(object: Item, fields?: ReadonlySet<string>): string {
  const shown: Item = {};
  for (const name of Object.keys(object)) if (fields?.has(name) ?? !hidden.has(name)) shown[name] = object[name];
  return JSON.stringify(shown);
}

/** The JSON of an object with more fields. */
export function withFields(json: string, fields: Item): string {
  return `${json.slice(0, -1)},${JSON.stringify(fields).slice(1)}`;
}
