import type { Change } from '../store/history/change-record.ts';

/** Fields of an object that only the store knows. */
const hidden = new Set(['registered']);

function shownFields(fields: Record<string, unknown> | undefined) {
  if (fields === undefined) return undefined;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.has(name)));
}

/** A change as it is shown. What is added for the first time has no change before it; what comes back has its removal. */
export function toChangeReply({ previous, before, after, ...change }: Change) {
  const isReturn = change.action === 'added' && previous !== undefined;
  return {
    ...change,
    ...(isReturn ? { restored: true as const } : {}),
    before: shownFields(before),
    after: shownFields(after),
  };
}
