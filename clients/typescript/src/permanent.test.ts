import {
  type ConnectionCase,
  connectionCases,
  replyIn,
  RIGHT_KEY,
  RIGHT_REPLY,
  saidIn,
} from '../../../tests/clients/connection-cases.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { InventoryError } from './error.ts';
import { followChanges } from './flows/changes.ts';
import { mirror } from './flows/mirror.ts';
import { createClient, getCaller } from './index.ts';
import { isWrongSetting, namingCa } from './permanent.ts';

const PORT = 8443;

/** Attempts of a client that never gives up. */
const MANY = 20;

const clock = manualClock();

/** A client of a server that does what the case states, and answers well later. */
function clientIn(connectionCase: ConnectionCase, isForEver = false) {
  let attempts = 0;
  const scheme =
    connectionCase.server === 'unknown certificate' || connectionCase.server === 'no TLS' ? 'https' : 'http';
  const url =
    connectionCase.url ??
    (connectionCase.urlForm ?? `${scheme}://{host}:{port}`).replace('{host}', 'A').replace('{port}', `${PORT}`);
  const connect = () =>
    createClient({
      url,
      key: connectionCase.key ?? RIGHT_KEY,
      clock,
      onRetry: ({ attempt }) => {
        if (attempt === MANY) throw new Error('again and again');
      },
      fetch: async (address, { headers, redirect }) => {
        attempts += 1;
        await Promise.resolve();
        expect([redirect, headers['Authorization']]).toEqual(['manual', `Bearer ${RIGHT_KEY}`]);
        expect(new URL(address).origin).toBe(`${scheme}://a:${PORT}`);
        const isWrong = connectionCase.is !== 'right' && (isForEver || attempts === 1);
        return isWrong ? replyIn(connectionCase) : Response.json(RIGHT_REPLY);
      },
    });
  return { connect, attempts: () => attempts };
}

/** @returns the error, or undefined. Pauses take no time. */
const errorOf = (work: () => Promise<unknown>) =>
  clock.passUntil(
    work().then(
      () => undefined,
      (error: unknown) => error,
    ),
  );

test.each(connectionCases.map((connectionCase) => [connectionCase.name, connectionCase] as const))(
  '%s',
  async (_, connectionCase) => {
    const { connect, attempts } = clientIn(connectionCase);
    const error = await errorOf(async () => getCaller(connect()));
    expect([attempts(), error !== undefined, isWrongSetting(error)]).toEqual([
      connectionCase.attempts,
      connectionCase.is === 'permanent',
      connectionCase.is === 'permanent',
    ]);
    if (error === undefined) return;
    expect(error).toMatchObject({ retryable: false, http: 0 });
    const { message } = error as InventoryError;
    for (const part of saidIn(connectionCase, 'typescript')) expect(message).toContain(part);
    if (connectionCase.hides !== undefined)
      expect(`${message} ${String((error as Error).stack)}`).not.toContain(connectionCase.hides);
  },
);

const permanent = connectionCases.filter((connectionCase) => connectionCase.is === 'permanent');

test.each(permanent.map((connectionCase) => [connectionCase.name, connectionCase] as const))(
  '%s ends followChanges and mirror',
  async (_, connectionCase) => {
    const following = clientIn(connectionCase, true);
    const error = await errorOf(async () => {
      for await (const { cursor } of followChanges(following.connect(), { since: 'a' })) throw new Error(cursor);
    });
    expect([isWrongSetting(error), following.attempts()]).toEqual([true, connectionCase.attempts]);
    const mirrored = clientIn(connectionCase, true);
    const store = {
      cursor: () => Promise.resolve('a'),
      get: () => Promise.resolve(undefined),
      replace: () => Promise.reject(new Error('not used')),
      apply: () => Promise.reject(new Error('not used')),
    };
    const other = await errorOf(async () => mirror(mirrored.connect(), { store }));
    expect([isWrongSetting(other), mirrored.attempts()]).toEqual([true, connectionCase.attempts]);
  },
);

test('a server refusal is no wrong setting, also with the same status', async () => {
  const body = { status: 'FAILED_PRECONDITION', code: 9, message: 'The node has agents.', details: [] };
  const client = createClient({ url: 'https://a', fetch: () => Promise.resolve(Response.json(body, { status: 409 })) });
  const error = await errorOf(async () => getCaller(client));
  expect(error).toBeInstanceOf(InventoryError);
  expect(isWrongSetting(error)).toBe(false);
});

test('a redirect that a browser hides is a wrong setting', async () => {
  const hidden = { status: 0, headers: new Headers(), text: () => Promise.resolve('') };
  const client = createClient({ url: 'https://a', fetch: () => Promise.resolve(hidden) });
  const error = await errorOf(async () => getCaller(client));
  expect([isWrongSetting(error), String(error)]).toEqual([true, expect.stringContaining('redirects to another')]);
});

test('a request whose headers the network refuses is not repeated', async () => {
  let attempts = 0;
  const client = createClient({
    url: 'https://a',
    fetch: () => {
      attempts += 1;
      return Promise.reject(new TypeError('Invalid character in header content ["Idempotency-Key"]'));
    },
  });
  expect([isWrongSetting(await errorOf(async () => getCaller(client))), attempts]).toEqual([true, 1]);
});

test('a request that a proxy refuses is not repeated, also if fetch of Node wraps its reply twice', async () => {
  let attempts = 0;
  const refused = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
  const client = createClient({
    url: 'https://a',
    fetch: () => {
      attempts += 1;
      return Promise.reject(new TypeError('fetch failed', { cause: new Error('cancelled', { cause: refused }) }));
    },
  });
  const error = await errorOf(async () => getCaller(client));
  expect([isWrongSetting(error), attempts, String(error)]).toEqual([true, 1, expect.stringContaining('(407)')]);
});

test('an attempt whose effect is unknown stays the cause of a wrong setting', async () => {
  let attempts = 0;
  const client = createClient({
    url: 'https://a',
    clock,
    fetch: () => {
      attempts += 1;
      return attempts === 1
        ? Promise.reject(new TypeError('socket hang up'))
        : Promise.resolve(new Response('', { status: 302, headers: { Location: 'https://b' } }));
    },
  });
  expect(await errorOf(async () => getCaller(client))).toMatchObject({ cause: { status: 'UNAVAILABLE' } });
});

test.each([
  [
    "Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b",
    'Use one of them in the address.',
  ],
  ['self-signed certificate; try running Node.js with --use-system-ca', 'Use --ca FILE;'],
])(
  "an untrusted certificate names the program's setting, and a wrong host name no other remedy: %s",
  async (reason, remedy) => {
    const send = namingCa(
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error(reason) })),
      'https://a',
      '--ca FILE',
    );
    const error = await errorOf(async () => getCaller(createClient({ url: 'https://a', fetch: send })));
    expect([isWrongSetting(error), String(error)]).toEqual([true, expect.stringContaining(remedy)]);
    expect(String(error)).not.toContain('--use-system-ca');
  },
);
