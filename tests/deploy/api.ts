import { setTimeout as delay } from 'node:timers/promises';
import { parsedBody } from '../support/parsed-body.ts';

/** What came back through the emulated gateway. */
export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed JSON body, of lines the list of them; undefined when there is none. */
  body: any;
  text: string;
}

export interface RequestOptions {
  /** Sent as JSON; a string goes as it is. */
  body?: unknown;
  /** The value of the Authorization header; default: no header. */
  as?: string;
  headers?: Record<string, string>;
}

export type Request = (method: string, path: string, call?: RequestOptions) => Promise<Reply>;

/** Many times what the gateway itself would wait: the emulator has no limit of its own. */
const LIMIT_MS = 300_000;

/** How often a request is repeated that gets 503 with Retry-After, as docs/automation.md tells clients. */
const REPETITIONS = 10;

/** Requests to a deployed stage, such as `http://127.0.0.1:4566/_aws/execute-api/<api>/live`. */
export function requestsTo(stage: string): Request {
  const once = requestsOnceTo(stage);
  return async (method, path, call) => {
    let reply = await once(method, path, call);
    for (let repetition = 0; repetition < REPETITIONS && reply.status === 503; repetition += 1) {
      const seconds = reply.headers.get('retry-after');
      if (seconds === null) break;
      await delay(Number(seconds) * 1000);
      reply = await once(method, path, call);
    }
    return reply;
  };
}

function requestsOnceTo(stage: string): Request {
  return async (method, path, { body, as, headers = {} } = {}) => {
    const response = await fetch(stage + path, {
      method,
      headers: {
        ...(as === undefined ? {} : { Authorization: as }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: parsedBody(response.headers.get('content-type'), text),
    };
  };
}

export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
export const bearer = (key: string) => `Bearer ${key}`;
