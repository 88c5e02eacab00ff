import type { Change } from './table/changes.ts';

/** Fields of an object that only the store knows. */
const hidden = new Set(['registered']);

function shownFields(fields: Record<string, unknown> | undefined) {
  if (fields === undefined) return undefined;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.has(name)));
}

/** A change as it is shown. */
export function shownChange({ previous: _, before, after, ...change }: Change) {
  return { ...change, before: shownFields(before), after: shownFields(after) };
}
