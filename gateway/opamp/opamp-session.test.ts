import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { agentCapabilities } from '../../functions/opamp/protocol/capabilities.ts';
import {
  type AgentToServer,
  AgentToServerSchema,
  ServerToAgentSchema,
} from '../../functions/opamp/protocol/generated/opamp_pb.ts';
import { manualClock, turnOfTheLoop } from '../../tests/support/manual-clock.ts';
import type { OpampReply } from './forward.ts';
import { frameOf } from './messages.ts';
import { OpampSession } from './opamp-session.ts';

const frame = (sequenceNum = 0, more: object = {}) => {
  const message = { instanceUid: new Uint8Array(16).fill(7), sequenceNum: BigInt(sequenceNum), ...more };
  return frameOf(toBinary(AgentToServerSchema, create(AgentToServerSchema, message)));
};

const accepted: OpampReply = {
  status: 200,
  message: toBinary(ServerToAgentSchema, create(ServerToAgentSchema, { capabilities: 1n })),
  words: '',
  reportAfterSeconds: 240,
  retryAfterSeconds: undefined,
};
const refused = (status: number, more: Partial<OpampReply> = {}): OpampReply => ({
  ...{ status, message: undefined, words: `Words of ${status}.` },
  ...{ reportAfterSeconds: undefined, retryAfterSeconds: undefined, ...more },
});

/** A session whose messages the service answers by `reply`, or when the test says so if it is undefined. */
function start(reply?: () => OpampReply | Error) {
  const clock = manualClock();
  const forwarded: AgentToServer[] = [];
  const held: ((value: OpampReply) => void)[] = [];
  const replies: { type: number; words: string; retrySeconds: number | undefined }[] = [];
  const wire = { isPaused: false, closed: [] as unknown[] };
  const session = new OpampSession({
    credential: { authorization: 'Bearer key', source: '192.0.2.1' },
    monotonic: clock,
    wire: {
      send: (bytes) => {
        const { errorResponse } = fromBinary(ServerToAgentSchema, bytes.subarray(1));
        const nanoseconds = errorResponse?.retryInfo?.retryAfterNanoseconds;
        const retrySeconds = nanoseconds === undefined ? undefined : Number(nanoseconds / 1_000_000_000n);
        replies.push({ type: errorResponse?.type ?? -1, words: errorResponse?.errorMessage ?? '', retrySeconds });
      },
      pause: () => (wire.isPaused = true),
      resume: () => (wire.isPaused = false),
      close: (...reason) => wire.closed.push(reason),
    },
    forward: async (message) => {
      forwarded.push(fromBinary(AgentToServerSchema, message));
      const value = reply?.() ?? (await new Promise<OpampReply>((resolve) => held.push(resolve)));
      if (value instanceof Error) throw value;
      return value;
    },
  });
  const ask = async (...message: Parameters<typeof frame>) => {
    session.receive(frame(...message));
    await turnOfTheLoop();
    return replies.at(-1);
  };
  const sequences = () => forwarded.map(({ sequenceNum }) => Number(sequenceNum));
  return { clock, session, wire, forwarded, held, replies, ask, sequences };
}

const OK = { type: -1, words: '', retrySeconds: undefined };

test('messages become requests in order, each with one reply', async () => {
  const { session, held, replies, sequences } = start();
  for (let index = 0; index < 3; index += 1) session.receive(frame(index));
  await turnOfTheLoop();
  expect([sequences(), replies]).toEqual([[0], []]);
  for (const length of [1, 2, 3]) {
    held[length - 1]?.(accepted);
    await turnOfTheLoop();
    expect(replies).toHaveLength(length);
  }
  expect([sequences(), replies]).toEqual([
    [0, 1, 2],
    [OK, OK, OK],
  ]);
});

test('a 429 asks the agent to wait, and until then its messages get the remaining time without a request', async () => {
  let reply = refused(429, { retryAfterSeconds: 20 });
  const { clock, ask, sequences, wire } = start(() => reply);
  expect(await ask(0)).toEqual({ type: 2, words: 'Words of 429.', retrySeconds: 20 });
  reply = accepted;
  clock.advance(5000);
  expect(await ask(1)).toEqual({ type: 2, words: 'Too many messages. Try again.', retrySeconds: 15 });
  clock.advance(14_999);
  expect(await ask(2)).toMatchObject({ type: 2, retrySeconds: 1 });
  expect(sequences()).toEqual([0]);
  clock.advance(1);
  expect(await ask(3)).toEqual(OK);
  expect([sequences(), wire.closed]).toEqual([[0, 3], []]);
});

