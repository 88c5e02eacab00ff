import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

export interface HttpsAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  body: any;
}

export interface HttpsClient {
  request: (
    method: string,
    path: string,
    call?: { body?: unknown; headers?: Record<string, string> },
  ) => Promise<HttpsAnswer>;
  close: () => void;
}

/** A client that keeps its connections: a handshake for each of some thousand requests would be most of the time. */
export function httpsClient(base: string, authorization: string): HttpsClient {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return {
    request: async (method, path, { body, headers = {} } = {}) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const request = httpsRequest(new URL(path, base), {
        method,
        agent,
        headers: {
          Authorization: authorization,
          ...(text === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      request.end(text);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      let answer = '';
      for await (const chunk of response.setEncoding('utf8')) answer += String(chunk);
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: answer,
        body: answer === '' ? undefined : JSON.parse(answer),
      };
    },
    close: () => agent.destroy(),
  };
}
