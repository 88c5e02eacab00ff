import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AgentToServerSchema, ServerToAgentSchema } from '../../functions/opamp/protocol/generated/opamp_pb.ts';
import { comesTrue, isPending, type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { OpampSocket, type OpampSocketOptions, RefusedSocket } from '../../tests/support/opamp-socket.ts';
import { OpampSockets, wantsOpamp } from './opamp-sockets.ts';

let server: Server;
let sockets: OpampSockets;
let clock: ManualClock;
/** The reply to the check of a credential. */
let caller: { status: number; body: unknown };
let max: number;
/** The reported ends of connections, by the last byte of the agent's uid. */
let reportedEnds: (number | undefined)[];
const agents = new Set<OpampSocket>();

const accepted = {
  status: 200,
  message: toBinary(ServerToAgentSchema, create(ServerToAgentSchema, {})),
  ...{ words: '', reportAfterSeconds: 240, retryAfterSeconds: undefined },
};

beforeEach(async () => {
  [clock, max, reportedEnds] = [manualClock(), 10, []];
  caller = { status: 200, body: { role: 'Editor' } };
  sockets = new OpampSockets({
    max: () => max,
    send: () => Promise.resolve(caller),
    forward: (bytes) => {
      const message = fromBinary(AgentToServerSchema, bytes);
      if (message.agentDisconnect !== undefined) reportedEnds.push(message.instanceUid.at(-1));
      return Promise.resolve(accepted);
    },
    log: () => undefined,
    monotonic: clock,
  });
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    expect(wantsOpamp(request)).toBe(true);
    void sockets.upgrade(request, socket, head, '192.0.2.1');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  for (const agent of agents) agent.close();
  agents.clear();
  await clock.passUntil(sockets.stop());
  server.close();
});

async function connect(more: Partial<OpampSocketOptions> = {}): Promise<OpampSocket> {
  const base = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = await OpampSocket.connect({ base, authorization: 'Bearer key', ...more });
  agents.add(agent);
  return agent;
}

const refusal = async (more: Partial<OpampSocketOptions> = {}): Promise<RefusedSocket> => {
  const error: unknown = await connect(more).catch((reason: unknown) => reason);
  if (error instanceof RefusedSocket) return error;
  throw new Error('not refused', { cause: error });
};

test.each([429, 500, 503])(
  'a service that replies with %i to the check of a credential refuses with a time to wait',
  async (status) => {
    caller = { status, body: { message: 'Busy.' } };
    const { status: shown, headers } = await refusal();
    expect(shown).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(5);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(15);
    expect([sockets.size, sockets.refused]).toEqual([0, 1]);
  },
);

test("a refused credential has the service's refusal", async () => {
  caller = { status: 401, body: { message: 'Expired API key' } };
  expect(await refusal()).toMatchObject({ status: 401, message: '{"message":"Expired API key"}' });
});

test('browsers, agents without a credential and roles that do not report are refused by name', async () => {
  const statusOf = async (more?: Partial<OpampSocketOptions>) => {
    const { status, message } = await refusal(more);
    return [status, JSON.parse(message).status];
  };
  expect(await statusOf({ headers: { Origin: 'https://a' } })).toEqual([403, 'PERMISSION_DENIED']);
  expect(await statusOf({ authorization: undefined })).toEqual([401, 'UNAUTHENTICATED']);
  caller = { status: 200, body: { role: 'Viewer' } };
  expect(await statusOf()).toEqual([403, 'PERMISSION_DENIED']);
});

test('connections beyond the maximum are refused with a time to wait', async () => {
  max = 1;
  await connect();
  expect(await refusal()).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
});

test('an agent has 10 s for its first message', async () => {
  const [silent, begun] = [await connect(), await connect()];
  await begun.ask();
  clock.advance(9999);
  await begun.ask();
  expect(sockets.size).toBe(2);
  clock.advance(1);
  expect(await silent.closed).toEqual([1008, 'The first message did not arrive in time.']);
  expect((await begun.ask()).errorResponse).toBeUndefined();
});

test('a connection that does not answer three pings is closed, and one that answers stays', async () => {
  const [silent, healthy] = [await connect({ autoPong: false }), await connect()];
  await Promise.all([silent.ask(), healthy.ask()]);
  let pings = 0;
  silent.websocket.on('ping', () => (pings += 1));
  for (const turn of [1, 2, 3]) {
    clock.advance(30_000);
    // The pong is on its way before this message.
    await healthy.ask();
    expect(await comesTrue(() => pings === turn)).toBe(true);
  }
  expect(sockets.size).toBe(2);
  clock.advance(30_000);
  expect(await comesTrue(() => sockets.size === 1)).toBe(true);
  expect((await healthy.ask()).errorResponse).toBeUndefined();
});

/** An agent whose uid consists of this byte, and that has sent its first message. */
async function connected(uidByte: number): Promise<OpampSocket> {
  const agent = await connect();
  agent.uid = new Uint8Array(16).fill(uidByte);
  await agent.ask();
  return agent;
}

test('an agent that leaves again is reported 15 s after it left last', async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    clock.advance(10_000);
    const agent = await connected(1);
    agent.close();
    expect(await comesTrue(() => sockets.size === 0)).toBe(true);
  }
  clock.advance(14_999);
  expect(reportedEnds).toEqual([]);
  clock.advance(1001);
  expect(reportedEnds).toEqual([1]);
});

test('of many agents that leave at once 100 a second are reported, each once', async () => {
  max = 200;
  const bytes = Array.from({ length: 150 }, (_, index) => index + 1);
  const leaving = await Promise.all(bytes.map(connected));
  for (const agent of leaving) agent.close();
  expect(await comesTrue(() => sockets.size === 0)).toBe(true);
  clock.advance(15_000);
  expect(reportedEnds).toHaveLength(100);
  clock.advance(1000);
  expect(reportedEnds.toSorted((left = 0, right = 0) => left - right)).toEqual(bytes);
});

test('an agent without a connection is reported after 15 s, unless it has returned', async () => {
  const [gone, back] = [await connected(1), await connected(2)];
  gone.close();
  back.close();
  expect(await comesTrue(() => sockets.size === 0)).toBe(true);
  await connected(2);
  clock.advance(14_999);
  expect(reportedEnds).toEqual([]);
  clock.advance(1001);
  expect(reportedEnds).toEqual([1]);
  clock.advance(60_000);
  expect(reportedEnds).toEqual([1]);
});

test('a drain closes connections evenly, refuses others, and reports none as lost', async () => {
  const [first, second] = [await connect(), await connect()];
  await Promise.all([first.ask(), second.ask()]);
  const drained = sockets.drain(10_000);
  expect(await first.closed).toEqual([1001, 'The server stops.']);
  expect((await refusal()).status).toBe(503);
  clock.advance(4999);
  expect((await second.ask()).errorResponse).toBeUndefined();
  clock.advance(1);
  expect(await second.closed).toEqual([1001, 'The server stops.']);
  await drained;
  clock.advance(60_000);
  expect(reportedEnds).toEqual([]);
});

test('a stop ends when all connections are closed', async () => {
  const [first, second] = [await connect(), await connect()];
  await Promise.all([first.ask(), second.ask()]);
  const stopped = sockets.stop();
  expect(await isPending(stopped)).toBe(true);
  await clock.passUntil(stopped);
  expect(sockets.size).toBe(0);
  expect([await first.closed, await second.closed]).toEqual([
    [1001, 'The server stops.'],
    [1001, 'The server stops.'],
  ]);
});
