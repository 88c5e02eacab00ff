import { ApiError, errorBody, errorKinds, faultOf, invalidRequest } from './errors.ts';
import { errorReply } from '../http/error-reply.ts';

test('an error has the status and the headers of its kind; its own headers replace those', () => {
  expect(new ApiError('unavailable', 'x')).toMatchObject({
    httpStatus: 503,
    headers: { 'Retry-After': '1' },
    fault: undefined,
  });
  expect(new ApiError('unavailable', 'x', { headers: { 'Retry-After': '7' } }).headers).toEqual({ 'Retry-After': '7' });
  expect(new ApiError('unauthenticated', 'x').headers).toEqual({ 'WWW-Authenticate': 'Bearer realm="inventory"' });
});

test.each([
  ['invalidArgument', 400, 3],
  ['failedPrecondition', 400, 9],
  ['unauthenticated', 401, 16],
  ['permissionDenied', 403, 7],
  ['notFound', 404, 5],
  ['methodNotAllowed', 405, 12],
  ['alreadyExists', 409, 6],
  ['gone', 410, 11],
  ['revisionMismatch', 412, 9],
  ['bodyTooLarge', 413, 8],
  ['unsupportedMediaType', 415, 3],
  ['idempotencyKeyReused', 422, 9],
  ['resourceExhausted', 429, 8],
  ['internal', 500, 13],
  ['unavailable', 503, 14],
] as const)('%s is %d with the code %d', (kind, http, code) => {
  expect([errorKinds[kind].http, errorBody(kind, 'x', 'r').code]).toEqual([http, code]);
});

test('the body repeats the message for older clients', () => {
  expect(errorBody('notFound', 'Not here.', 'request')).toEqual({
    ...{ code: 5, status: 'NOT_FOUND', error: 'Not here.', message: 'Not here.', details: [], request_id: 'request' },
  });
});

test('violations are combined; more than 1000 are counted', () => {
  const violation = (field: string) => ({ field, reason: 'required', message: 'Required.' });
  expect(invalidRequest([violation('a'), violation('')]).message).toBe('a: Required. Required.');
  const many = (count: number) => invalidRequest(Array.from({ length: count }, (_, index) => violation(String(index))));
  expect([many(1000).details.length, many(1000).message.endsWith('999: Required.')]).toEqual([1000, true]);
  expect([many(1002).details.length, many(1002).message.endsWith('And 2 more.')]).toEqual([1000, true]);
});

test('an error contains the fault for the log', () => {
  expect(faultOf(new ApiError('unavailable', 'x', { fault: 'f' }))).toBe('f');
  expect([faultOf(new ApiError('internal', 'x')), faultOf(new Error('x')), faultOf('x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('an error becomes a whole reply', () => {
  const reply = errorReply(
    new ApiError('resourceExhausted', 'Slow down.', { headers: { 'Retry-After': '9' } }),
    'request',
  );
  expect(reply).toMatchObject({
    statusCode: 429,
    headers: { 'Retry-After': '9', 'X-Request-Id': 'request', 'Content-Type': 'application/json' },
  });
  expect(JSON.parse(reply.body)).toMatchObject({ message: 'Slow down.', request_id: 'request' });
});
