import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isPending, type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { createHttpSend, type KeySource } from './http-send.ts';
import { RequestLimit } from './request-limit.ts';

type Answer = (response: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let sent: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string }[];
let sockets: Set<unknown>;
let answers: Answer[];
let clock: ManualClock;

const sendWith = (key: KeySource) => createHttpSend({ baseUrl, key, limit: new RequestLimit(clock), monotonic: clock });

beforeEach(async () => {
  [sent, answers, clock, sockets] = [[], [], manualClock(), new Set()];
  server = createServer((request, response) => {
    sockets.add(request.socket);
    void text(request).then((body) => {
      sent.push({ method: request.method, url: request.url, headers: request.headers, body });
      answers.shift()?.(response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/live`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));

const fixed: KeySource = { current: () => Promise.resolve('minv_own'), renew: () => Promise.resolve(false) };
const agent = { authorization: 'Basic abc', source: '192.0.2.1' };

test("sends only the gateway's key, or the agent's credential", async () => {
  answers = [json(200, { a: 1 }), json(201, { b: 2 })];
  const send = sendWith(fixed);
  expect(await send({ method: 'GET', path: '/v1/agents?x=1' })).toEqual({ status: 200, body: { a: 1 } });
  const report = { method: 'POST', path: '/v1/agents/a/report', body: { agents: [] }, as: agent } as const;
  expect(await send(report)).toEqual({ status: 201, body: { b: 2 } });
  expect(sent).toMatchObject([
    { method: 'GET', url: '/live/v1/agents?x=1', headers: { authorization: 'Bearer minv_own' }, body: '' },
    { method: 'POST', url: '/live/v1/agents/a/report', headers: { authorization: 'Basic abc' }, body: '{"agents":[]}' },
  ]);
});

test('keeps connections open', async () => {
  const send = sendWith(fixed);
  answers = Array.from({ length: 20 }, () => json(200, {}));
  for (let turn = 0; turn < 20; turn += 1) await clock.passUntil(send({ method: 'GET', path: '/a' }));
  expect(sockets.size).toBeLessThan(5);
});

test("repeats its own requests once after 429 and 503 with a short pause, but never an agent's", async () => {
  const send = sendWith(fixed);
  const get = { method: 'GET', path: '/v1/nodes' } as const;
  answers = [json(429, {}, { 'retry-after': '2' }), json(200, {}), json(503, {}), json(503, {}), json(503, {})];
  expect(await clock.passUntil(send(get))).toMatchObject({ status: 200 });
  expect(clock.now()).toBe(2000);
  expect(await clock.passUntil(send(get))).toMatchObject({ status: 503 });
  expect(clock.now()).toBe(2000 + 1000);
  expect(await send({ ...get, as: agent })).toMatchObject({ status: 503 });
  answers = [json(429, {}, { 'retry-after': '11' })];
  expect(await send(get)).toMatchObject({ status: 429 });
  expect(sent).toHaveLength(6);
  answers = [json(429, {}, { 'retry-after': '10' }), json(200, {})];
  expect(await clock.passUntil(send(get))).toMatchObject({ status: 200 });
});

test('uses another key after 401, if there is one', async () => {
  const keys = ['minv_old', 'minv_new'];
  const key: KeySource = {
    current: () => Promise.resolve(keys[0] ?? ''),
    renew: () => Promise.resolve(keys.length > 1 && keys.shift() !== undefined),
  };
  const send = sendWith(key);
  answers = [json(401, {}), json(200, {}), json(401, { message: 'Invalid API key.' })];
  expect(await send({ method: 'GET', path: '/a' })).toMatchObject({ status: 200 });
  expect(await send({ method: 'GET', path: '/a' })).toMatchObject({ status: 401 });
  expect(sent.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer minv_old',
    'Bearer minv_new',
    'Bearer minv_new',
  ]);
});

test('a reply that is no JSON is a failure, and a redirect is not followed', async () => {
  const send = sendWith(fixed);
  answers = [(response) => response.end('<html>'), (response) => response.writeHead(302, { location: '/x' }).end()];
  expect(await send({ method: 'GET', path: '/a' })).toEqual({ status: 502, body: {} });
  await expect(send({ method: 'GET', path: '/a' })).rejects.toThrow();
  expect(sent.length).toBe(2);
});

test('an unused reply body is cancelled, so that its connection is free', async () => {
  const cancelled: number[] = [];
  const statuses = [401, 503, 200];
  const fetched = () => {
    const status = statuses.shift()!;
    const body = new ReadableStream({ cancel: () => void cancelled.push(status) });
    return Promise.resolve(status === 200 ? Response.json({ a: 1 }) : new Response(body, { status }));
  };
  const key: KeySource = { current: () => Promise.resolve('minv_a'), renew: () => Promise.resolve(true) };
  const send = createHttpSend({ baseUrl, key, limit: new RequestLimit(clock), monotonic: clock, fetch: fetched });
  expect(await clock.passUntil(send({ method: 'GET', path: '/a' }))).toEqual({ status: 200, body: { a: 1 } });
  expect(cancelled).toEqual([401, 503]);
});

test.each([
  ['an agent has 4.5 s', agent, 4500],
  ['the gateway has 30 s', undefined, 30_000],
])('a request of %s for its reply', async (_, as, milliseconds) => {
  const fetched = (_input: unknown, { signal }: RequestInit = {}) =>
    new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const send = createHttpSend({
    ...{ baseUrl, key: fixed, limit: new RequestLimit(clock), monotonic: clock, fetch: fetched },
    replyClock: { monotonic: clock },
  });
  const sending = send({ method: 'GET', path: '/a', ...(as === undefined ? {} : { as }) });
  sending.catch(() => undefined);
  await clock.pass(milliseconds - 1);
  expect(await isPending(sending)).toBe(true);
  clock.advance(1);
  await expect(sending).rejects.toThrow('The time is up.');
});
