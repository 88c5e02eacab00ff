import { clientAddressOf, parseTrustedProxies } from './client-address.ts';

const trusted = parseTrustedProxies('127.0.0.1, 10.0.0.0/8 fd00::/8')!;

const addressOf = (remoteAddress: string | undefined, ...forwarded: string[]) =>
  clientAddressOf({ socket: { remoteAddress }, headersDistinct: { 'x-forwarded-for': forwarded } }, trusted);

test.each([
  ['without a header', ['127.0.0.1'], '127.0.0.1'],
  ['of a trusted proxy', ['127.0.0.1', '203.0.113.7'], '203.0.113.7'],
  ['of a trusted proxy in the form of both families', ['::ffff:10.1.2.3', '203.0.113.7'], '203.0.113.7'],
  ['of a proxy of IPv6', ['fd00::1', '2001:db8::7'], '2001:db8::7'],
  ['with what the client has written to the left', ['127.0.0.1', '198.51.100.1, 203.0.113.7'], '203.0.113.7'],
  ['with a header of the client before that of the proxy', ['127.0.0.1', '198.51.100.1', '203.0.113.7'], '203.0.113.7'],
  ['over two trusted proxies', ['127.0.0.1', '198.51.100.1, 203.0.113.7, 10.0.0.9'], '203.0.113.7'],
  ['with a port', ['127.0.0.1', '203.0.113.7:1234'], '203.0.113.7'],
  ['with brackets and a port', ['127.0.0.1', '[2001:db8::7]:1234'], '2001:db8::7'],
  ['of the proxies alone', ['127.0.0.1', '10.0.0.8, 10.0.0.9'], '10.0.0.8'],
  ['with a name instead of an address', ['127.0.0.1', '203.0.113.7, unknown'], '127.0.0.1'],
  ['with an empty entry', ['127.0.0.1', '203.0.113.7, '], '127.0.0.1'],
  ['of anybody else, who claims an address', ['192.0.2.1', '203.0.113.7'], '192.0.2.1'],
])('a request %s is of the right client', (_what, [remote, ...forwarded], client) => {
  expect(addressOf(remote, ...forwarded)).toBe(client);
});

test('without a setting the address of the connection counts', () => {
  const nobody = parseTrustedProxies('')!;
  const request = { socket: { remoteAddress: '127.0.0.1' }, headersDistinct: { 'x-forwarded-for': ['203.0.113.7'] } };
  expect(clientAddressOf(request, nobody)).toBe('127.0.0.1');
});

test.each(['localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0', '*', '10.0.0.0/-1'])(
  '%j is no trusted proxy',
  (text) => {
    expect(parseTrustedProxies(text)).toBeUndefined();
  },
);
