import { commandCall, pausingClock, refusal } from '../../../../tests/support/command-call.ts';
import { createClient } from '../../../typescript/src/client.ts';
import type { HttpFetch } from '../../../typescript/src/options.ts';
import type { Settings } from '../connection/settings.ts';
import { run } from './doctor.ts';

/** The results of the checks, with these replies of the server, at this time. */
async function doctor(replies: Readonly<Record<string, () => Response>> = {}, now = 0) {
  const sent: string[] = [];
  const fetch: HttpFetch = async (address) => {
    await Promise.resolve();
    const { pathname } = new URL(address);
    sent.push(pathname);
    return (replies[pathname] ?? (() => Response.json({ name: 'n', role: 'Viewer', build: { version: '1' } })))();
  };
  const clock = { ...pausingClock(), now: () => now };
  const call = commandCall({ world: { fetch, clock }, options: { headers: false } });
  const exit = await run({
    ...call,
    settings: () => Promise.resolve({ url: 'https://a', keySource: 'INVENTORY_KEY' } as Settings),
    connect: () => Promise.resolve(createClient({ url: 'https://a', fetch })),
  });
  const rows = call
    .out()
    .trimEnd()
    .split('\n')
    .map((row) => row.split(/ {3,}/));
  return { exit, sent, results: Object.fromEntries(rows.map(([check, ...rest]) => [check, rest])) };
}

const at = (seconds: number) => () => Response.json({}, { headers: { Date: new Date(seconds * 1000).toUTCString() } });

test('all checks succeed, and name the key and the versions', async () => {
  const { exit, results } = await doctor({ '/v1/readyz': at(0) });
  expect(exit).toBeUndefined();
  expect(results).toEqual({
    address: ['ok', 'https://a (context -)'],
    ...{ server: ['ok', 'ready'], clock: ['ok', 'as on the server'] },
    key: ['ok', 'n, role Viewer, expires never, from INVENTORY_KEY'],
    version: ['ok', expect.stringMatching(/^1; this program: /)],
  });
});

test('the server is asked once, and no check follows a failure', async () => {
  const cut = () => {
    throw new TypeError('cut');
  };
  const { exit, sent, results } = await doctor({ '/v1/readyz': cut });
  expect(sent).toEqual(['/v1/readyz']);
  expect([exit, Object.keys(results), results['server']?.[0]]).toEqual([
    ...['unanswered', ['address', 'server'], 'failed'],
  ]);
});

test('a name that only a proxy can resolve is no failure', async () => {
  // No name server is asked for it: a part of a name has 63 characters at most.
  const url = `https://${'a'.repeat(64)}.test`;
  const check = async (env: Record<string, string>) => {
    const fetch = () => Promise.resolve(Response.json({}));
    const call = commandCall({ options: { output: 'json' }, world: { env } });
    const exit = await run({
      ...call,
      settings: () => Promise.resolve({ url, keySource: 'INVENTORY_KEY' } as Settings),
      connect: () => Promise.resolve(createClient({ url, fetch })),
    });
    return { exit, row: JSON.parse(call.out())[1] };
  };
  expect(await check({ HTTPS_PROXY: 'http://proxy' })).toMatchObject({
    row: { check: 'name', result: 'ok', detail: 'is left to the proxy of HTTPS_PROXY or HTTP_PROXY' },
  });
  expect(await check({})).toMatchObject({ exit: 'failed', row: { check: 'name', result: 'failed' } });
});

test('a clock that is apart from that of the server fails', async () => {
  for (const seconds of [-3600, 3600]) {
    const { exit, results } = await doctor({ '/v1/readyz': at(seconds) });
    expect([exit, results['clock']]).toEqual(['failed', ['failed', expect.stringMatching(/^3600 s apart/)]]);
  }
});

test('a clock may be a minute apart from that of the server', async () => {
  const resultAt = async (now: number) => (await doctor({ '/v1/readyz': at(0) }, now)).results['clock']?.[0];
  expect([await resultAt(60_000), await resultAt(60_001), await resultAt(-60_000)]).toEqual(['ok', 'failed', 'ok']);
});

test('a key that is not accepted is the exit code of the command', async () => {
  const { exit, results } = await doctor({ '/v1/caller': () => refusal(401) });
  expect([exit, results['key']]).toEqual(['denied', ['failed', 'No.']]);
});
