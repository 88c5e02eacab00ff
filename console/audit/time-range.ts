/** A time range in the address: a length until now (`last=2-hour`), or a start and an end. */
export type TimeRange = { last: string } | { since: string; until: string };

const unitMs = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
} as const;

export type TimeUnit = keyof typeof unitMs;

const isUnit = (text: string): text is TimeUnit => Object.hasOwn(unitMs, text);

/** @returns undefined for an invalid length. */
export function lastOf(text: string): { amount: number; unit: TimeUnit } | undefined {
  const [, amount = '', unit = ''] = /^([1-9][0-9]{0,5})-([a-z]+)$/.exec(text) ?? [];
  return isUnit(unit) ? { amount: Number(amount), unit } : undefined;
}

/** The start of the range. */
export function sinceOf(text: string, now: number): string | undefined {
  const last = lastOf(text);
  return last === undefined ? undefined : new Date(now - last.amount * unitMs[last.unit]).toISOString();
}
