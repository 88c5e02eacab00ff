import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface HttpsReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The parsed body, when it is JSON. */
  body: any;
}

/** One HTTPS request to a server with a self-signed certificate. The path goes out exactly as it is given. */
export async function https(
  base: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<HttpsReply> {
  const { hostname, port } = new URL(base);
  const request = httpsRequest({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path,
    method,
    rejectUnauthorized: false,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
  });
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  request.end(raw);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    body: isJson && response.headers['content-encoding'] === undefined ? JSON.parse(text) : undefined,
  };
}
