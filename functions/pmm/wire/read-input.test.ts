import type { APIGatewayProxyEvent } from 'aws-lambda';
import { given } from './input.ts';
import { jsonTextOf, readInput } from './read-input.ts';

interface RawRequest {
  method?: string;
  body?: string | Buffer;
  query?: Record<string, string[]>;
  headers?: Record<string, string>;
  params?: Record<string, string>;
}

function read({ method = 'POST', body = '', query = {}, headers = {}, params = {} }: RawRequest) {
  const event = {
    ...{ httpMethod: method, headers, multiValueQueryStringParameters: query },
    ...(typeof body === 'string'
      ? { body, isBase64Encoded: false }
      : { body: body.toString('base64'), isBase64Encoded: true }),
  };
  const sent = event as unknown as APIGatewayProxyEvent;
  return readInput(sent, JSON.parse(jsonTextOf(sent)), params);
}

const refusal = (sent: RawRequest) => {
  try {
    read(sent);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

test('an absent or blank body is an empty message, also encoded by the gateway, and a byte order mark is ignored', () => {
  for (const body of ['', ' \n', Buffer.from(''), Buffer.from(' ')]) expect(read({ body })).toEqual({});
  expect(read({ body: Buffer.from('{"a":"ä"}') })).toEqual({ a: 'ä' });
  for (const body of ['\u{feff}{"a":1}', Buffer.from('\u{feff}{"a":1}')]) expect(read({ body })).toEqual({ a: 1 });
});

test('only POST, PUT and PATCH have a body', () => {
  const body = '{"a":1}';
  expect(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'].map((method) => read({ method, body }))).toEqual([
    { a: 1 },
    { a: 1 },
    { a: 1 },
    {},
    {},
  ]);
});

test('the path precedes the query, and the query the body, under either name of a field', () => {
  const sent = {
    body: '{"nodeId":"body","force":false,"x":1}',
    query: { force: ['false', 'true'], node_id: ['query'] },
  };
  const input = read({ ...sent, params: { node_id: 'path' } });
  expect(input).toEqual({ x: 1, force: 'true', node_id: 'path' });
  expect(given(read(sent), 'node_id')).toBe('query');
  expect(given(read({ body: '{"node_id":"body"}', query: { nodeId: ['query'] } }), 'node_id')).toBe('query');
});

test('a compressed body is refused as such, before it is read', () => {
  for (const encoding of ['gzip', 'br', 'GZIP', 'gzip, identity'])
    for (const body of ['{}', Buffer.from([0x1f, 0x8b])])
      expect(refusal({ body, headers: { 'content-encoding': encoding } })).toBe(
        'The body is compressed (Content-Encoding). Send it without compression.',
      );
  for (const encoding of ['identity', ''])
    expect(read({ body: '{"a":1}', headers: { 'content-encoding': encoding } })).toEqual({ a: 1 });
  expect(read({ headers: { 'content-encoding': 'gzip' } })).toEqual({});
});

test('a body that is not one JSON object in UTF-8 is refused', () => {
  expect(refusal({ body: Buffer.from([0x7b, 0xff, 0x7d]) })).toBe('The body is not valid UTF-8.');
  for (const body of ['[]', '7', 'null', '"x"']) expect(refusal({ body })).toBe('The body is not a JSON object.');
});
