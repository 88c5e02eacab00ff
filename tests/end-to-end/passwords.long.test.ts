import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bearer, clientOf, makeKeys, PASSWORD } from './client.ts';

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  key = (await makeKeys(server)).keys.Viewer;
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

/** Presents a password from an address of the loopback network, of which only Linux has more than one. */
async function attempt(password: string, localAddress: string): Promise<{ status: number; retryAfter: number }> {
  const from = process.platform === 'linux' ? { localAddress } : {};
  const headers = { Authorization: basic('admin', password) };
  const options = { host: '127.0.0.1', port: server.port, path: '/v1/caller', rejectUnauthorized: false, agent: false };
  const request = httpsRequest({ ...options, ...from, headers }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode!, retryAfter: Number(response.headers['retry-after']) };
}

/** Milliseconds for some requests with a key, and for pages of the site. */
async function timeOfOthers(): Promise<number> {
  const start = performance.now();
  for (let round = 0; round < 10; round += 1) {
    expect((await clientOf(server, bearer(key))('GET', '/v1/nodes?page_size=1')).status).toBe(200);
    expect((await clientOf(server)('GET', '/swagger/')).status).toBe(200);
  }
  return performance.now() - start;
}

test('most of forty simultaneous wrong passwords are refused at once, and keys, the site and other users are unaffected', async () => {
  const before = await timeOfOthers();
  const flood = Promise.all(Array.from({ length: 40 }, (_, index) => attempt(`wrong ${index}`, '127.0.0.3')));
  const meanwhile = await timeOfOthers();
  const replies = await flood;
  // Forty hashes on the threads that files are read with took hundreds of times as long.
  expect(meanwhile / before).toBeLessThan(20);

  // 503 where a busy machine takes longer over one check than the authorizer has.
  const refused = replies.filter(({ status }) => status === 429 || status === 503);
  const wrong = replies.filter(({ status }) => status === 401);
  expect(refused.length + wrong.length).toBe(40);
  // Five failures are free; one more may have been under way, and a second passes now and then on a slow machine.
  expect(wrong.length).toBeLessThanOrEqual(10);
  for (const { retryAfter } of refused) expect(retryAfter).toBeGreaterThanOrEqual(1);

  if (process.platform !== 'linux') return;
  let other = await attempt(PASSWORD, '127.0.0.4');
  for (let tries = 0; tries < 20 && other.status === 503; tries += 1) other = await attempt(PASSWORD, '127.0.0.4');
  expect(other.status).toBe(200);
});

test('a 429 has our form, and the right password is accepted after Retry-After', async () => {
  const guess = (number: number) => clientOf(server, basic('admin', `wrong again ${number}`))('GET', '/v1/caller');
  let reply = await guess(0);
  for (let tries = 1; tries < 20 && reply.status !== 429; tries += 1) reply = await guess(tries);
  expect(reply).toMatchObject({ status: 429, body: { code: 8, message: 'Too many requests. Try again.' } });
  let { status } = reply;
  while (status === 429 || status === 503) {
    await delay(200);
    ({ status } = await attempt(PASSWORD, '127.0.0.1'));
  }
  expect(status).toBe(200);
});
