import { hostname } from 'node:os';
import { commandCall, refusal, type SentRequest } from '../../../../tests/support/command-call.ts';
import { logInByDevice } from './device-log-in.ts';

const codes = {
  ...{ device_code: 'secret', user_code: 'BCDF-GHJK', interval: 5, expires_in: 600 },
  ...{ verification_uri: '/#/device', verification_uri_complete: '/#/device?user_code=BCDF-GHJK' },
};

/** The refusal of a poll with an error code of RFC 8628. */
const no = (reason: string) =>
  refusal(400, { status: 'INVALID_ARGUMENT', details: [{ field: 'device_code', reason, message: reason }] });

/** A log-in whose polls have these replies; the last one again and again. */
function logIn(replies: readonly (() => unknown)[], more: object = {}) {
  let polls = 0;
  const call = commandCall({
    answer: ({ path }: SentRequest) => {
      if (path === '/v1/device-authorizations') return { ...codes, ...more };
      polls += 1;
      return replies[Math.min(polls, replies.length) - 1]!();
    },
  });
  return { call, ended: call.connect().then((client) => logInByDevice(client, 'https://a', call.world)) };
}

const approved = () => ({ key: 'k', expires_at: 't', name: 'not stored' });

test('the person gets the address and the code, and no secret', async () => {
  const { call, ended } = logIn([approved]);
  expect(await ended).toEqual({ key: 'k', expires_at: 't' });
  expect(call.err()).toMatch(
    /^Open https:\/\/a\/#\/device and enter the code BCDF-GHJK\nor open https:\/\/a\/#\/device\?user_code=BCDF-GHJK\nWaiting for 10 minutes/,
  );
  expect(`${call.out()}${call.err()}`).not.toContain('secret');
  expect(call.sent[0]?.body).toEqual({ client_name: `inventory on ${hostname()}`.slice(0, 128) });
});

test('polls wait as long as the server requests, and longer after each slow_down or failure', async () => {
  const { call, ended } = logIn([
    () => no('authorization_pending'),
    () => no('slow_down'),
    () => no('authorization_pending'),
    () => refusal(503),
    () => refusal(429),
    () => {
      throw new TypeError('cut');
    },
    approved,
  ]);
  await ended;
  expect(call.pauses).toEqual([5, 5, 10, 10, 15, 20, 25].map((seconds) => seconds * 1000));
});

test.each(['access_denied', 'expired_token'])('%s ends it as denied', async (reason) => {
  await expect(logIn([() => no(reason)]).ended).rejects.toMatchObject({ exit: 'denied' });
});

test('another refusal is an error', async () => {
  await expect(logIn([() => no('invalid')]).ended).rejects.toMatchObject({ http: 400 });
  await expect(logIn([() => refusal(404)]).ended).rejects.toMatchObject({ http: 404 });
});

test('a wrong setting ends it at once', async () => {
  const redirect = () => new Response('', { status: 302, headers: { Location: 'https://b' } });
  const { call, ended } = logIn([redirect]);
  await expect(ended).rejects.toThrow('redirects to https://b');
  expect(call.pauses).toEqual([5000]);
});

test('polls end with the codes', async () => {
  const { call, ended } = logIn([() => no('authorization_pending')], { expires_in: 20 });
  await expect(ended).rejects.toMatchObject({ exit: 'denied', message: 'Nobody approved this log-in in time.' });
  expect(call.pauses).toEqual([5000, 5000, 5000, 5000]);
});
