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

/** 100 years; a longer life can be expressed by no expiry. All times computed from it stay safe integers. */
export const maxTimeToLiveSeconds = 3_153_600_000;

// At most one unit, and no sign, fraction or exponent: other parsers of this notation ignore what they do not
// understand (`1.5d` and `1d6h` become one day), and a life shorter than intended is worse than an error. The spaces
// are part of the pattern rather than trimmed with another one, because ` +$` alone takes quadratic time on spaces in
// the middle.
const duration = new RegExp(`^ *([1-9][0-9]{0,9})([${[...secondsPerUnit.keys()].join('')}])? *$`);

/** The form of durations; their ranges differ. Portable to parsers of other languages. */
export const DURATION_PATTERN = `^ *[0-9]{1,10}[${[...secondsPerUnit.keys()].join('')}]? *$`;

/**
 * Parses a duration: `30` or `30s`, `5m`, `12h`, `1d`, `2w`, `1M`, `1y`; spaces around it are ignored.
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

// Without weeks and months: a user who wrote 91 days does not expect 13 weeks, nor 3 months for 90 days.
const shownUnits = ['y', 'd', 'h', 'm'];

/** The duration as a text that parses to the same value, in the largest of these units that divides it. */
export function timeToLiveText(seconds: number): string {
  for (const unit of shownUnits) {
    const length = secondsPerUnit.get(unit) ?? NaN;
    if (seconds % length === 0) return `${seconds / length}${unit}`;
  }
  return `${seconds}s`;
}
