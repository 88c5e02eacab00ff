import { randomBytes } from 'node:crypto';
import fc from '../testing/fast-check.ts';
import { drawBase62 } from './base62.ts';

/** A source that returns `bytes` in order, and makes the test fail when it needs more. */
function sequence(bytes: number[]) {
  let position = 0;
  return (size: number) => {
    const chunk = bytes.slice(position, position + size);
    position += size;
    if (chunk.length < size) throw new Error('the source is exhausted');
    return Uint8Array.from(chunk);
  };
}

const descending = Array.from({ length: 256 }, (_, index) => 255 - index);

test('over all 256 byte values, every character occurs equally often', () => {
  const counts = new Map<string, number>();
  for (const character of drawBase62(248, sequence(descending))) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }

  expect([...counts.keys()].sort().join('')).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
  expect(new Set(counts.values())).toEqual(new Set([4]));
});

test('a byte of 248 or more is discarded and replaced', () => {
  expect(drawBase62(4, sequence([248, 0, 255, 61, 249, 62, 247]))).toBe('0z0z');
});

test('a text has exactly the requested length, whatever the source returns', () => {
  fc.assert(
    fc.property(fc.nat({ max: 200 }), (length) => {
      expect(drawBase62(length, randomBytes)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
    }),
  );
});
