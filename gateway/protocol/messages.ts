import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { type AgentMessage, AgentMessageSchema, ServerMessageSchema, type SetState } from './generated/agent_pb.ts';

/** @throws Error for bytes that are no message. Fields that the gateway does not use are dropped. */
export const readAgentMessage = (bytes: Uint8Array): AgentMessage =>
  fromBinary(AgentMessageSchema, bytes, { readUnknownFields: false });

export const writeServerMessage = (message: MessageInitShape<typeof ServerMessageSchema>): Uint8Array =>
  toBinary(ServerMessageSchema, create(ServerMessageSchema, message));

export type ServerPayload = NonNullable<MessageInitShape<typeof ServerMessageSchema>['payload']>;

export const pong = (now: Date): ServerPayload => ({
  case: 'pong',
  value: {
    currentTime: { seconds: BigInt(Math.floor(now.getTime() / 1000)), nanos: (now.getTime() % 1000) * 1_000_000 },
  },
});

export const setState = (value: SetState): ServerPayload => ({ case: 'setState', value });
