import { codes, type Code } from '../protocol/enumerations.ts';

export const MAX_MESSAGE_BYTES = 65_536;

/** The most bytes of query analytics, which are dropped unread. */
export const MAX_SKIPPED_BYTES = 4 * 1024 * 1024;

/** Compressed flag and length. */
const HEADER_BYTES = 5;

/** Enough of a message to contain its id and the tag of its payload. */
const PREFIX_BYTES = 16;

/** Field 4 with the wire type of a message: query analytics. */
const ANALYTICS_TAG = 0x22;

/** A message, or the id of one that was dropped because nobody stores its contents. */
export type Frame = { kind: 'message'; bytes: Buffer } | { kind: 'dropped'; id: number };

/** Input that ends the stream. The message is for the log of the agent. */
export class StreamFault extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** Frames a message for the wire. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(HEADER_BYTES + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEADER_BYTES);
  return frame;
}

/** The id of a message of query analytics by its first bytes; undefined for any other message. */
function analyticsId(prefix: Buffer): number | undefined {
  if (prefix[0] !== 0x08) return undefined;
  let id = 0;
  for (const [index, byte] of prefix.subarray(1, 6).entries()) {
    id += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return prefix[index + 2] === ANALYTICS_TAG ? id : undefined;
  }
  return undefined;
}

/** Cuts the bytes of a stream into messages. Keeps at most one message. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  /** The bytes that must have arrived before the next look at them. */
  #needed = HEADER_BYTES;
  #toDrop = 0;
  #droppedId = 0;

  /** @throws StreamFault for compressed or too large messages. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    const rest = this.#drop(chunk, frames);
    if (rest.length > 0) this.#chunks.push(rest);
    this.#size += rest.length;
    while (this.#size >= this.#needed) this.#take(frames);
    return frames;
  }

  #drop(chunk: Buffer, frames: Frame[]): Buffer {
    const dropped = Math.min(this.#toDrop, chunk.length);
    this.#toDrop -= dropped;
    if (dropped > 0 && this.#toDrop === 0) frames.push({ kind: 'dropped', id: this.#droppedId });
    return chunk.subarray(dropped);
  }

  /** Takes a frame from the bytes, or says how many it needs. */
  #take(frames: Frame[]): void {
    const bytes = Buffer.concat(this.#chunks);
    if (bytes[0] !== 0) throw new StreamFault(codes.unimplemented, 'Compressed messages are not supported.');
    const length = bytes.readUInt32BE(1);
    if (length > MAX_SKIPPED_BYTES) throw new StreamFault(codes.tooMuch, `A message of ${length} bytes is too large.`);
    if (length > MAX_MESSAGE_BYTES) {
      this.#begin(bytes, length, frames);
      return;
    }
    this.#needed = HEADER_BYTES + length;
    this.#keep(bytes);
    if (bytes.length < this.#needed) return;
    frames.push({ kind: 'message', bytes: bytes.subarray(HEADER_BYTES, this.#needed) });
    this.#keep(bytes.subarray(this.#needed));
    this.#needed = HEADER_BYTES;
  }

  /** Begins to drop a large message, if it is one of query analytics. */
  #begin(bytes: Buffer, length: number, frames: Frame[]): void {
    this.#needed = HEADER_BYTES + PREFIX_BYTES;
    this.#keep(bytes);
    if (bytes.length < this.#needed) return;
    const id = analyticsId(bytes.subarray(HEADER_BYTES));
    if (id === undefined) throw new StreamFault(codes.tooMuch, `A message of ${length} bytes is too large.`);
    this.#droppedId = id;
    this.#toDrop = length;
    this.#needed = HEADER_BYTES;
    this.#keep(this.#drop(bytes.subarray(HEADER_BYTES), frames));
  }

  #keep(bytes: Buffer): void {
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#size = bytes.length;
  }
}
