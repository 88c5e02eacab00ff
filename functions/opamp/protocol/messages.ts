import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { type AgentToServer, AgentToServerSchema, ServerToAgentSchema } from './generated/opamp_pb.ts';

export type { AgentToServer };

/** A reply, before it is written. */
export type Reply = Extract<MessageInitShape<typeof ServerToAgentSchema>, { $typeName?: never }>;

/** The most bytes of the fields that are read: more of them would take a tenth of a second. Others are skipped. */
const MAX_READ_BYTES = 128 * 1024;

const readFields: ReadonlySet<number> = new Set(AgentToServerSchema.fields.map(({ number }) => number));

/** A message whose fields are too long, in words for the agent. */
export class MessageTooLong extends Error {}

function bytesToRead(bytes: Uint8Array): number {
  const reader = new BinaryReader(bytes);
  let sum = 0;
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [field, wireType] = reader.tag();
    reader.skip(wireType, field);
    if (readFields.has(field)) sum += reader.pos - start;
  }
  return sum;
}

/**
 * Fields that the service does not use are dropped.
 *
 * @throws MessageTooLong; Error for bytes that are no message.
 */
export function readAgentToServer(bytes: Uint8Array): AgentToServer {
  if (bytes.length > MAX_READ_BYTES && bytesToRead(bytes) > MAX_READ_BYTES)
    throw new MessageTooLong(
      `Description, health and all else that is read must have at most ${MAX_READ_BYTES} bytes.`,
    );
  return fromBinary(AgentToServerSchema, bytes, { readUnknownFields: false });
}

export const writeServerToAgent = (reply: Reply): Uint8Array =>
  toBinary(ServerToAgentSchema, create(ServerToAgentSchema, reply));
