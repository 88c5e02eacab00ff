import { listedUnstable, parseUnstable, unstableRow, whyNotAccepted } from './unstable.ts';

const entry = (number: number) => ({ file: `shared/${number}.test.ts`, test: `does ${number}` });
const entries = (count: number) => Array.from({ length: count }, (_, index) => entry(index));

test('a row that a run prints is an entry once it is in the list', () => {
  const odd = { file: 'shared/core/seconds.test.ts', test: 'reads a | and `ticks`' };
  const text = `# Title\n\n| file | test | log line | suspected cause |\n|---|---|---|---|\n${unstableRow(odd, 'expected 1\n got 2')}\n`;
  const [read] = parseUnstable(text);
  expect(read?.file).toBe(odd.file);
  expect(whyNotAccepted([odd], parseUnstable(text))).toContain('was unstable again');
});

test('a test that was not unstable before is accepted', () => {
  expect(whyNotAccepted([entry(11)], entries(9))).toBeUndefined();
});

test('more than ten entries are not accepted', () => {
  expect(whyNotAccepted([entry(11)], entries(10))).toContain('more than 10 entries');
  expect(whyNotAccepted([entry(11), entry(12)], entries(9))).toContain('more than 10 entries');
});

test('another test of a listed file is accepted', () => {
  expect(whyNotAccepted([{ ...entry(1), test: 'does something else' }], entries(3))).toBeUndefined();
});

test('the list has at most ten entries', () => {
  expect(listedUnstable().length).toBeLessThanOrEqual(10);
});
