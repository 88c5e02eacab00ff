import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { mock } from 'node:test';
import * as z from 'zod/mini';
import { newApiKeySecret } from '../auth/api-key-text.ts';
import { endpointWith, eventWith } from '../testing/event.ts';
import type { RefusedCall } from './api-request.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from '../core/errors.ts';
import type { LogEntry } from '../core/log.ts';
import { createHandler } from './pipeline.ts';

const logged: LogEntry[] = [];
const refused: [RefusedCall, number][] = [];
beforeEach(() => {
  logged.length = 0;
  refused.length = 0;
});

const services = () => ({
  clock: () => new Date(),
  log: (entry: LogEntry) => logged.push(entry),
  consumeRateLimit: () => Promise.resolve(undefined),
  noteRefusal: (call: RefusedCall, milliseconds: number) => {
    refused.push([call, milliseconds]);
    return Promise.resolve();
  },
});

type Behave = (request: { body: unknown; caller: () => { keyId: string } }) => Promise<unknown>;

async function call(endpoint: Endpoint, behave: Behave, sent: Parameters<typeof eventWith>[0] = {}) {
  const handler = createHandler(endpoint, behave as never, services);
  const event: APIGatewayProxyEvent = eventWith(sent);
  const { statusCode, headers, body } = await handler(event, {} as Context);
  return { statusCode, headers, body: body === '' ? undefined : (JSON.parse(body) as Record<string, unknown>) };
}
const never: Behave = () => Promise.reject(new Error('not to be called'));

test('a request is admitted, parsed, handled and logged', async () => {
  const endpoint = endpointWith({ method: 'POST', body: z.strictObject({ name: z.string() }) });
  const sent = { headers: { 'CONTENT-TYPE': 'application/json' }, body: '{"name":"n"}' };
  const reply = await call(
    endpoint,
    ({ body, caller }) => Promise.resolve({ body: { name: `${caller().keyId} ${JSON.stringify(body)}` } }),
    sent,
  );
  expect(reply).toMatchObject({ statusCode: 200, body: { name: 'key {"name":"n"}' } });
  expect(logged).toMatchObject([
    { level: 'info', message: 'request', endpoint: 'test', request_id: 'request', status: 200, caller_id: 'key' },
  ]);
});

test('without the permission nothing is handled, and the refusal is recorded', async () => {
  const reply = await call(endpointWith({ role: 'Admin' }), never);
  expect(reply).toMatchObject({ statusCode: 403, body: { code: 7, request_id: 'request' } });
  expect(refused).toMatchObject([
    [{ cause: 'role', sourceIp: '192.0.2.7', requestId: 'request', caller: { keyId: 'key' } }, 500],
  ]);
  await call(endpointWith({ role: 'none' }), () => Promise.resolve({ body: { name: 'n' } }), { caller: null });
  expect(refused).toHaveLength(1);
});

test('an error of the handler is the reply; only a defect or a fault is logged as an error', async () => {
  const endpoint = endpointWith({ errors: ['notFound'] });
  const fail = (error: Error) => call(endpoint, () => Promise.reject(error));
  expect(await fail(new ApiError('notFound', 'Not here.'))).toMatchObject({
    statusCode: 404,
    body: { message: 'Not here.' },
  });
  expect(await fail(new Error('secret details'))).toMatchObject({
    statusCode: 500,
    body: { message: 'Internal server error.' },
  });
  expect(await fail(new ApiError('unavailable', 'busy'))).toMatchObject({
    statusCode: 503,
    headers: { 'Retry-After': '1' },
  });
  await fail(new ApiError('unavailable', 'x', { fault: 'table_missing' }));
  await fail(new ApiError('gone', 'undeclared'));
  expect(logged.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'info request',
    'error request',
    'info request',
    'error request',
    'error an error that the contract does not declare',
  ]);
  expect(logged[1]!['cause']).toContain('secret details');
  expect(logged.map(({ cause }) => cause !== undefined)).toEqual([false, true, true, true, true]);
});

test('a body that is no JSON is an invalid argument', async () => {
  const endpoint = endpointWith({ method: 'POST', body: z.unknown() });
  const reply = await call(endpoint, never, { headers: { 'Content-Type': 'application/json' }, body: '{' });
  expect(reply).toMatchObject({ statusCode: 400, body: { details: [{ reason: 'malformed_json' }] } });
});

test('no reply contains a key', async () => {
  const key = newApiKeySecret((size) => Buffer.alloc(size, 7));
  const reply = await call(endpointWith({ errors: ['notFound'] }), () => Promise.reject(new ApiError('notFound', key)));
  expect(reply.body?.['message']).toBe(`${key.slice(0, 9)}...`);
});

test('a handler has 22 s', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const reply = call(endpointWith(), () => {
    begin();
    return new Promise(() => undefined);
  });
  await begun;
  mock.timers.tick(21_999);
  expect(await Promise.race([reply, new Promise((resolve) => setImmediate(() => resolve('working')))])).toBe('working');
  mock.timers.tick(1);
  expect(await reply).toMatchObject({ statusCode: 503, body: { code: 14 } });
  mock.timers.reset();
});
