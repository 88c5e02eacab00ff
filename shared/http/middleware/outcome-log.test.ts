import { ApiError } from '../../core/errors.ts';
import type { LogEntry } from '../../core/log.ts';
import { callEventWith, endpointWith } from '../../testing/event.ts';
import { outcomeLog } from './outcome-log.ts';

const logged: LogEntry[] = [];
beforeEach(() => (logged.length = 0));

const { after, onError } = outcomeLog(() => (entry) => logged.push(entry));
type Request = Parameters<NonNullable<typeof after>>[0];

const outcome = (error?: Error, status = 200, more: object = {}) => {
  const event = { ...callEventWith(endpointWith({ errors: ['notFound'] })), ...more };
  const request = { event, error, response: { statusCode: status } } as Request;
  if (error === undefined) after?.(request);
  else onError?.(request);
};

test('a call is logged with its status and its caller', () => {
  outcome(undefined, 201, { caller: { kind: 'api_key', keyId: 'key' } });
  expect(logged).toMatchObject([
    { level: 'info', message: 'request', endpoint: 'test', request_id: 'request', status: 201 },
  ]);
  expect(logged[0]).toMatchObject({ caller_kind: 'api_key', caller_id: 'key' });
});

test('a routine reply is not logged, but its errors are', () => {
  outcome(undefined, 200, { isRoutine: true });
  expect(logged).toEqual([]);
  outcome(new ApiError('notFound', 'Not here.'), 404, { isRoutine: true });
  expect(logged).toMatchObject([{ status: 404, error: 'notFound' }]);
});

test('only a defect, a fault or an undeclared error is logged as an error, with its cause', () => {
  outcome(new ApiError('notFound', 'Not here.'), 404);
  outcome(new Error('secret details'), 500);
  outcome(new ApiError('unavailable', 'busy'), 503);
  outcome(new ApiError('unavailable', 'x', { fault: 'table_missing' }), 503);
  outcome(new ApiError('gone', 'undeclared'), 410);
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
