/** Length of each unit in seconds. Case matters: `m` is a minute, `M` a month of 30 days; a year `y` has 365 days. */
export const secondsPerUnit: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 7 * 86_400],
  ['M', 30 * 86_400],
  ['y', 365 * 86_400],
]);

/** 100 years: whoever wants more means for ever. Also keeps every instant computed from it far inside a safe integer. */
export const maxTimeToLiveSeconds = 3_153_600_000;

// At most one unit, and no sign, fraction or exponent: other parsers of this notation ignore what they do not understand
// (`1.5d` and `1d6h` become one day), and a life shorter than meant is worse than an error. The spaces are part of the
// pattern and not trimmed with one, since ` +$` alone takes quadratic time on spaces in the middle.
const duration = new RegExp(`^ *([1-9][0-9]{0,9})([${[...secondsPerUnit.keys()].join('')}])? *$`);

/** What durations look like; their ranges differ. Portable: parsers of other languages read it too. */
export const DURATION_PATTERN = `^ *[0-9]{1,10}[${[...secondsPerUnit.keys()].join('')}]? *$`;

/**
 * Reads a duration as people type it: `30` or `30s`, `5m`, `12h`, `1d`, `2w`, `1M`, `1y`; spaces around it do not count.
 *
 * @returns seconds; undefined if the text is blank or no duration, is zero, or exceeds `maxTimeToLiveSeconds`.
 */
export function parseTimeToLive(text: string): number | undefined {
  const match = duration.exec(text);
  if (match === null) return undefined;
  const [, count, unit = 's'] = match;
  const seconds = Number(count) * (secondsPerUnit.get(unit) ?? NaN);
  return seconds <= maxTimeToLiveSeconds ? seconds : undefined;
}

// Without weeks and months: whoever wrote 91 days does not look for 13 weeks, nor for 3 months in 90 days.
const shownUnits = ['y', 'd', 'h', 'm'];

/** Such a duration as a text that is read back as the same: in the largest of these units that it is a multiple of. */
export function timeToLiveText(seconds: number): string {
  for (const unit of shownUnits) {
    const length = secondsPerUnit.get(unit) ?? NaN;
    if (seconds % length === 0) return `${seconds / length}${unit}`;
  }
  return `${seconds}s`;
}
