import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { type AgentToServer, AgentToServerSchema, ServerToAgentSchema } from './generated/opamp_pb.ts';

export type { AgentToServer };

/** A reply, before it is written. */
export type Reply = Extract<MessageInitShape<typeof ServerToAgentSchema>, { $typeName?: never }>;

/** @throws Error for bytes that are no message. Fields that the service does not use are dropped. */
export const readAgentToServer = (bytes: Uint8Array): AgentToServer =>
  fromBinary(AgentToServerSchema, bytes, { readUnknownFields: false });

export const writeServerToAgent = (reply: Reply): Uint8Array =>
  toBinary(ServerToAgentSchema, create(ServerToAgentSchema, reply));
