import { beginsHttp } from './plain-http.ts';

const first = (text: string) => text.charCodeAt(0);

test('a method in any case begins HTTP', () => {
  for (const start of ['GET / HTTP/1.1', 'DELETE /', 'PATCH /', 'CONNECT a:1', 'PRI * HTTP/2.0', 'get /', 'ZZZ'])
    expect([start, beginsHttp(first(start))]).toEqual([start, true]);
});

test('a handshake of TLS, and bytes that are no word, do not', () => {
  for (const byte of [0x16, 0x80, 0, 0x0a, 0x20, 0x40, 0x5b, 0x60, 0x7b, 0xff])
    expect([byte, beginsHttp(byte)]).toEqual([byte, false]);
});
