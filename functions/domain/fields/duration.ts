import * as z from 'zod/mini';
import { DURATION_PATTERN, parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { endAfter } from '../../../shared/core/seconds.ts';

/** A number without a unit has always been seconds; a range of minutes or more refuses most of them. */
const UNITS = 'a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s)';

/** A range of durations, both ends included, as texts such as 10s. */
interface Range {
  least: string;
  most: string;
}

const MAX_DURATION_LENGTH = 32;

/** The rule for a duration, in words. */
const durationRule = ({ least, most }: Range) => `${UNITS}, from ${least} to ${most}`;

/** The message for a text that is no duration in the range. */
export const notADuration = (range: Range) => `Must be ${durationRule(range)}.`;

/** A duration as text. `parse` returns undefined for an invalid text, or beyond the range. */
export function durationText(parse: (text: string) => unknown, range: Range, description?: string) {
  return z.string().check(
    z.check(({ value, issues }) => {
      if (value.length <= MAX_DURATION_LENGTH && parse(value) !== undefined) return;
      const params = { reason: 'invalid_format' };
      issues.push({ code: 'custom', input: value, message: notADuration(range), params });
    }),
    z.meta({
      ...(description === undefined ? {} : { description: `${description}: ${durationRule(range)}.` }),
      minLength: 1,
      maxLength: MAX_DURATION_LENGTH,
      pattern: DURATION_PATTERN,
    }),
  );
}

/** A duration that is converted by `parse`: seconds. */
export function duration(parse: (text: string) => number | undefined, range: Range, description: string) {
  return z.pipe(
    durationText(parse, range, description),
    z.transform((value) => parse(value)),
  );
}

/**
 * Without the field a key never expires. An empty text is refused, because it may be the value of an unset variable.
 */
export const timeToLiveRange = { least: '1s', most: '100y' };

export const timeToLive = /* @__PURE__ */ duration(
  parseTimeToLive,
  timeToLiveRange,
  'Time to live of the key, unlimited by default',
);

/** The end of a lifetime that begins now; no field for an unlimited one. */
export function endOf(seconds: number | undefined, now: Date): { expires_at?: number } {
  return seconds === undefined ? {} : { expires_at: endAfter(now, seconds) };
}
