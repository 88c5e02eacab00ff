import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AgentMessageSchema, ServerMessageSchema } from './generated/agent_pb.ts';
import { pong, readAgentMessage, setState, writeServerMessage } from './messages.ts';

test.each([
  ['1970-01-01T00:00:00.000Z', 0n, 0],
  ['1970-01-01T00:00:01.999Z', 1n, 999_000_000],
  ['2026-05-01T10:00:00.001Z', 1_777_629_600n, 1_000_000],
])('a pong at %s', (time, seconds, nanos) => {
  expect(pong(new Date(time))).toEqual({ case: 'pong', value: { currentTime: { seconds, nanos } } });
});

test('agents read a message that the gateway writes', () => {
  const bytes = writeServerMessage({ id: 7, payload: pong(new Date(1500)) });
  const { id, payload } = fromBinary(ServerMessageSchema, bytes);
  expect([id, payload.case]).toEqual([7, 'pong']);
  expect(payload.value).toMatchObject({ currentTime: { seconds: 1n, nanos: 500_000_000 } });
});

test('an unknown field is dropped, and bytes that are no message are refused', () => {
  const knownFields = toBinary(
    AgentMessageSchema,
    create(AgentMessageSchema, { id: 3, payload: { case: 'ping', value: {} } }),
  );
  // Field 2000, a number.
  const message = readAgentMessage(Uint8Array.from([...knownFields, 0x80, 0x7d, 1]));
  expect([message.id, message.payload.case, message.$unknown]).toEqual([3, 'ping', undefined]);
  expect(() => readAgentMessage(Uint8Array.from([0x07]))).toThrow();
});

test('a state has its own payload', () => {
  const { value } = setState({ agentProcesses: {}, builtinAgents: {} } as never);
  expect(value).toEqual({ agentProcesses: {}, builtinAgents: {} });
});
