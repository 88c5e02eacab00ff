import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyTooLarge } from '../shared/http/body-too-large.ts';
import { type Endpoint, maxBodyBytesOf } from '../shared/http/endpoint.ts';

/** Reads the body of a request for an endpoint that takes one. */
export type ReadBody = (endpoint: Endpoint) => Promise<Buffer>;

/** At most one byte more than `most` is kept, by which the endpoint's function sees that the body is too large. */
async function readAll(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    // Read to the end: an answer while the client still sends could be lost with the connection.
    if (bytes <= most) chunks.push(chunk.subarray(0, most + 1 - bytes));
    bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

function giveUp(broken: AbortSignal): never {
  broken.throwIfAborted();
  throw new Error('nothing is broken');
}

/**
 * The body of a request, read when it is asked for. What nobody reads is thrown away by Node once the reply is sent.
 *
 * @param broken aborted when the rest of the body cannot be read; its reason is what `ReadBody` rejects with then.
 * @throws ApiError `bodyTooLarge` before reading when Content-Length says so.
 */
export function bodyReader(request: IncomingMessage, response: ServerResponse, broken: AbortSignal): ReadBody {
  return async (endpoint) => {
    const most = maxBodyBytesOf(endpoint);
    if (Number(request.headers['content-length'] ?? 0) > most) throw bodyTooLarge(endpoint);
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
    // Read from the wire to its end, though what comes behind it cannot be read.
    if (request.complete) return readAll(request, most);
    if (broken.aborted) giveUp(broken);
    const isRead = new AbortController();
    const reading = readAll(request, most);
    const cutOff = once(broken, 'abort', { signal: isRead.signal }).then(() =>
      request.complete ? reading : giveUp(broken),
    );
    try {
      return await Promise.race([reading, cutOff]);
    } finally {
      isRead.abort();
    }
  };
}
