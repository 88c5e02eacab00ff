import { randomBytes } from 'node:crypto';
import { newApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { MAX_BODY_BYTES } from '../../../shared/http/http-contract.ts';
import { type EventOptions, eventWith } from '../../../shared/testing/event.ts';
import { facade } from '../facades/management/contract.ts';
import { managementRoutes } from '../declarations/management-routes.ts';
import { callFinder } from './find-call.ts';
import { wireCodec } from './wire-codec.ts';

const codec = wireCodec({
  pathOf: (path) => path,
  textOf: (message) => JSON.stringify(message),
  refusalOf: (error, { input }) => ({ http: 418, message: { message: error.message, input } }),
});

const find = callFinder(facade, managementRoutes, (path) => path);
function request(method: string, path: string, sent: EventOptions = {}) {
  const event = { ...eventWith({ ...sent, path: `/v1/management/${path}` }), httpMethod: method };
  return { event, call: find(event) };
}
function parse({ event, call }: ReturnType<typeof request>) {
  const sent = Object.assign(event, { call });
  for (const { before } of codec.readBody ?? []) before?.({ event: sent } as Parameters<typeof before>[0]);
  return codec.parse(call, sent, sent.body);
}

test('a request becomes the fields of its message, with its generation and its source', () => {
  const third = parse(request('GET', 'nodes/x', { query: { a: ['1'] } }));
  expect(third).toMatchObject({ generation: 3, input: { a: '1', node_id: 'x' }, requestId: 'request' });
  const second = parse(request('POST', 'Node/Get', { body: '{"node_id":"y"}' }));
  expect(second).toMatchObject({ generation: 2, input: { node_id: 'y' }, sourceIp: '192.0.2.7' });
  expect(() => second.caller()).toThrow(expect.objectContaining({ kind: 'unauthenticated' }));
});

test('an unknown call, and one outside the inventory, are refused before the body is read', () => {
  const body = 'x'.repeat(MAX_BODY_BYTES + 1);
  expect(() => parse(request('PUT', 'nodes', { body }))).toThrow(
    'Endpoint not found: /v1/management/nodes, http method: PUT',
  );
  expect(() => parse(request('POST', 'services/azure', { body }))).toThrow(
    '/v1/management/services/azure is not part of the inventory.',
  );
  expect(() => parse(request('POST', 'nodes', { body }))).toThrow(expect.objectContaining({ kind: 'bodyTooLarge' }));
});

test('a reply that does not fit is an error with the name of our list, unless it fits when compressed', () => {
  const { event, call } = request('GET', 'nodes');
  const render = (text: string, headers = {}) =>
    codec.render(call, { ...event, headers: { ...event.headers, ...headers } }, { text });
  expect(render('x')).toMatchObject({ statusCode: 200, headers: { 'X-Request-Id': 'request' }, body: '{"text":"x"}' });
  const quotes = '"'.repeat(MAX_RESULT_BYTES / 3);
  expect(() => render(quotes)).toThrow('Use GET /v1/nodes, which has pages.');
  const other = request('GET', 'services/types').call;
  expect(() => codec.render(other, event, { text: quotes })).toThrow('The reply exceeds 6 MB. Use a filter.');
  expect(render(quotes, { 'accept-encoding': 'gzip' })).toMatchObject({ isBase64Encoded: true });
  expect(() => render('x'.repeat(MAX_RESULT_BYTES), { 'accept-encoding': 'gzip' })).toThrow('Use GET /v1/nodes');
});

test('an error has the form and headers of its function, and the fields that were read', () => {
  const { event, call } = request('POST', 'Node/Get', { body: '{"node_id":"y"}' });
  parse({ event, call });
  const error = new ApiError('unavailable', 'Busy.', { headers: { 'Retry-After': '9' } });
  expect(codec.renderError(call, event, error)).toMatchObject({
    ...{ statusCode: 418, body: '{"message":"Busy.","input":{"node_id":"y"}}' },
    headers: { 'Retry-After': '9', 'X-Request-Id': 'request', 'Content-Type': 'application/json' },
  });
});

test('an error contains no key of its request', () => {
  const { event, call } = request('POST', 'Node/Get');
  const key = newApiKeySecret(randomBytes);
  const { body } = codec.renderError(call, event, new ApiError('notFound', `Node with ID "${key}" not found.`));
  expect(body).toContain('Node with ID');
  expect(body).not.toContain(key);
});
