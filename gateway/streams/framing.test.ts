import fc from '../../shared/testing/fast-check.ts';
import { type Frame, FrameReader, frameOf, MAX_MESSAGE_BYTES, MAX_SKIPPED_BYTES, StreamFault } from './framing.ts';

/** All frames of a text of bytes that arrives in these pieces. */
function read(bytes: Buffer, cuts: readonly number[]): Frame[] {
  const reader = new FrameReader();
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((left, right) => left - right);
  return [0, ...ends].flatMap((begin, index) => reader.push(bytes.subarray(begin, ends[index] ?? bytes.length)));
}

const header = (length: number, flag = 0) =>
  Buffer.from([flag, ...[24, 16, 8, 0].map((shift) => (length >>> shift) & 255)]);

/** Query analytics with this id, as they begin. */
const analytics = (id: number, bytes: number, idBytes: readonly number[] = [id]) =>
  Buffer.concat([
    header(bytes),
    Buffer.from([0x08, ...idBytes, 0x22, 0xff, 0xff, 0x03]),
    Buffer.alloc(bytes - 5 - idBytes.length),
  ]);

test('messages are the same, however their bytes are split', () => {
  const message = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), fc.array(fc.nat(3000), { maxLength: 20 }), (messages, cuts) => {
      const frames = read(Buffer.concat(messages.map(frameOf)), cuts);
      expect(frames.map((frame) => (frame.kind === 'message' ? [...frame.bytes] : []))).toEqual(
        messages.map((message) => [...message]),
      );
    }),
  );
});

test('query analytics are dropped, messages around them are not', () => {
  const around = frameOf(Buffer.from('x'));
  for (const cuts of [[], [3], [7, 30, 70_000], [5, 21]]) {
    const frames = read(Buffer.concat([around, analytics(7, 200_000), around]), cuts);
    expect(frames).toEqual([
      { kind: 'message', bytes: Buffer.from('x') },
      { kind: 'dropped', id: 7 },
      { kind: 'message', bytes: Buffer.from('x') },
    ]);
  }
});

test('an id of query analytics has several bytes, the lowest first', () => {
  for (const [id, bytes] of [
    [127, [0x7f]],
    [128, [0x80, 0x01]],
    [300, [0xac, 0x02]],
    [16_384, [0x80, 0x80, 0x01]],
  ] as const)
    expect(read(analytics(id, MAX_SKIPPED_BYTES, bytes), [])).toEqual([{ kind: 'dropped', id }]);
});

test('a message and query analytics of exactly their limits are read', () => {
  const largest = Buffer.alloc(MAX_MESSAGE_BYTES, 1);
  expect(read(frameOf(largest), [])).toEqual([{ kind: 'message', bytes: largest }]);
  expect(read(analytics(7, MAX_SKIPPED_BYTES), [])).toEqual([{ kind: 'dropped', id: 7 }]);
});

test('query analytics that are no larger than a message are a message', () => {
  const bytes = analytics(7, MAX_MESSAGE_BYTES);
  expect(read(bytes, [])).toEqual([{ kind: 'message', bytes: bytes.subarray(5) }]);
});

test.each([
  ['a length of 4 GB', header(0xffff_ffff), 8],
  ['query analytics above their limit', analytics(1, MAX_SKIPPED_BYTES + 1).subarray(0, 100), 8],
  ['another message above the limit', Buffer.concat([header(MAX_MESSAGE_BYTES + 1), Buffer.alloc(100, 1)]), 8],
  ['a compressed message', header(4, 1), 12],
])('%s ends the stream', (_, bytes, code) => {
  expect(() => read(bytes, [])).toThrow(expect.objectContaining({ code }));
  expect(() => read(bytes, [])).toThrow(StreamFault);
});

test('a large message that is no query analytics ends the stream after sixteen of its bytes', () => {
  const reader = new FrameReader();
  expect(reader.push(Buffer.concat([header(MAX_MESSAGE_BYTES + 1), Buffer.alloc(15, 1)]))).toEqual([]);
  expect(() => reader.push(Buffer.of(1))).toThrow(StreamFault);
});

test('an id of query analytics has up to five bytes, and a longer one or another following field is a fault', () => {
  const begins = (...bytes: number[]) =>
    Buffer.concat([header(70_000), Buffer.from(bytes), Buffer.alloc(70_000 - bytes.length)]);
  expect(read(begins(0x08, 0xac, 0x02, 0x22), [])).toEqual([{ kind: 'dropped', id: 300 }]);
  expect(read(begins(0x08, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x22), [])).toEqual([{ kind: 'dropped', id: 0xffff_ffff }]);
  for (const bytes of [
    [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x22],
    [0x08, 0x01, 0x1a],
    [0x10, 0x01, 0x22],
  ])
    expect(() => read(begins(...bytes), [])).toThrow(StreamFault);
});

test('any bytes are frames or a fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(200)), (bytes, cuts) => {
      try {
        read(Buffer.from(bytes), cuts);
      } catch (error) {
        expect(error).toBeInstanceOf(StreamFault);
      }
    }),
  );
});
