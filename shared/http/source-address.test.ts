import { ORIGIN_HEADER, sourceAddressOf, VIEWER_HEADER } from './source-address.ts';

const SECRET = 'secret-of-the-distribution';

function addressOf(headers: Record<string, string[]> | null, secret: string | null = SECRET): string {
  return sourceAddressOf({
    multiValueHeaders: headers,
    stageVariables: secret === null ? null : { originSecret: secret },
    requestContext: { identity: { sourceIp: '192.0.2.7' } },
  });
}

test.each(['203.0.113.9', '2001:db8::9'])('through CloudFront the address is that of the viewer: %s', (viewer) => {
  expect(addressOf({ [ORIGIN_HEADER]: [SECRET], [VIEWER_HEADER]: [viewer] })).toBe(viewer);
  expect(addressOf({ [ORIGIN_HEADER.toLowerCase()]: [SECRET], [VIEWER_HEADER.toLowerCase()]: [viewer] })).toBe(viewer);
});

test.each([
  ['no headers', {}],
  ['none at all', null],
  ['an address without the secret', { [VIEWER_HEADER]: ['203.0.113.9'] }],
  ['a wrong secret', { [ORIGIN_HEADER]: ['x'.repeat(SECRET.length)], [VIEWER_HEADER]: ['203.0.113.9'] }],
  ['a part of the secret', { [ORIGIN_HEADER]: [SECRET.slice(1)], [VIEWER_HEADER]: ['203.0.113.9'] }],
  ['two secrets', { [ORIGIN_HEADER]: [SECRET, SECRET], [VIEWER_HEADER]: ['203.0.113.9'] }],
  ['two addresses', { [ORIGIN_HEADER]: [SECRET], [VIEWER_HEADER]: ['203.0.113.9', '203.0.113.10'] }],
  ['no address', { [ORIGIN_HEADER]: [SECRET] }],
  ['what is no address', { [ORIGIN_HEADER]: [SECRET], [VIEWER_HEADER]: ['localhost'] }],
])('a caller cannot choose the address with %s', (_, headers) => expect(addressOf(headers)).toBe('192.0.2.7'));

test.each([null, ''])('without a stage secret (%p), no header counts', (secret) => {
  expect(addressOf({ [ORIGIN_HEADER]: [''], [VIEWER_HEADER]: ['203.0.113.9'] }, secret)).toBe('192.0.2.7');
});
