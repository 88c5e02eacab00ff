import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyTooLarge } from '../../shared/http/json-body.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { maxBodyBytesOf } from '../../shared/http/http-contract.ts';

/** Reads the body of a request for an endpoint that has one. */
export type ReadBody = (endpoint: Pick<Endpoint, 'maxBodyBytes'>) => Promise<Buffer>;

/** Keeps at most one byte more than `most`, by which the endpoint's function detects that the body is too large. */
async function readAll(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    // Read to the end: a reply while the client still sends could be lost with the connection.
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
 * The body of a request, read on demand. Node discards an unread body after the reply.
 *
 * @param broken aborted when the rest of the body cannot be read; its reason is the error of `ReadBody` then.
 * @throws ApiError `bodyTooLarge` before reading, according to Content-Length.
 */
export function bodyReader(request: IncomingMessage, response: ServerResponse, broken: AbortSignal): ReadBody {
  return async (endpoint) => {
    const most = maxBodyBytesOf(endpoint);
    if (Number(request.headers['content-length'] ?? 0) > most) throw bodyTooLarge(endpoint);
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
    // The body was received completely, even if the data after it cannot be read.
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
