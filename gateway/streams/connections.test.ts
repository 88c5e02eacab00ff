import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { type AddressInfo, createServer, type Server } from 'node:net';
import {
  comesTrue,
  isPending,
  type ManualClock,
  manualClock,
  turnOfTheLoop,
} from '../../tests/support/manual-clock.ts';
import type { AgentStream } from './agent-stream.ts';
import { AgentConnections } from './connections.ts';
import { frameOf } from './framing.ts';

let server: Server;
let connections: AgentConnections;
let clock: ManualClock;
let onStream: (stream: AgentStream) => void;
const clients = new Set<ClientHttp2Session>();

/** Serves connections from now on, up to a maximum. */
async function serve(max: number): Promise<void> {
  connections = new AgentConnections(max, (stream) => onStream(stream), clock);
  server = createServer({ allowHalfOpen: true }, (socket) => connections.serve(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

beforeEach(async () => {
  [clock, onStream] = [manualClock(), () => undefined];
  await serve(3);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients.clear();
  server.close();
  await clock.passUntil(connections.close());
});

function client(): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
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

/** Opens a stream that the client does not read, and writes these numbers of bytes to it at once. */
async function written(...sizes: number[]): Promise<AgentStream> {
  let opened: AgentStream | undefined;
  onStream = (stream) => {
    stream.accept({}, () => undefined);
    for (const size of sizes) stream.write(Buffer.alloc(size));
    opened = stream;
  };
  open(client()).pause();
  expect(await comesTrue(() => opened !== undefined)).toBe(true);
  await turnOfTheLoop();
  return opened!;
}

test('up to 1 MiB waits for a reader that is slow', async () => {
  const most = [524_288, 524_288];
  expect((await written(...most)).closed.aborted).toBe(false);
  const closed = (await written(...most, 1)).closed;
  expect(await comesTrue(() => closed.aborted)).toBe(true);
});

test('a reader that keeps up keeps its stream, whatever it reads', async () => {
  let opened: AgentStream | undefined;
  onStream = (stream) => {
    stream.accept({}, () => undefined);
    opened = stream;
  };
  let read = 0;
  open(client()).on('data', (chunk: Buffer) => (read += chunk.length));
  expect(await comesTrue(() => opened !== undefined)).toBe(true);
  for (let sent = 600_000; sent <= 3_000_000; sent += 600_000) {
    opened!.write(Buffer.alloc(600_000));
    expect(await comesTrue(() => read === sent)).toBe(true);
  }
  expect(opened!.closed.aborted).toBe(false);
});

test('a connection has one agent stream, and further streams and calls are refused', async () => {
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
  const session = client();
  const closed = once(session, 'close');
  for (let index = 0; index < 1000 && !session.destroyed; index += 1)
    open(session, { ...CONNECT, ':path': '/other.Service/Call' });
  await closed;
  expect(await statusOf(open(client(), { ...CONNECT, ':path': '/other.Service/Call' }))).toBe('12');
});

test('connections beyond the maximum are closed', async () => {
  for (let index = 0; index < 3; index += 1) {
    const session = client();
    open(session);
    await once(session, 'connect');
  }
  expect(await comesTrue(() => connections.size === 3)).toBe(true);
  const extra = client();
  expect(await comesTrue(() => extra.destroyed)).toBe(true);
  expect([connections.size, connections.dropped]).toEqual([3, 1]);
});

test('at most 200 connections wait for their admission: further ones are closed unread, silent ones lose their place', async () => {
  server.close();
  await serve(1000);
  const waiting: AgentStream[] = [];
  onStream = (stream) => waiting.push(stream);
  for (let index = 0; index < 199; index += 1) open(client());
  expect(await comesTrue(() => waiting.length === 199)).toBe(true);
  const silent = client();
  expect(await comesTrue(() => connections.size === 200)).toBe(true);
  // The silent one is younger than the time that it has.
  clock.advance(499);
  const early = client();
  expect(await comesTrue(() => early.destroyed)).toBe(true);
  expect(connections.dropped).toBe(1);
  clock.advance(1);
  open(client());
  expect(await comesTrue(() => silent.destroyed && waiting.length === 200)).toBe(true);
  const refused = client();
  expect(await comesTrue(() => refused.destroyed)).toBe(true);
  expect([connections.dropped, connections.size]).toEqual([2, 200]);
  // An admitted stream makes room.
  waiting[0]?.accept({}, () => undefined);
  open(client());
  expect(await comesTrue(() => waiting.length === 201)).toBe(true);
});

test('a connection without a stream is closed after 5 s', async () => {
  const silent = client();
  expect(await comesTrue(() => connections.size === 1)).toBe(true);
  clock.advance(4999);
  await turnOfTheLoop();
  expect(connections.size).toBe(1);
  clock.advance(1);
  expect(await comesTrue(() => silent.destroyed)).toBe(true);
});

test('a stream without a message ends after 5 s with a reason', async () => {
  let isOpen = false;
  onStream = () => (isOpen = true);
  const stream = open(client());
  const ended = once(stream, 'response') as Promise<[Record<string, string>]>;
  expect(await comesTrue(() => isOpen)).toBe(true);
  clock.advance(4999);
  expect(await isPending(ended)).toBe(true);
  clock.advance(1);
  const [headers] = await ended;
  expect([headers['grpc-status'], headers['grpc-message']]).toEqual(['14', 'No message arrived in time.']);
});

test('a limited number of early messages waits', async () => {
  const messages = (count: number) => Buffer.concat(Array.from({ length: count }, () => frameOf(Buffer.from('x'))));
  let accepted: AgentStream | undefined;
  onStream = (stream) => (accepted = stream);
  open(client()).write(messages(4));
  expect(await comesTrue(() => accepted !== undefined)).toBe(true);
  let received = 0;
  accepted?.accept({}, () => (received += 1));
  expect(await comesTrue(() => received === 4)).toBe(true);
  const other = open(client());
  other.write(messages(5));
  expect(await statusOf(other)).toBe('8');
});

test('a close ends with all connections, and cuts off the remaining ones after one second', async () => {
  open(client());
  const idle = client();
  expect(await comesTrue(() => connections.size === 2)).toBe(true);
  const closed = connections.close();
  expect(await comesTrue(() => idle.destroyed)).toBe(true);
  clock.advance(999);
  expect(await isPending(closed)).toBe(true);
  clock.advance(1);
  await closed;
  expect(await comesTrue(() => connections.size === 0)).toBe(true);
});
