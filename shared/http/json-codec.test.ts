import * as z from 'zod/mini';
import { newApiKeySecret } from '../auth/api-key-text.ts';
import { ApiError } from '../core/errors.ts';
import { endpointWith, eventWith } from '../testing/event.ts';
import { jsonCodec } from './json-codec.ts';

const post = endpointWith({ method: 'POST', body: z.strictObject({ name: z.string() }) });
const codec = jsonCodec(post);

test("a request is parsed by the contract, and its reply has the contract's status and schema", () => {
  const event = eventWith({ headers: { 'Content-Type': 'application/json' }, body: '{"name":"n"}' });
  const { body } = codec.parse({ contract: post }, event, { name: 'n' });
  expect(body).toEqual({ name: 'n' });
  expect(codec.render({ contract: post }, event, { body })).toMatchObject({
    ...{ statusCode: 200, headers: { 'X-Request-Id': 'request' }, body: '{"name":"n"}' },
  });
  expect(() => codec.render({ contract: post }, event, { body: { other: 1 } })).toThrow();
});

test('a body is read if the contract has one', () => {
  expect(jsonCodec(post).readBody).not.toEqual([]);
  expect(jsonCodec(endpointWith()).readBody).toEqual([]);
});

test('an error has its status, headers and our form, and contains no key', () => {
  const key = newApiKeySecret((size) => Buffer.alloc(size, 7));
  const error = new ApiError('resourceExhausted', key, { headers: { 'Retry-After': '7' } });
  const deprecated = { since: '2026-01-01', sunset: '2026-08-01', link: 'https://example.com/' };
  const contract = endpointWith({ deprecated });
  const { statusCode, headers, body } = jsonCodec(contract).renderError({ contract }, eventWith(), error);
  expect([statusCode, headers]).toEqual([
    429,
    expect.objectContaining({ 'Retry-After': '7', 'X-Request-Id': 'request', Sunset: expect.any(String) }),
  ]);
  expect(JSON.parse(body)).toMatchObject({ code: 8, message: `${key.slice(0, 9)}...`, request_id: 'request' });
});

test('a reply that the handler marks is routine', () => {
  const routine = (reply: Parameters<typeof codec.render>[2]) => codec.isRoutine?.(reply);
  expect([routine(undefined), routine({ body: 1 }), routine({ body: 1, isRoutine: true })]).toEqual([
    false,
    false,
    true,
  ]);
});
