import { parseTimeToLive } from './time-to-live.ts';

/** Enough time for all clients to change to the new secret, without leaving the old one valid indefinitely. */
export const maxOverlapDays = 30;

const maxOverlapSeconds = maxOverlapDays * 86_400;

/**
 * Parses how long the previous secret of a key works after a rotation, in seconds: a duration as of a time to live; `0`
 * (with or without a unit) ends it at once. Undefined for other text, and beyond `maxOverlapDays`.
 */
export function parseOverlap(text: string): number | undefined {
  if (/^ *0[smhdwMy]? *$/.test(text)) return 0;
  const seconds = parseTimeToLive(text);
  return seconds !== undefined && seconds <= maxOverlapSeconds ? seconds : undefined;
}
