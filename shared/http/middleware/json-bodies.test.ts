import type { Context } from 'aws-lambda';
import { ApiError } from '../../core/errors.ts';
import { endpointWith, eventWith } from '../../testing/event.ts';
import { type Codec, createPipeline, type ServedCall } from '../pipeline.ts';
import { jsonBodies } from './json-bodies.ts';

const parse = jest.fn((_: ServedCall, __: unknown, value: unknown) => value);
const codec: Codec<ServedCall, unknown, unknown> = {
  readBody: jsonBodies((_, { body, isBase64Encoded }) => {
    if (body === 'too long') throw new ApiError('bodyTooLarge', 'too long');
    return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString();
  }),
  parse,
  render: (_, __, reply) => ({ statusCode: 200, body: JSON.stringify(reply) }),
  renderError: (_, __, { kind, details, message }) => ({
    statusCode: 400,
    body: [kind, ...details.map(({ field, reason }) => `${field} ${reason}`), message].join('|'),
  }),
};
const send = async (
  body: string,
  { handle = (request: unknown) => Promise.resolve(request), isBase64Encoded = false } = {},
) => {
  const handler = createPipeline({ callOf: () => ({ contract: endpointWith() }), codec, handle }, [], () => '');
  const reply = await handler(eventWith({ body, isBase64Encoded }), {} as Context);
  return reply.body;
};
beforeEach(() => parse.mockClear());

test('a body reaches the codec as a value', async () => {
  for (const body of ['{"a":[1,{"b":null}],"10":-0,"é":"\\u0000"}', '[]', '7', 'null', '"x"']) {
    const value = JSON.stringify(JSON.parse(body));
    expect(await send(body)).toBe(value);
    expect(await send(Buffer.from(body).toString('base64'), { isBase64Encoded: true })).toBe(value);
    expect(parse).toHaveBeenLastCalledWith(expect.anything(), expect.anything(), JSON.parse(body));
  }
});

test.each([
  ['a repeated name', '{"a":1,"a":2}', 'a duplicate'],
  ['a repeated name that is escaped once', '{"a":{"b":1,"\\u0062":2}}', 'a.b duplicate'],
  ['the name __proto__', '{"a":{"__proto__":1}}', 'a.__proto__ not_allowed'],
  ['the escaped name __proto__', '{"\\u005f_proto__":1}', '__proto__ not_allowed'],
  ['the name constructor.prototype', '{"constructor":{"prototype":1}}', 'constructor.prototype not_allowed'],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), ' too_deep'],
  ['100,000 levels', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), ' too_deep'],
  ['no text', '', ' malformed_json'],
  ['white space alone', ' \n', ' malformed_json'],
  ['an object that does not end', '{', ' malformed_json'],
  ['two values', '{}{}', ' malformed_json'],
  ['single quotes', "{'a':1}", ' malformed_json'],
  ['a byte order mark', '\u{feff}{}', ' malformed_json'],
  ['a repeated name in an object that does not end', '{"a":1,"a":', ' malformed_json'],
  ['100,000 levels that do not end', '['.repeat(100_000), ' malformed_json'],
])('a body with %s is refused before the codec reads it', async (_, body, reason) => {
  expect(await send(body)).toContain(`invalidArgument|${reason}|`);
  expect(parse).not.toHaveBeenCalled();
});

test('the refusal of malformed JSON names line and column, without the content', async () => {
  for (const body of ['{\n "password": secret}', '{\n "a": 1, "a": secret}'])
    expect(await send(body)).toMatch(/\|The body is not valid JSON: line 2, column (14|15)\.$/);
});

test('a body is nested at most 32 levels deep', async () => {
  expect(await send('['.repeat(32) + ']'.repeat(32))).toBe('['.repeat(32) + ']'.repeat(32));
});

test('a body without JSON text is not parsed', async () => {
  expect(await send('too long')).toBe('bodyTooLarge|too long');
  expect(parse).not.toHaveBeenCalled();
});

test('an error of the work never becomes an error of the body, whatever its status', async () => {
  const failed = Object.assign(new Error('of a library'), { statusCode: 422 });
  expect(await send('{}', { handle: () => Promise.reject(failed) })).toBe('internal|Internal server error.');
});
