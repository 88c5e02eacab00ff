import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { AgentStream } from './agent-stream.ts';
import { AgentConnections } from './connections.ts';
import { frameOf } from './framing.ts';

let server: Server;
let connections: AgentConnections;
let port: number;
let onStream: (stream: AgentStream) => void = () => undefined;
const clients = new Set<ClientHttp2Session>();
beforeAll(async () => {
  connections = new AgentConnections(3, (stream) => onStream(stream));
  server = createServer({ allowHalfOpen: true }, (socket) => connections.serve(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients.clear();
  while (connections.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
});
afterAll(async () => {
  await connections.close();
  server.close();
});

function client(): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  clients.add(session);
  return session;
}

const CONNECT = { ':method': 'POST', ':path': '/agent.Agent/Connect', 'content-type': 'application/grpc' };

function open(session: ClientHttp2Session, headers: Record<string, string> = CONNECT) {
  const stream = session.request(headers);
  stream.on('error', () => undefined);
  return stream;
}

const statusOf = async (stream: ReturnType<typeof open>) => {
  const [headers] = (await once(stream, 'response')) as [Record<string, string>];
  return headers['grpc-status'];
};

test('a slow reader loses its stream', async () => {
  const ended = new Promise<void>((resolve) => {
    onStream = (stream) => {
      stream.closed.addEventListener('abort', () => resolve());
      stream.accept({}, () => undefined);
      for (let index = 0; index < 40; index += 1) stream.write(frameOf(Buffer.alloc(60_000)));
    };
  });
  open(client()).pause();
  await ended;
});

test('a connection has one stream of an agent; further ones and other calls are refused', async () => {
  let streams = 0;
  onStream = () => (streams += 1);
  const session = client();
  open(session);
  expect(await statusOf(open(session))).toBe('8');
  expect(await statusOf(open(session, { ...CONNECT, ':path': '/other.Service/Call' }))).toBe('12');
  expect(await statusOf(open(session, { ...CONNECT, 'content-type': 'text/html' }))).toBe('12');
  expect(streams).toBe(1);
});

test('a connection with many calls is closed, and others are not', async () => {
  onStream = () => undefined;
  const session = client();
  const closed = once(session, 'close');
  for (let index = 0; index < 1000 && !session.destroyed; index += 1)
    open(session, { ...CONNECT, ':path': '/other.Service/Call' });
  await closed;
  expect(await statusOf(open(client(), { ...CONNECT, ':path': '/other.Service/Call' }))).toBe('12');
});

test('connections beyond the maximum are closed', async () => {
  onStream = () => undefined;
  for (let index = 0; index < 3; index += 1) {
    const session = client();
    open(session);
    await once(session, 'connect');
  }
  while (connections.size < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  const extra = client();
  await once(extra, 'close');
});

test('at most 200 connections wait for their admission: further ones are closed unread, silent ones lose their place', async () => {
  const waiting: AgentStream[] = [];
  let now = 0;
  const many = new AgentConnections(
    1000,
    (stream) => waiting.push(stream),
    () => now,
  );
  const own = createServer((socket) => many.serve(socket));
  await once(own.listen(0, '127.0.0.1'), 'listening');
  const ownPort = (own.address() as AddressInfo).port;
  const dial = () => {
    const session = connect(`http://127.0.0.1:${ownPort}`);
    session.on('error', () => undefined);
    clients.add(session);
    return session;
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
  for (let index = 0; index < 199; index += 1) open(dial());
  while (waiting.length < 199) await pause();
  const silent = dial();
  await once(silent, 'connect');
  while (many.size < 200) await pause();
  // The silent one is younger than the time that it has.
  const early = dial();
  await once(early, 'close');
  expect(many.dropped).toBe(1);
  now = 500;
  open(dial());
  await once(silent, 'close');
  while (waiting.length < 200) await pause();
  const refused = dial();
  await once(refused, 'close');
  expect([many.dropped, many.size]).toEqual([2, 200]);
  // An admitted stream makes room.
  waiting[0]?.accept({}, () => undefined);
  open(dial());
  while (waiting.length < 201) await pause();
  own.close();
  await many.close();
});

test('a stream without a message ends after some time, with words', async () => {
  onStream = () => undefined;
  expect(await statusOf(open(client()))).toBe('14');
});

test('early messages wait, but only some', async () => {
  let accepted: AgentStream | undefined;
  onStream = (stream) => (accepted = stream);
  const stream = open(client());
  stream.write(Buffer.concat(Array.from({ length: 4 }, () => frameOf(Buffer.from('x')))));
  while (accepted === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 50));
  let received = 0;
  accepted.accept({}, () => (received += 1));
  while (received < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  const other = open(client());
  other.write(Buffer.concat(Array.from({ length: 5 }, () => frameOf(Buffer.from('x')))));
  expect(await statusOf(other)).toBe('8');
});
