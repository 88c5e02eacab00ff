import { isPending, type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { pause } from '../../shared/core/monotonic-clock.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { inTime } from '../../shared/core/deadline.ts';
import type { LogEntry } from '../../shared/core/log.ts';
import { newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from './partial-failure.ts';

const logged: LogEntry[] = [];
let clock: ManualClock;
beforeEach(() => {
  clock = manualClock();
  logged.length = 0;
});

const parts = () =>
  partsOf(
    { endpointId: 'runBatch', requestId: 'request' },
    { log: (entry) => logged.push(entry), table: { monotonic: clock } },
  );
const notBegun = { kind: 'unavailable', message: expect.stringContaining('Not done') };

test('a part returns its outcome or its error', async () => {
  const part = parts();
  expect(await part(() => Promise.resolve(7))).toBe(7);
  const error = new ApiError('notFound', 'x');
  expect(await part(() => Promise.reject(error))).toBe(error);
  expect(logged).toEqual([]);
});

test('no part begins later than 18 s after the request', async () => {
  const part = parts();
  let begun = 0;
  const work = () => Promise.resolve((begun += 1));
  clock.advance(18_000);
  expect(await part(work)).toBe(1);
  clock.advance(1);
  expect(await part(work)).toMatchObject(notBegun);
  expect(begun).toBe(1);
});

test('a part ends 20 s after the request at the latest', async () => {
  const part = parts();
  clock.advance(17_000);
  const outcome = part(() => new Promise(() => undefined));
  clock.advance(2999);
  expect(await isPending(outcome)).toBe(true);
  clock.advance(1);
  expect(await outcome).toMatchObject({ kind: 'unavailable', fault: 'deadline' });
});

test('no part begins after the deadline of the request', async () => {
  const part = parts();
  let outcome: unknown;
  const work = inTime({ monotonic: clock }, 5, async () => {
    await pause({ monotonic: clock }, 10);
    outcome = await part(() => Promise.resolve('begun'));
  });
  clock.advance(5);
  await work.catch(() => undefined);
  clock.advance(5);
  while (outcome === undefined) await new Promise(setImmediate);
  expect(outcome).toMatchObject(notBegun);
});

test.each([
  [new ApiError('unavailable', 'busy'), 'info'],
  [new ApiError('unavailable', 'x', { fault: 'table_missing' }), 'error'],
  [new ApiError('internal', 'x'), 'error'],
  [new Error('a defect'), 'error'],
])('%s is logged as %s', async (error, level) => {
  const outcome = await parts()(() => Promise.reject(error));
  expect(logged).toMatchObject([{ level, endpoint: 'runBatch', request_id: 'request' }]);
  expect(outcome).toBeInstanceOf(ApiError);
  if (!(error instanceof ApiError))
    expect(outcome).toMatchObject({ kind: 'internal', message: 'Internal server error.' });
});

test('the request fails only when every part is unavailable', () => {
  const [busy, other] = [new ApiError('unavailable', 'busy'), new ApiError('notFound', 'x')];
  expect(() => throwIfAllUnavailable([busy, new ApiError('unavailable', 'second')])).toThrow(busy);
  for (const outcomes of [[], ['done'], [busy, 'done'], ['done', busy], [busy, other], [other]])
    expect(() => throwIfAllUnavailable(outcomes)).not.toThrow();
});

test('the error of a part has the form of a reply, without secrets', () => {
  const key = newApiKeySecret((size) => Buffer.alloc(size, 7));
  const details = [{ field: 'a', reason: 'r', message: 'm' }];
  expect(errorOf(new ApiError('invalidArgument', `bad ${key}`, { details }), 'request')).toMatchObject({
    ...{ code: 3, status: 'INVALID_ARGUMENT', request_id: 'request', details },
    message: `bad ${key.slice(0, 9)}...`,
  });
});
