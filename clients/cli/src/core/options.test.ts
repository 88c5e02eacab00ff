import { Options } from './options.ts';

const usage = expect.objectContaining({ exit: 'usage' });

test('an option must be read with its type', () => {
  const options = new Options({ name: 'a', quiet: true, headers: false, file: ['a', 'b'] });
  expect([options.text('name'), options.text('quiet'), options.text('none')]).toEqual(['a', undefined, undefined]);
  expect([options.flag('quiet'), options.flag('name'), options.flag('headers')]).toEqual([true, false, false]);
  expect([options.isOff('headers'), options.isOff('quiet'), options.isOff('none')]).toEqual([true, false, false]);
  expect([options.all('file'), options.all('name')]).toEqual([['a', 'b'], []]);
});

test.each([
  ['1', 1],
  ['999999999', 999_999_999],
  [undefined, undefined],
])('%s is the count %s', (text, count) => expect(new Options({ limit: text }).count('limit')).toBe(count));

test.each(['0', '-1', '1.5', '01', 'x', '', '1000000000'])('%j is no count', (text) =>
  expect(() => new Options({ limit: text }).count('limit')).toThrow(usage),
);

test.each([
  ['500ms', 500],
  ['30', 30_000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  [undefined, undefined],
])('%s is the time %s', (text, time) => expect(new Options({ timeout: text }).time('timeout')).toBe(time));

test.each(['0', '0s', '-1s', '1M', '1 s', 's', ''])('%j is no time', (text) =>
  expect(() => new Options({ timeout: text }).time('timeout')).toThrow(usage),
);
