import fc from '../testing/fast-check.ts';
import { maxTimeToLiveSeconds, parseTimeToLive, secondsPerUnit, timeToLiveText } from './time-to-live.ts';

test.each([
  ['1', 1],
  ['30', 30],
  ['45s', 45],
  ['5m', 300],
  ['5h', 18_000],
  ['12h', 43_200],
  ['1d', 86_400],
  ['1w', 604_800],
  ['1M', 2_592_000],
  ['1y', 31_536_000],
  [' 1d', 86_400],
  ['1d  ', 86_400],
])('%j is %d seconds', (text, seconds) => {
  expect(parseTimeToLive(text)).toBe(seconds);
});

test.each([
  ['nothing', ''],
  ['a space', ' '],
  ['spaces', '     '],
  ['zero', '0'],
  ['zero with a unit', '0d'],
  ['a leading zero', '01d'],
  ['a minus', '-5d'],
  ['a plus', '+5d'],
  ['a fraction', '1.5d'],
  ['two durations', '1d6h'],
  ['a tail', '1d garbage'],
  ['an exponent', '1e3'],
  ['a hexadecimal number', '0x10'],
  ['milliseconds', '10ms'],
  ['a unit in the wrong case', '1D'],
  ['a unit in the wrong case', '1Y'],
  ['a unit in the wrong case', '1H'],
  ['a unit in the wrong case', '1S'],
  ['an unknown unit', '1q'],
  ['a unit alone', 'd'],
  ['a space before the unit', '1 d'],
  ['a tab', '\t1d'],
  ['a line break', '1d\n'],
  ['a line break alone', '\n'],
  ['a no-break space', '1d\u00a0'],
  ['full-width digits', '\uff11d'],
  ['Arabic digits', '\u0661d'],
  ['thousands separators', '1,000'],
  ['underscores', '1_000'],
  ['a word', 'never'],
  ['Infinity', 'Infinity'],
])('%s is no duration: %j', (_, text) => {
  expect(parseTimeToLive(text)).toBeUndefined();
});

test('100 years are the maximum in every unit', () => {
  expect(maxTimeToLiveSeconds).toBe(100 * 365 * 24 * 60 * 60);
  for (const text of ['3153600000', '3153600000s', '52560000m', '876000h', '36500d', '100y']) {
    expect(parseTimeToLive(text)).toBe(3_153_600_000);
  }
  for (const text of ['3153600001', '3153600001s', '52560001m', '876001h', '36501d', '5215w', '1217M', '101y']) {
    expect(parseTimeToLive(text)).toBeUndefined();
  }
  expect(parseTimeToLive('99999999999y')).toBeUndefined();
});

/** A second implementation of the grammar, by characters and exact integers. */
function reference(text: string): bigint | undefined {
  const characters = text.split('');
  while (characters[0] === ' ') characters.shift();
  while (characters.at(-1) === ' ') characters.pop();
  if (characters.length === 0) return undefined;
  const minute = 60n;
  const day = 24n * 60n * minute;
  const last = characters.at(-1)!;
  const factor = { s: 1n, m: minute, h: 60n * minute, d: day, w: 7n * day, M: 30n * day, y: 365n * day }[last];
  if (factor !== undefined) characters.pop();
  if (characters.length === 0 || characters.length > 10 || characters[0] === '0') return undefined;
  if (!characters.every((character) => '0123456789'.includes(character))) return undefined;
  const seconds = BigInt(characters.join('')) * (factor ?? 1n);
  return seconds > 100n * 365n * day ? undefined : seconds;
}

const likely = fc
  .tuple(
    fc.constantFrom('', ' ', '  ', '-', '0', '\t'),
    fc.oneof(fc.nat({ max: 10_000 }), fc.bigInt({ min: 0n, max: 10n ** 12n })),
    fc.constantFrom('', 's', 'm', 'h', 'd', 'w', 'M', 'y', 'D', 'ms', ' d', 'd6h'),
    fc.constantFrom('', ' ', '   ', '\n', ' x'),
  )
  .map((parts) => parts.join(''));

test('any text follows the grammar, and seconds are a whole number within bounds', () => {
  const soup = fc.string({ unit: fc.constantFrom(...'0123456789smhdwMy -.+eDY\t\n'.split('')), maxLength: 14 });
  fc.assert(
    fc.property(fc.oneof(likely, likely, soup, fc.string({ unit: 'binary' })), (text) => {
      const actual = parseTimeToLive(text);
      const expected = reference(text);
      if (expected === undefined) expect(actual).toBeUndefined();
      else {
        expect(actual).toBe(Number(expected));
        expect(Number.isSafeInteger(Number(expected))).toBe(true);
        expect(expected).toBeGreaterThanOrEqual(1n);
      }
    }),
    { numRuns: 5000 },
  );
});

test('every unit of the table can be used', () => {
  for (const [unit, seconds] of secondsPerUnit) expect(parseTimeToLive(`1${unit}`)).toBe(seconds);
});

test.each([
  ['365d', '1y'],
  ['366d', '366d'],
  ['91d', '91d'],
  ['2w', '14d'],
  ['3M', '90d'],
  ['86400', '1d'],
  ['90m', '90m'],
  ['120m', '2h'],
  ['61', '61s'],
  ['1', '1s'],
])('%s is shown as %s', (typed, shown) => {
  expect(timeToLiveText(parseTimeToLive(typed)!)).toBe(shown);
});

test('a printed lifetime parses to the same value', () => {
  const unit = fc.constantFrom(...secondsPerUnit.values());
  const seconds = fc
    .tuple(fc.integer({ min: 1, max: maxTimeToLiveSeconds }), unit)
    .map(([most, length]) => Math.max(1, Math.floor(most / length)) * length);
  fc.assert(fc.property(seconds, (life) => expect(parseTimeToLive(timeToLiveText(life))).toBe(life)));
});

test('100 kB of noise is refused (a pattern that is not linear would run into the time limit of the test)', () => {
  const spaces = ' '.repeat(100_000);
  for (const noise of ['1'.repeat(100_000), `${spaces}x`, `1${spaces}1`, `${spaces}1d${spaces}x`]) {
    expect(parseTimeToLive(noise)).toBeUndefined();
  }
});
