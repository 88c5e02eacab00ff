import { gzipSync } from 'node:zlib';
import { inflated } from './inflated.ts';

const bytes = Buffer.alloc(1000, 'a');

test('a body is returned unchanged or inflated', () => {
  for (const encoding of [undefined, '', 'identity']) expect(inflated(bytes, encoding, 10)).toBe(bytes);
  for (const encoding of ['gzip', ' GZIP ']) expect(inflated(gzipSync(bytes), encoding, 1000)).toEqual(bytes);
});

test.each([
  ['one byte more than permitted', gzipSync(bytes), 'gzip', 'bodyTooLarge'],
  ['broken data', Buffer.from('x'), 'gzip', 'invalidArgument'],
  ['cut data', gzipSync(bytes).subarray(0, 20), 'gzip', 'invalidArgument'],
  ['another encoding', bytes, 'deflate', 'unsupportedMediaType'],
  ['two encodings', gzipSync(bytes), 'gzip, gzip', 'unsupportedMediaType'],
])('%s is refused', (_, body, encoding, kind) => {
  expect(() => inflated(body, encoding, 999)).toThrow(expect.objectContaining({ kind }));
});
