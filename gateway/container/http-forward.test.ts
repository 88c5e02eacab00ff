import { manualClock } from '../../tests/support/manual-clock.ts';
import { createHttpForward } from './http-forward.ts';
import { MAX_BURST, RequestLimit } from './request-limit.ts';

const as = { authorization: 'Bearer own', source: '192.0.2.1' };

/** A forward whose requests the test answers. */
function start(answer: () => Response = () => new Response()) {
  const clock = manualClock();
  const limit = new RequestLimit(clock);
  const sent: [url: string, init: RequestInit][] = [];
  const fetched = (url: unknown, init: RequestInit = {}) => {
    sent.push([String(url), init]);
    return Promise.resolve(answer());
  };
  const forward = createHttpForward({ apiUrl: 'https://api/live', limit, fetch: fetched });
  return { clock, limit, sent, forward };
}

test("sends a message only with its agent's credential, and follows no redirect", async () => {
  const headers = { 'content-type': 'application/x-protobuf', 'report-after': '240' };
  const { sent, forward } = start(() => new Response('reply', { headers }));
  expect(await forward(Buffer.from('message'), as)).toEqual({
    ...{ status: 200, message: Buffer.from('reply'), words: '' },
    ...{ reportAfterSeconds: 240, retryAfterSeconds: undefined },
  });
  const [[url, { headers: told, ...init }]] = sent as [[string, RequestInit]];
  expect([url, told]).toEqual([
    'https://api/live/v1/opamp',
    { authorization: 'Bearer own', 'content-type': 'application/x-protobuf', accept: 'application/x-protobuf' },
  ]);
  expect(init).toMatchObject({ method: 'POST', redirect: 'error', body: Buffer.from('message') });
  expect(init.signal?.aborted).toBe(false);
});

test('the agent learns of a refusal and its pause, and nothing is repeated', async () => {
  const { sent, forward } = start(() =>
    Response.json({ message: 'Wait.' }, { status: 429, headers: { 'retry-after': '7' } }),
  );
  const told = { status: 429, message: undefined, words: 'Wait.', retryAfterSeconds: 7 };
  expect(await forward(Buffer.from('message'), as)).toMatchObject(told);
  expect(sent).toHaveLength(1);
});

test("messages wait behind the gateway's requests", async () => {
  const { clock, limit, sent, forward } = start();
  for (let index = 0; index < MAX_BURST; index += 1) void limit.run(() => Promise.resolve());
  const order: string[] = [];
  const forwarded = forward(Buffer.from('message'), as).then(() => order.push('message'));
  const ownWork = limit.run(() => Promise.resolve()).then(() => order.push('own'));
  await clock.passUntil(Promise.all([forwarded, ownWork]));
  expect([order, sent.length]).toEqual([['own', 'message'], 1]);
});
