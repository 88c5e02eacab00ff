import { parsedBody } from '../support/parsed-body.ts';

/** What came back through the emulated gateway. */
export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed JSON body, of lines the list of them; undefined when there is none. */
  body: any;
  text: string;
}

export interface Call {
  /** Sent as JSON; a string goes as it is. */
  body?: unknown;
  /** The value of the Authorization header; none unless told. */
  as?: string;
  headers?: Record<string, string>;
}

export type Request = (method: string, path: string, call?: Call) => Promise<Reply>;

/** Longer than the gateway itself would wait. */
const LIMIT_MS = 30_000;

/** Requests to a deployed stage, such as `http://127.0.0.1:4566/_aws/execute-api/<api>/live`. */
export function requestsTo(stage: string): Request {
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
