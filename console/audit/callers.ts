import { isId } from '../model/object-id.ts';

export interface Caller {
  id: string;
  name: string;
}

/** As many names are said to choose from. */
const MAX_NAMED = 5;

/**
 * The caller that a text means: by its id, by its name, or by a part of the name that no other caller has.
 *
 * @returns the id, or what is wrong with the text.
 */
export function callerOf(text: string, callers: readonly Caller[]): { id: string } | { problem: string } {
  const lower = text.toLowerCase();
  const exact = callers.find(({ id }) => id === text) ?? callers.find(({ name }) => name.toLowerCase() === lower);
  if (exact !== undefined) return { id: exact.id };
  // The id of a caller that is no longer there, for example of a removed key.
  if (isId(text)) return { id: text };
  const found = callers.filter(({ name }) => name.toLowerCase().includes(lower));
  const [first, ...others] = found;
  if (first === undefined) return { problem: `No caller has "${text}" in its name. Enter a name or an id.` };
  if (others.length === 0) return { id: first.id };
  const names = [...new Set(found.map(({ name }) => name))];
  const more = names.length - MAX_NAMED;
  const list = `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return { problem: `Several callers have "${text}" in their names: ${list}. Choose one of them.` };
}
