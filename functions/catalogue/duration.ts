import * as z from 'zod/mini';
import { parseTimeToLive, type TimeToLive } from '../../shared/auth/time-to-live.ts';

/** A text that a parser reads, or a violation that says what it should have been. */
export function duration<T>(parse: (text: string) => T | undefined, description: string) {
  return z.pipe(
    z.string().check(
      z.check(({ value, issues }) => {
        if (parse(value) !== undefined) return;
        issues.push({
          code: 'custom',
          input: value,
          message: 'Not a valid duration',
          params: { reason: 'invalid_format' },
        });
      }),
      z.meta({ description, maxLength: 32 }),
    ),
    z.transform((value) => parse(value)),
  );
}

export const UNITS = 'a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days)';

export const timeToLive = /* @__PURE__ */ duration(
  parseTimeToLive,
  `How long the key is good for: ${UNITS}, such as 1d or 5h; a bare number is seconds, nothing is for ever. ` +
    'At most 100 years.',
);

/** The end of a life that begins now, in seconds since 1970; no field for none. */
export function endOf(life: TimeToLive | undefined, nowSeconds: number): { expires_at?: number } {
  return life !== undefined && 'seconds' in life ? { expires_at: nowSeconds + life.seconds } : {};
}
