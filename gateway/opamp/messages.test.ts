import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AgentToServerSchema, ServerToAgentSchema } from '../../functions/opamp/protocol/generated/opamp_pb.ts';
import { frameOf, InvalidFrame, newUidIn, readFrame, writeAgentToServer, writeError } from './messages.ts';

const uid = new Uint8Array(16).fill(7);
const bytesOf = (more: object = {}) =>
  toBinary(AgentToServerSchema, create(AgentToServerSchema, { instanceUid: uid, ...more }));

test('a frame is a header and a message, which is passed on without the configuration of the agent', () => {
  // effective_config: field 6.
  const config = Buffer.concat([Buffer.from([0x32, 6]), Buffer.from('secret')]);
  const message = readFrame(frameOf(Buffer.concat([bytesOf({ sequenceNum: 3n }), config])));
  expect([message.instanceUid, message.sequenceNum]).toEqual([uid, 3n]);
  expect(Buffer.from(writeAgentToServer(message)).includes('secret')).toBe(false);
});

test.each([
  ['without the header', Buffer.from([1, 0]), 'A message must begin with the header 0.'],
  ['without bytes', Buffer.alloc(0), 'A message must begin with the header 0.'],
  ['of other bytes', Buffer.from([0, 0xff, 0xff]), 'The frame contains no AgentToServer message.'],
])('a frame %s is invalid, in words', (_, frame, words) => {
  expect(() => readFrame(frame)).toThrow(InvalidFrame);
  expect(() => readFrame(frame)).toThrow(words);
});

test('an error tells the agent to correct its message, or when to repeat it', () => {
  const errorIn = (bytes: Uint8Array) => fromBinary(ServerToAgentSchema, bytes).errorResponse;
  expect(errorIn(writeError('Wrong.'))).toMatchObject({ type: 1, errorMessage: 'Wrong.' });
  expect(errorIn(writeError('Wrong.'))?.retryInfo).toBeUndefined();
  expect(errorIn(writeError('Later.', 1.2))).toMatchObject({
    type: 2,
    errorMessage: 'Later.',
    retryInfo: { retryAfterNanoseconds: 2_000_000_000n },
  });
});

test('a new uid is read from a reply, and other replies have none', () => {
  const reply = (message: object) => toBinary(ServerToAgentSchema, create(ServerToAgentSchema, message));
  expect(newUidIn(reply({ agentIdentification: { newInstanceUid: uid } }))).toEqual(uid);
  expect(newUidIn(reply({}))).toBeUndefined();
  expect(newUidIn(Buffer.from([0xff]))).toBeUndefined();
});
