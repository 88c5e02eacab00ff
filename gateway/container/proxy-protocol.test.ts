import fc from '../../shared/testing/fast-check.ts';
import { InvalidProxyHeader, readProxyHeader } from './proxy-protocol.ts';

const SIGNATURE = '0d0a0d0a000d0a515549540a';

/** A header with a command, a family and what follows. */
function header(command: number, family: number, rest: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rest.length);
  return Buffer.concat([Buffer.from(SIGNATURE, 'hex'), Buffer.from([command, family]), length, rest]);
}

const v4 = Buffer.from('c6336407' + 'c0000201' + 'e0f1' + '01bb', 'hex');
const v6 = Buffer.from('20010db8000000000000000000000001' + '20010db8000000000000000000000002' + 'e0f101bb', 'hex');
const more = Buffer.from('ea00050176706365', 'hex');

test.each([
  ['IPv4', header(0x21, 0x11, v4), '198.51.100.7'],
  ['IPv6', header(0x21, 0x21, v6), '2001:db8:0:0:0:0:0:1'],
  ['IPv4 with what the balancer adds', header(0x21, 0x11, Buffer.concat([v4, more])), '198.51.100.7'],
  ['a connection of the balancer itself', header(0x20, 0x00, Buffer.alloc(0)), undefined],
])('reads %s, whatever follows, and waits for all of it', (_, bytes, source) => {
  expect(readProxyHeader(Buffer.concat([bytes, Buffer.from('GET /')]))).toEqual({ bytes: bytes.length, source });
  for (let length = 0; length < bytes.length; length += 1)
    expect(readProxyHeader(bytes.subarray(0, length))).toBeUndefined();
});

test.each([
  ['a request', Buffer.from('GET / HTTP/1.1\r\n')],
  ['version 1', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n')],
  ['another version', header(0x11, 0x11, v4)],
  ['another command', header(0x22, 0x11, v4)],
  ['another family', header(0x21, 0x12, v4)],
  ['too few bytes for an address', header(0x21, 0x11, v4.subarray(4))],
  ['IPv6 with the bytes of IPv4', header(0x21, 0x21, v4)],
  ['more than a kilobyte', header(0x21, 0x11, Buffer.alloc(1100))],
])('refuses %s', (_, bytes) => expect(() => readProxyHeader(bytes)).toThrow(InvalidProxyHeader));

test('reads a header of 1024 bytes, and refuses a larger one', () => {
  const ofBytes = (bytes: number) => header(0x20, 0x00, Buffer.alloc(bytes - 16));
  expect(readProxyHeader(ofBytes(1024))).toEqual({ bytes: 1024, source: undefined });
  expect(() => readProxyHeader(ofBytes(1025))).toThrow(InvalidProxyHeader);
});

test('other bytes are refused or incomplete, without another exception', () => {
  const signed = fc.uint8Array({ maxLength: 60 }).map((rest) => Buffer.concat([Buffer.from(SIGNATURE, 'hex'), rest]));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some)),
        signed,
      ),
      (bytes) => {
        try {
          const header = readProxyHeader(bytes);
          expect(header?.bytes ?? 16).toBeGreaterThanOrEqual(16);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidProxyHeader);
        }
      },
    ),
  );
});
