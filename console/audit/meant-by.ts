import { isId } from '../model/object-id.ts';

export interface Candidate {
  id: string;
  name: string;
}

/** Number of names in a message. */
const MAX_NAMED = 5;

/**
 * Finds the candidate that a text means: by its id, its name, or a unique part of its name.
 *
 * @param noun the kind of the candidates, for messages.
 * @returns the id, or a message about the text.
 */
export function meantBy(
  text: string,
  candidates: readonly Candidate[],
  noun: 'caller' | 'object',
): { id: string } | { problem: string } {
  const lower = text.toLowerCase();
  const exact = candidates.find(({ id }) => id === text) ?? candidates.find(({ name }) => name.toLowerCase() === lower);
  if (exact !== undefined) return { id: exact.id };
  // The id of something that no longer exists, such as a removed key.
  if (isId(text)) return { id: text };
  const matches = candidates.filter(({ name }) => name.toLowerCase().includes(lower));
  const [first, ...others] = matches;
  if (first === undefined) return { problem: `No known ${noun} has "${text}" in its name. Enter a name or an id.` };
  if (others.length === 0) return { id: first.id };
  const names = [...new Set(matches.map(({ name }) => name))];
  const more = names.length - MAX_NAMED;
  const list = `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return { problem: `Several ${noun}s have "${text}" in their names: ${list}. Choose one of them.` };
}
