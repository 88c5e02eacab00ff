import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { codes } from '../protocol/enumerations.ts';
import { type Frame, FrameReader, StreamFault } from './framing.ts';
import type { Wire } from './session.ts';

/** Messages that may arrive before the stream is admitted. */
const MAX_EARLY = 4;

/** Time until the first message. */
const FIRST_MESSAGE_MS = 5000;

/** Bytes that wait for a slow reader before its stream is closed. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** How long the client may take to read the end of its stream. */
const LINGER_MS = 500;

/** The words of gRPC in a header: percent-encoded, because they may contain any character. */
const words = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:20|22|23|2C|2F|3A|3B|3C|3E|5B|5D|60|7B|7C|7D)/g, (code) =>
    decodeURIComponent(code),
  );

const endOf = (code: number, message: string) => ({
  'grpc-status': String(code),
  ...(message === '' ? {} : { 'grpc-message': words(message) }),
});

/** Replies to a call with its end alone. */
export function refuseStream(
  monotonic: MonotonicClock,
  stream: ServerHttp2Stream,
  code: number,
  message: string,
): void {
  if (stream.destroyed || stream.headersSent) return;
  const headers = { ':status': 200, 'content-type': 'application/grpc', ...endOf(code, message) };
  stream.respond(headers, { endStream: true });
  closeLater(monotonic, stream);
}

/** The client need not end its side; and one that reads nothing keeps no connection. */
function closeLater(monotonic: MonotonicClock, stream: ServerHttp2Stream): void {
  monotonic.after(LINGER_MS, () => stream.close(constants.NGHTTP2_NO_ERROR), { ref: false });
}

interface StreamContext {
  headers: IncomingHttpHeaders;
  /** The address of the client. */
  source: string;
  /** The stream was admitted. */
  onAccept: () => void;
  monotonic: MonotonicClock;
}

/** One stream of an agent process. Its frames wait until it is admitted. */
export class AgentStream implements Wire {
  readonly headers: IncomingHttpHeaders;
  readonly source: string;
  /** Aborted when the stream is closed. */
  readonly closed: AbortSignal;
  readonly #stream: ServerHttp2Stream;
  readonly #reader = new FrameReader();
  #early: Frame[] = [];
  #receive: ((frame: Frame) => void) | undefined;
  readonly #onAccept: () => void;
  readonly #monotonic: MonotonicClock;
  readonly #cancelLate: () => void;

  constructor(stream: ServerHttp2Stream, { headers, source, onAccept, monotonic }: StreamContext) {
    this.#stream = stream;
    this.headers = headers;
    this.source = source;
    this.#onAccept = onAccept;
    this.#monotonic = monotonic;
    const closing = new AbortController();
    this.closed = closing.signal;
    stream.on('data', (chunk: Buffer) => this.#push(chunk));
    const endLate = () => this.end(codes.tryLater, 'No message arrived in time.');
    this.#cancelLate = monotonic.after(FIRST_MESSAGE_MS, endLate, { ref: false });
    stream.once('close', () => {
      this.#cancelLate();
      closing.abort();
    });
  }

  #push(chunk: Buffer): void {
    try {
      for (const frame of this.#reader.push(chunk)) this.#pass(frame);
    } catch (error) {
      // Any other error is a fault of this code: it ends this stream alone.
      if (error instanceof StreamFault) this.end(error.code, error.message);
      else this.end(codes.tryLater, 'Internal server error.');
    }
  }

  #pass(frame: Frame): void {
    this.#cancelLate();
    if (this.#receive !== undefined) this.#receive(frame);
    else if (this.#early.length < MAX_EARLY) this.#early.push(frame);
    else throw new StreamFault(codes.tooMuch, 'Too many messages before the connection was established.');
  }

  /** Sends the headers of the reply, and passes all messages on. */
  accept(headers: Readonly<Record<string, string>>, receive: (frame: Frame) => void): void {
    if (this.#stream.destroyed || this.#stream.headersSent) return;
    this.#stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers }, { waitForTrailers: true });
    this.#onAccept();
    const early = this.#early;
    this.#early = [];
    this.#receive = receive;
    try {
      for (const frame of early) receive(frame);
    } catch (error) {
      if (!(error instanceof StreamFault)) throw error;
      this.end(error.code, error.message);
    }
  }

  write(frame: Buffer): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    this.#stream.write(frame);
    if (this.#stream.writableLength > MAX_UNSENT_BYTES) this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  end(code: number, message: string): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.writableEnded) return;
    if (!stream.headersSent) {
      refuseStream(this.#monotonic, stream, code, message);
      return;
    }
    stream.once('wantTrailers', () => stream.sendTrailers(endOf(code, message)));
    stream.end();
    closeLater(this.#monotonic, stream);
  }
}
