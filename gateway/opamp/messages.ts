import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { errorTypes, SERVER_CAPABILITIES } from '../../functions/opamp/protocol/capabilities.ts';
import { AgentToServerSchema, ServerToAgentSchema } from '../../functions/opamp/protocol/generated/opamp_pb.ts';
import {
  type AgentToServer,
  MessageTooLong,
  readAgentToServer,
  writeServerToAgent,
} from '../../functions/opamp/protocol/messages.ts';

/** The header of a frame: a varint that is 0 in this version of the protocol. */
const HEADER = Buffer.alloc(1);

/** A frame that is no message of the protocol, in words for the agent. */
export class InvalidFrame extends Error {}

/** @throws InvalidFrame */
export function readFrame(frame: Uint8Array): AgentToServer {
  if (frame[0] !== 0) throw new InvalidFrame('A message must begin with the header 0.');
  try {
    return readAgentToServer(frame.subarray(HEADER.length));
  } catch (error) {
    const isLong = error instanceof MessageTooLong;
    throw new InvalidFrame(isLong ? error.message : 'The frame contains no AgentToServer message.');
  }
}

export const frameOf = (message: Uint8Array): Buffer => Buffer.concat([HEADER, message]);

/** The message as the API gets it: with the fields that the service reads, so without the configuration of the agent. */
export const writeAgentToServer = (
  message: AgentToServer | Extract<MessageInitShape<typeof AgentToServerSchema>, { $typeName?: never }>,
): Uint8Array => toBinary(AgentToServerSchema, create(AgentToServerSchema, message));

/** The uid that a reply gives to the agent; undefined: it keeps its own. */
export function newUidIn(reply: Uint8Array): Uint8Array | undefined {
  try {
    return fromBinary(ServerToAgentSchema, reply).agentIdentification?.newInstanceUid;
  } catch {
    return undefined;
  }
}

const NANOSECONDS = 1_000_000_000n;

/** An error in the form of the protocol. @param retryAfterSeconds the agent may repeat its message then. */
export function writeError(errorMessage: string, retryAfterSeconds?: number): Uint8Array {
  const errorResponse =
    retryAfterSeconds === undefined
      ? { type: errorTypes.badRequest, errorMessage }
      : {
          type: errorTypes.unavailable,
          errorMessage,
          retryInfo: { retryAfterNanoseconds: BigInt(Math.ceil(retryAfterSeconds)) * NANOSECONDS },
        };
  return writeServerToAgent({ capabilities: SERVER_CAPABILITIES, errorResponse });
}
