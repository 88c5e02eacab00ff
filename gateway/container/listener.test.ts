import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Server as TcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { comesTrue, type ManualClock, manualClock, turnOfTheLoop } from '../../tests/support/manual-clock.ts';
import type { AgentStream } from '../streams/agent-stream.ts';
import { AgentConnections } from '../streams/connections.ts';
import { createListener } from './listener.ts';
import { createPassOn, isPassedOn } from './pass-on.ts';

const HEADER = Buffer.from('0d0a0d0a000d0a515549540a' + '2111000c' + 'c6336407' + 'c0000201' + 'e0f101bb', 'hex');

interface PassedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

let api: Server;
let received: PassedRequest[];
let listeners: TcpServer[];
let passOn: Server;
let connections: AgentConnections;
let sources: string[];
let clock: ManualClock;
beforeEach(async () => {
  [received, listeners, sources, clock] = [[], [], [], manualClock()];
  api = createServer((request, response) => {
    const read = text(request).catch(() => 'cut off');
    void read.then((body) => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      response
        .writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r', 'set-cookie': 'a=b' })
        .end('{}');
    });
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/live`;
  passOn = createPassOn({ apiUrl, mainUrl: 'https://inventory.example.com' });
  const onStream = (stream: AgentStream) => {
    sources.push(stream.source);
    stream.end(14, 'seen');
  };
  connections = new AgentConnections(10, onStream, clock);
});
afterEach(async () => {
  await clock.passUntil(connections.close());
  passOn.closeAllConnections();
  for (const listener of listeners) listener.close();
  api.closeAllConnections();
  api.close();
});

async function listen(expectsProxyHeader: boolean): Promise<number> {
  const serveHttp2 = connections.serve.bind(connections);
  const listener = createListener({ expectsProxyHeader, serveHttp2, http1: passOn, monotonic: clock });
  listeners.push(listener);
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return (listener.address() as AddressInfo).port;
}

/** Sends bytes, in parts, and returns what arrives until the end of the connection. */
async function exchange(port: number, parts: (string | Buffer)[]): Promise<string> {
  // Each part arrives by itself.
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
  await once(socket, 'connect');
  for (const part of parts) {
    socket.write(part);
    await turnOfTheLoop();
  }
  return text(socket).catch(() => '');
}

/** The body of a reply, which may be in chunks. */
const jsonIn = (reply: string) => JSON.parse(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));

const request = (line: string, more = '', body = '') =>
  `${line} HTTP/1.1\r\nHost: agents.example.com\r\nAuthorization: Bearer k\r\n${more}Connection: close\r\n\r\n${body}`;

test("a PMM client's call is forwarded with its credential, and its reply returned", async () => {
  const port = await listen(false);
  const more =
    'Content-Length: 2\r\nContent-Type: application/json\r\nX-Forwarded-For: 192.0.2.9\r\nX-Inventory-Origin: x\r\n';
  const reply = await exchange(port, [request('POST /v1/inventory/Nodes/List?a=b', more, '{}')]);
  expect(reply).toMatch(/^HTTP\/1.1 201 /);
  expect(reply).toContain('x-request-id: r');
  expect(reply).not.toContain('set-cookie');
  expect(received).toMatchObject([
    { method: 'POST', url: '/live/v1/inventory/Nodes/List?a=b', headers: { authorization: 'Bearer k' }, body: '{}' },
  ]);
  for (const name of ['x-forwarded-for', 'x-inventory-origin']) expect(received[0]?.headers[name]).toBeUndefined();
});

test.each(['/v1/enrolment', '/v1/sessions', '/v1/nodes', '/graph/api/auth/keys', '/v1/inventory/../sessions', '/'])(
  'a call of %s is refused with the address to use',
  async (path) => {
    const reply = await exchange(await listen(false), [request(`POST ${path}`, 'Content-Length: 0\r\n')]);
    expect(reply).toMatch(/^HTTP\/1.1 421 /);
    expect(reply).toContain('https://inventory.example.com');
    expect(reply).not.toMatch(/^retry-after:/m);
    expect(jsonIn(reply)).toMatchObject({ code: 9, status: 'FAILED_PRECONDITION' });
    expect(received).toEqual([]);
  },
);

test.each([
  ['/v1/management/nodes', true],
  ['/v1/server/version', true],
  ['/ping', true],
  ['/v1/management/%2e%2e/sessions', false],
  ['//v1/inventory/x', false],
  ['/v1/inventory', false],
  ['/graph/api/serviceaccounts', false],
  ['https://other.example.com/v1/inventory/x', false],
])('%s: %p', (path, isPassed) => expect(isPassedOn(path)).toBe(isPassed));

test('an unavailable service is a 503', async () => {
  api.closeAllConnections();
  api.close();
  const reply = await exchange(await listen(false), [request('GET /ping')]);
  expect(reply).toMatch(/^HTTP\/1.1 503 /);
  expect(reply).toMatch(/^retry-after: 1\r$/m);
  const body = jsonIn(reply);
  expect(body).toMatchObject({ code: 14, status: 'UNAVAILABLE', error: body.message, details: [] });
});

test('a body of 2 MiB is passed on, and a larger one is refused', async () => {
  const port = await listen(false);
  const send = (size: number) =>
    exchange(port, [request('POST /v1/inventory/x', `Content-Length: ${size}\r\n`), Buffer.alloc(size, 32)]);
  const most = 2 * 1024 * 1024;
  expect(await send(most)).toMatch(/^HTTP\/1.1 201 /);
  expect(received.map(({ body }) => body.length)).toEqual([most]);
  const refused = await send(most + 1);
  expect(refused).toMatch(/^HTTP\/1.1 413 /);
  expect(jsonIn(refused)).toMatchObject({ code: 8, status: 'RESOURCE_EXHAUSTED' });
});

test('behind a balancer, the source is in its header, and other connections are refused', async () => {
  const port = await listen(true);
  const parts = [HEADER.subarray(0, 7), HEADER.subarray(7), request('GET /ping')];
  expect(await exchange(port, parts)).toMatch(/^HTTP\/1.1 201 /);
  expect(await exchange(port, [request('GET /ping')])).toBe('');
  expect(await exchange(port, [Buffer.alloc(40, 1)])).toBe('');
  const socket = connect(port, '127.0.0.1');
  socket.write(HEADER);
  const session = connectHttp2('http://x', { createConnection: () => socket });
  session.on('error', () => undefined);
  const headers = { ':method': 'POST', ':path': '/agent.Agent/Connect', 'content-type': 'application/grpc' };
  const [reply] = (await once(session.request(headers), 'response')) as [Record<string, string>];
  expect([reply['grpc-status'], sources]).toEqual(['14', ['198.51.100.7']]);
  session.destroy();
});

test('without a balancer, the source is the address of the connection', async () => {
  const session = connectHttp2(`http://127.0.0.1:${await listen(false)}`);
  const headers = { ':method': 'POST', ':path': '/agent.Agent/Connect', 'content-type': 'application/grpc' };
  await once(session.request(headers), 'response');
  expect(sources).toEqual(['127.0.0.1']);
  session.destroy();
});

test('HTTP/2 is recognised when its first bytes arrive one by one', async () => {
  const port = await listen(false);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
  await once(socket, 'connect');
  for (const byte of Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')) {
    socket.write(Buffer.from([byte]));
    await turnOfTheLoop();
  }
  // The first frame of the server: its settings.
  const [frame] = (await once(socket, 'data')) as [Buffer];
  expect(frame[3]).toBe(4);
  socket.destroy();
});

test('a connection with late first bytes is closed, and an established one stays', async () => {
  const port = await listen(false);
  const [silent, begun] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await once(silent, 'connect');
  const ask = async () => {
    begun.write('GET /ping HTTP/1.1\r\nHost: agents.example.com\r\n\r\n');
    return String((await once(begun, 'data'))[0]);
  };
  expect(await ask()).toMatch(/^HTTP\/1.1 201 /);
  clock.advance(4999);
  expect(await ask()).toMatch(/^HTTP\/1.1 201 /);
  expect(silent.readyState).toBe('open');
  silent.resume();
  clock.advance(1);
  expect(await comesTrue(() => silent.destroyed)).toBe(true);
  expect(await ask()).toMatch(/^HTTP\/1.1 201 /);
  begun.destroy();
});
