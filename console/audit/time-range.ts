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

/** A range of times, as the field for it has it. */
type TimeRange =
  | { type: 'relative'; amount: number; unit: TimeUnit }
  | { type: 'absolute'; startDate: string; endDate: string };

/** The same in the query of a page. */
export interface TimeQuery {
  last?: string;
  since?: string;
  until?: string;
}

/** @returns null without a whole range. */
export function rangeOf({ last, since, until }: TimeQuery): TimeRange | null {
  const relative = last === undefined ? undefined : lastOf(last);
  if (relative !== undefined) return { type: 'relative', ...relative };
  return since === undefined || until === undefined ? null : { type: 'absolute', startDate: since, endDate: until };
}

export function queryOf(range: TimeRange | null): Record<string, string> {
  if (range === null) return {};
  return range.type === 'relative'
    ? { last: `${range.amount}-${range.unit}` }
    : { since: range.startDate, until: range.endDate };
}

/** The fault of a range; undefined without one. */
export function errorOf(range: TimeRange | null): string | undefined {
  if (range?.type === 'absolute') {
    const [start, end] = [Date.parse(range.startDate), Date.parse(range.endDate)];
    if (Number.isNaN(start) || Number.isNaN(end)) return 'Enter both dates.';
    if (start >= end) return 'The end must be after the start.';
  }
  if (range?.type === 'relative' && lastOf(`${range.amount}-${range.unit}`) === undefined)
    return 'Enter a whole number.';
  return undefined;
}

/** The start of the range. */
export function sinceOf(text: string, now: number): string | undefined {
  const last = lastOf(text);
  return last === undefined ? undefined : new Date(now - last.amount * unitMs[last.unit]).toISOString();
}

/** The length of a comparison without times. */
const DEFAULT_LAST = '1-day';

/** To the second. A later time, not an earlier one: the range then contains what happens now. */
const toSecond = (milliseconds: number) =>
  new Date(Math.ceil(milliseconds / 1000) * 1000).toISOString().replace('.000Z', 'Z');

/**
 * The two times of a comparison, which an address keeps: the start and the end of a range.
 *
 * @param range without an end, it ends now; without a start, it is a day long.
 */
export function timesOf({ last = DEFAULT_LAST, since, until }: TimeQuery, now: number): { from: string; to: string } {
  const to = until ?? toSecond(now);
  const end = Number.isNaN(Date.parse(to)) ? now : Date.parse(to);
  const start = sinceOf(last, end) ?? sinceOf(DEFAULT_LAST, end) ?? to;
  return { from: since ?? toSecond(Date.parse(start)), to };
}
