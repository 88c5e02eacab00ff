import { parseTimeToLive } from './time-to-live.ts';

/** Time enough for every caller to change over, and no second key for ever. */
export const maxOverlapDays = 30;

const maxOverlapSeconds = maxOverlapDays * 86_400;

/**
 * For how long the old text of a key works on after a rotation, in seconds: a duration as of a time to live, `0` (with or
 * without a unit) for not at all. Undefined when the text is neither, or exceeds `maxOverlapDays`.
 */
export function parseOverlap(text: string): number | undefined {
  if (/^ *0[smhdwMy]? *$/.test(text)) return 0;
  const seconds = parseTimeToLive(text);
  return seconds !== undefined && seconds <= maxOverlapSeconds ? seconds : undefined;
}
