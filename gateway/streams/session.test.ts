import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { isPending, manualClock } from '../../tests/support/manual-clock.ts';
import { codes } from '../protocol/enumerations.ts';
import {
  AgentMessageSchema,
  type ServerMessage,
  ServerMessageSchema,
  SetStateSchema,
} from '../protocol/generated/agent_pb.ts';
import { StreamFault } from './framing.ts';
import { Session, type StatusChange } from './session.ts';

type Message = MessageInitShape<typeof AgentMessageSchema>;

/** A session whose agent is the test. */
function start() {
  const clock = manualClock();
  const written: ServerMessage[] = [];
  const ends: [number, string][] = [];
  const statuses: StatusChange[] = [];
  const session = new Session({
    wire: {
      write: (frame) => written.push(fromBinary(ServerMessageSchema, frame.subarray(5))),
      end: (...end) => ends.push(end),
    },
    ...{ generation: 3, clock: () => new Date(1500), monotonic: clock },
    onStatus: (change) => statuses.push(change),
  });
  const send = (message: Message) =>
    session.receive({
      kind: 'message',
      bytes: Buffer.from(toBinary(AgentMessageSchema, create(AgentMessageSchema, message))),
    });
  const lastId = () => written.at(-1)!.id;
  return { clock, written, ends, statuses, session, send, lastId };
}

const ping: Message = { id: 7, payload: { case: 'ping', value: {} } };
const state = create(SetStateSchema, {});

test('each request of the agent has one reply with its id', () => {
  const { written, session, send } = start();
  send(ping);
  send({ id: 8, payload: { case: 'stateChanged', value: {} } });
  send({ id: 9, payload: { case: 'actionResult', value: {} } });
  session.receive({ kind: 'dropped', id: 10 });
  send({ id: 11, payload: { case: 'jobProgress', value: {} } });
  expect(written.map(({ id, payload }) => [id, payload.case])).toEqual([
    [7, 'pong'],
    [8, 'stateChanged'],
    [9, 'actionResult'],
    [10, 'qanCollect'],
  ]);
  expect(written[0]?.payload.value).toMatchObject({ currentTime: { seconds: 1n, nanos: 500_000_000 } });
});

test("an unknown request is refused, and an agent's refusal is not answered", () => {
  const { written, send } = start();
  send({ id: 5 });
  send({ id: 6, status: { code: 12, message: 'unknown' } });
  expect(written).toMatchObject([{ id: 5, status: { code: codes.unimplemented } }]);
  expect(written).toHaveLength(1);
});

test.each([
  [
    { listenPort: 65_535, version: '1.8.2' },
    { listenPort: 65_535, version: '1.8.2' },
  ],
  [
    { listenPort: 1, version: 'v'.repeat(64) },
    { listenPort: 1, version: 'v'.repeat(64) },
  ],
  [
    { listenPort: 0, version: '' },
    { listenPort: undefined, version: undefined },
  ],
  [
    { listenPort: 65_536, version: 'v'.repeat(65) },
    { listenPort: undefined, version: undefined },
  ],
  [{ version: 'two\nlines' }, { listenPort: undefined, version: undefined }],
])('of a status with %j, ports and versions that a report accepts are forwarded', (sent, passed) => {
  const { statuses, send } = start();
  send({ id: 1, payload: { case: 'stateChanged', value: { agentId: 'a', status: 2, ...sent } } });
  expect(statuses).toEqual([{ agentId: 'a', status: 'running', ...passed }]);
});

test('a program that could not start waits, with its ports and versions', () => {
  const { statuses, send } = start();
  const value = { agentId: 'a', status: 7, listenPort: 42_000, version: '1.8.2' };
  send({ id: 1, payload: { case: 'stateChanged', value } });
  expect(statuses).toEqual([
    { agentId: 'a', status: 'waiting', listenPort: 42_000, version: '1.8.2', failedToStart: true },
  ]);
});

test('a status that no report accepts is acknowledged but not forwarded', () => {
  const { statuses, written, send } = start();
  for (const status of [0, 6, 99]) send({ id: 1, payload: { case: 'stateChanged', value: { agentId: 'a', status } } });
  expect([statuses, written.length]).toEqual([[], 3]);
});

test('a state is accepted by its own reply in time, and not by a refusal or another reply', async () => {
  const { clock, session, send, lastId } = start();
  const answer = async (reply: (id: number) => Message) => {
    const accepted = session.setState(state, 5000);
    send(reply(lastId()));
    return accepted;
  };
  expect(await answer((id) => ({ id, payload: { case: 'setState', value: {} } }))).toBe(true);
  expect(await answer((id) => ({ id, payload: { case: 'pong', value: {} } }))).toBe(false);
  expect(await answer((id) => ({ id, status: { code: 12, message: '' } }))).toBe(false);
  const late = session.setState(state, 5000);
  send({ id: lastId() + 1, payload: { case: 'setState', value: {} } });
  clock.advance(4999);
  expect(await isPending(late)).toBe(true);
  clock.advance(1);
  expect(await late).toBe(false);
});

test('250 messages may arrive at once, and 50 a second on average, and one more ends the stream', () => {
  const { clock, send } = start();
  const most = () => {
    for (let count = 0; ; count += 1)
      try {
        send(ping);
      } catch (error) {
        expect(error).toBeInstanceOf(StreamFault);
        expect(error).toMatchObject({ code: codes.tooMuch });
        return count;
      }
  };
  expect(most()).toBe(250);
  // The refused message has taken one too.
  clock.advance(1000);
  expect(most()).toBe(49);
  clock.advance(3_600_000);
  expect(most()).toBe(250);
});

test('bytes that are no message end the stream', () => {
  const { session } = start();
  const receive = () => session.receive({ kind: 'message', bytes: Buffer.from([0xff]) });
  expect(receive).toThrow(expect.objectContaining({ code: codes.tryLater }));
});

test('three unanswered pings in a row end the stream, and an answer resets the count', async () => {
  const { clock, ends, session, send, lastId } = start();
  const turn = async (isAnswered: boolean) => {
    const turned = session.keepAlive(30_000);
    if (isAnswered) send({ id: lastId(), payload: { case: 'pong', value: {} } });
    else clock.advance(30_000);
    await turned;
  };
  for (const isAnswered of [false, false, true, false, false]) await turn(isAnswered);
  expect(ends).toEqual([]);
  await turn(false);
  expect([ends, session.isEnded]).toEqual([[[codes.tryLater, 'The agent did not answer pings.']], true]);
});

test('a closed stream answers and sends nothing, and fails what waits for a reply', async () => {
  const { written, ends, session, send } = start();
  const waiting = session.setState(state, 5000);
  session.close();
  expect([await waiting, session.isEnded]).toEqual([false, true]);
  send(ping);
  expect(await session.ping(1000)).toBe(false);
  await session.keepAlive(1000);
  session.end(codes.tryLater, 'again');
  expect([written.length, ends]).toEqual([1, []]);
});
