import type { TLSSocket } from 'node:tls';

/**
 * A request line with more than one space. Node's parser accepts it, and an intermediary may read it in another way
 * (RFC 9112, section 3). A line of a body can match too, but is no JSON then.
 */
const AMBIGUOUS = /^[A-Z-]+(?: {2,}\S+ +| +\S+ {2,})HTTP\/\d/m;

/** A longer line is none of a request: Node refuses larger headers. */
const MAX_LINE_BYTES = 10_240;

/**
 * Watches the bytes that arrive on a connection.
 *
 * @returns whether an ambiguous request line has arrived. Up to date when Node reports the request.
 */
export function watchRequestLines(socket: TLSSocket): () => boolean {
  let rest = '';
  let isAmbiguous = false;
  // Before the listener of the parser, which reports the request.
  socket.prependListener('data', (chunk: Buffer) => {
    const text = rest + chunk.toString('latin1');
    isAmbiguous ||= AMBIGUOUS.test(text);
    rest = text.slice(Math.max(text.lastIndexOf('\n') + 1, text.length - MAX_LINE_BYTES));
  });
  return () => isAmbiguous;
}