test.each([
  ['429', refused(429), { type: 2, words: 'Words of 429.', retrySeconds: 30 }],
  ['500', refused(500), { type: 2, words: 'Words of 500.', retrySeconds: 30 }],
  ['503 with a time', refused(503, { retryAfterSeconds: 7 }), { type: 2, words: 'Words of 503.', retrySeconds: 7 }],
  ['no reply', new Error('away'), { type: 2, words: 'The inventory cannot be reached. Try again.', retrySeconds: 30 }],
  ['400', refused(400), { type: 1, words: 'Words of 400.', retrySeconds: undefined }],
  ['403', refused(403), { type: 1, words: 'Words of 403.', retrySeconds: undefined }],
])('%s keeps the connection, and tells the agent whether to repeat its message', async (_, reply, told) => {
  const { ask, wire } = start(() => reply);
  expect([await ask(), wire.closed]).toEqual([told, []]);
});

test('a 401 ends the connection after its message', async () => {
  const { ask, wire, session, forwarded } = start(() => refused(401));
  expect(await ask()).toMatchObject({ type: 1, words: 'Words of 401.' });
  expect(wire.closed).toEqual([[1008, 'Words of 401.']]);
  session.receive(frame(1));
  await turnOfTheLoop();
  expect(forwarded).toHaveLength(1);
});

test('the connection is not read while four messages wait', async () => {
  const { session, wire, held } = start();
  // The first one is a request at once, and does not wait.
  for (let index = 0; index < 4; index += 1) session.receive(frame(index));
  await turnOfTheLoop();
  expect(wire.isPaused).toBe(false);
  session.receive(frame(4));
  expect(wire.isPaused).toBe(true);
  held[0]?.(accepted);
  await turnOfTheLoop();
  expect(wire.isPaused).toBe(false);
});

test('a hundred messages may wait, and one more ends the connection without further requests', async () => {
  const { session, wire, held, replies, forwarded } = start();
  for (let index = 0; index < 1 + 100; index += 1) session.receive(frame(index));
  expect(wire.closed).toEqual([]);
  session.receive(frame(101));
  expect(wire.closed).toEqual([[1008, 'Too many messages.']]);
  await turnOfTheLoop();
  held[0]?.(accepted);
  await turnOfTheLoop();
  expect([forwarded.length, replies]).toEqual([1, []]);
});

test('twenty messages are requests at once, and further ones two a second', async () => {
  const { clock, session, forwarded } = start(() => accepted);
  for (let index = 0; index < 24; index += 1) session.receive(frame(index));
  await clock.pass(0);
  expect(forwarded).toHaveLength(20);
  await clock.pass(499);
  expect(forwarded).toHaveLength(20);
  await clock.pass(1);
  expect(forwarded).toHaveLength(21);
  await clock.pass(1500);
  expect(forwarded).toHaveLength(24);
});

test("a silent agent is reported at the service's interval or up to a tenth earlier, one with own heartbeats after two", async () => {
  for (const [capabilities, seconds] of [
    [0n, 240],
    [agentCapabilities.reportsHeartbeat, 480],
  ] as const) {
    const { clock, session, ask, sequences } = start(() => accepted);
    await ask(5, { capabilities });
    clock.advance(0.9 * 1000 * seconds - 1);
    expect(session.isDue).toBe(false);
    clock.advance(0.1 * 1000 * seconds + 1);
    expect(session.isDue).toBe(true);
    void session.beat();
    // Not twice, however long the reply takes.
    expect(session.isDue).toBe(false);
    await turnOfTheLoop();
    expect(sequences()).toEqual([5, 5]);
  }
});

test('after a lost message, the number of the next heartbeat makes the service request the full state', async () => {
  let reply: OpampReply = refused(503, { retryAfterSeconds: 1 });
  const { clock, session, ask, sequences } = start(() => reply);
  await ask(5);
  clock.advance(1000);
  reply = accepted;
  await session.beat();
  await session.beat();
  expect(sequences()).toEqual([5, 7, 5]);
});

test('an agent counts as lost unless the service has accepted its end', async () => {
  const lostAfter = async (reply: OpampReply, more: object) => {
    const { session, ask } = start(() => reply);
    await ask(3, more);
    const { lostMessage } = session;
    return lostMessage && fromBinary(AgentToServerSchema, lostMessage);
  };
  expect(start().session.lostMessage).toBeUndefined();
  expect(await lostAfter(accepted, {})).toMatchObject({ sequenceNum: 3n, agentDisconnect: {} });
  expect(await lostAfter(accepted, { agentDisconnect: {} })).toBeUndefined();
  // Not the next number, with which an agent says that it ends.
  expect(await lostAfter(refused(503), {})).toMatchObject({ sequenceNum: 5n, agentDisconnect: {} });
  expect(await lostAfter(refused(503), { agentDisconnect: {} })).toMatchObject({ agentDisconnect: {} });
});

test('a frame without a message is refused in words without a request', async () => {
  const { session, replies, forwarded, wire } = start(() => accepted);
  session.receive(Buffer.from([1]));
  await turnOfTheLoop();
  expect(replies).toEqual([{ type: 1, words: 'A message must begin with the header 0.', retrySeconds: undefined }]);
  expect([forwarded, wire.closed, session.uid]).toEqual([[], [], undefined]);
});
