import { bytesOf, pieces } from './pieces.ts';

async function split(values: readonly string[], maxCount: number, maxBytes: number): Promise<string[][]> {
  const all: string[][] = [];
  for await (const piece of pieces(values, maxCount, maxBytes)) all.push(piece);
  return all;
}

test('the size of a value includes its line break, and counts bytes', () => {
  expect([bytesOf('ab'), bytesOf('ä')]).toEqual([5, 5]);
});

test('a piece has at most the permitted number of values', async () => {
  expect(await split(['a', 'b', 'c'], 2, 100)).toEqual([['a', 'b'], ['c']]);
});

test('a piece has at most the permitted number of bytes; a larger value is a piece of its own', async () => {
  expect(await split(['a', 'b', 'c'], 9, 8)).toEqual([['a', 'b'], ['c']]);
  expect(await split(['a', 'b', 'c'], 9, 7)).toEqual([['a'], ['b'], ['c']]);
  expect(await split(['a', 'long value', 'c'], 9, 8)).toEqual([['a'], ['long value'], ['c']]);
});

test('no values make no piece', async () => {
  expect(await split([], 2, 100)).toEqual([]);
});
