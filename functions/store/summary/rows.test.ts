import { MAX_COUNTED_VALUES } from '../../domain/records/summary.ts';
import { keyOfRow, largestValues, OTHER, type Row, Rows, withOther } from './rows.ts';

const node = (value: string, count: number): Row => ['node', 'generic', 'live', value, count];

const names = (count: number) => Array.from({ length: count }, (_, index) => `r${String(index).padStart(3, '0')}`);

test('rows with the same kind, type, state and value have the same key, whatever their count', () => {
  expect(keyOfRow(node('eu', 1))).toBe('["node","generic","live","eu"]');
  expect(keyOfRow(node('eu', 1))).toBe(keyOfRow(node('eu', 2)));
});

test('names the values of a kind with the largest sums of rows, and of equal values the first', () => {
  const values = names(MAX_COUNTED_VALUES + 1);
  const rows: Row[] = [...values.map((value) => node(value, 2)), node('sum', 1), ['node', 'remote', 'stale', 'sum', 2]];
  const isLargest = largestValues(rows);
  const named = ['sum', ...values].filter((value) => isLargest('node', value));
  expect(named).toEqual(['sum', ...values.slice(0, MAX_COUNTED_VALUES - 1)]);
  expect([isLargest('service', 'sum'), isLargest('node', ''), isLargest('node', OTHER)]).toEqual([false, true, false]);
});

test('adds a value that is not named to the value other', () => {
  const rows: Row[] = [node('eu', 1), node('us', 2), node(OTHER, 4), node('', 8), ['node', 'remote', 'live', 'us', 16]];
  expect(withOther(rows, (_, value) => ['', 'eu'].includes(value))).toEqual([
    ...[node('eu', 1), node(OTHER, 6), node('', 8)],
    ['node', 'remote', 'live', OTHER, 16],
  ]);
});

test('adds objects to earlier rows, sorts by value, and counts silenced objects also apart', () => {
  const rows = new Rows([node('us', 1)], [node('eu', 5)]);
  rows.count('node', 'generic', 'live', 'us', false);
  rows.count('node', 'generic', 'live', 'eu', true);
  rows.count('service', 'mysql', 'stale', '', false);
  expect(rows.result()).toEqual({
    rows: [['service', 'mysql', 'stale', '', 1], node('eu', 1), node('us', 2)],
    silenced: [node('eu', 6)],
  });
});

test('merges the value with the fewest objects into other when a value exceeds the limit, also among silenced objects', () => {
  const tracked = names(100).map((value) => node(value, value === 'r007' ? 2 : 3));
  const rows = new Rows([...tracked, node('', 1), node(OTHER, 1)], [node('r007', 1)]);
  // None of them is a further value.
  for (const value of ['', OTHER, 'r000']) rows.count('node', 'generic', 'live', value, false);
  expect(rows.result().rows).toHaveLength(102);
  rows.count('service', 'mysql', 'live', 'r007', false);
  rows.count('node', 'generic', 'live', 'z', false);
  const { rows: all, silenced } = rows.result();
  const isShown = ([kind, , , value]: Row) => kind === 'service' || ['r006', 'r007', 'z', OTHER, ''].includes(value);
  expect(all.filter(isShown)).toEqual([
    ...[node('', 2), node(OTHER, 4), node('r006', 3)],
    ['service', 'mysql', 'live', 'r007', 1],
    node('z', 1),
  ]);
  expect(silenced).toEqual([node(OTHER, 1)]);
});

test.each([
  ['the new one, if it has fewer', 1, 'z'],
  ['the earlier one of two with the same number', 2, 'r007'],
])('the value that makes room counts objects of earlier rows and new ones alike: %s', (_, count, dropped) => {
  const tracked = names(100).filter((value) => value !== 'r099');
  const rows = new Rows(
    tracked.map((value) => node(value, value === 'r007' ? 2 : 3)),
    [],
  );
  for (let time = 0; time < count; time += 1) rows.count('node', 'generic', 'live', 'z', false);
  rows.count('node', 'generic', 'live', 'y', false);
  const values = rows.result().rows.map(([, , , value]) => value);
  expect(['r007', 'z', 'y'].filter((value) => !values.includes(value))).toEqual([dropped]);
  expect(rows.result().rows).toContainEqual(node(OTHER, count));
});
