import { type ClockSource, type MonotonicClock, pause, timeLimit } from '../../shared/core/monotonic-clock.ts';
import type { InventoryReply, InventoryRequest, Send } from '../relay/inventory.ts';
import type { RequestLimit } from './request-limit.ts';

/** Time for a request of the gateway. API Gateway ends it earlier: the work of an abandoned request would be done again. */
const REQUEST_MS = 30_000;

/** Time for a request with the credential of an agent, which gives up after 5 s. */
const ADMISSION_MS = 4500;

/** The longest pause that is waited for, and the pause when the service names none. */
const MAX_PAUSE_MS = 10_000;
const DEFAULT_PAUSE_MS = 1000;

/** The key of the gateway. */
export interface KeySource {
  /** @throws Error when there is none. */
  current: () => Promise<string>;
  /** The service refused this key: reads the source again. @returns whether it contains another one. */
  renew: (refused: string) => Promise<boolean>;
}

interface HttpSendOptions {
  /** Address of the API, with its stage: `https://abc.execute-api.eu-west-1.amazonaws.com/live`. */
  baseUrl: string;
  key: KeySource;
  limit: RequestLimit;
  monotonic: MonotonicClock;
  /** Of the time that a reply may take. Default: the clock of the process. */
  replyClock?: ClockSource;
  /** Default: that of Node, which keeps connections open. */
  fetch?: typeof globalThis.fetch;
}

/** The pause that a reply asks for, in milliseconds; undefined: the request is not to be repeated. */
function pauseOf({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = headers.get('retry-after');
  if (seconds === null) return DEFAULT_PAUSE_MS;
  const milliseconds = /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : Infinity;
  return milliseconds <= MAX_PAUSE_MS ? milliseconds : undefined;
}

async function replyOf(response: Response): Promise<InventoryReply> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    return { status: response.status, body };
  } catch {
    // A balancer or a proxy in between has replied.
    return { status: response.ok ? 502 : response.status, body: {} };
  }
}

/**
 * Sends requests to the API of the service. Those of the gateway are repeated once after 429 and 503, if the service names
 * a short pause, and once with another key after 401. Those of agents are not: an agent tries again by itself, and its
 * repetition would displace others.
 *
 * @returns rejects when the service cannot be reached, or does not reply in time.
 */
export function createHttpSend(options: HttpSendOptions): Send {
  const { baseUrl, key, limit, monotonic, replyClock = {}, fetch = globalThis.fetch } = options;
  const fetchNow = ({ method, path, body, as }: InventoryRequest, authorization: string) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirection would send the credential to another address.
      redirect: 'error',
      signal: timeLimit(replyClock, as === undefined ? REQUEST_MS : ADMISSION_MS),
    });

  const request = (asked: InventoryRequest, authorization: string) =>
    limit.run(() => fetchNow(asked, authorization), asked);

  const sendOwn = async (asked: InventoryRequest): Promise<Response> => {
    let used = await key.current();
    let response = await request(asked, `Bearer ${used}`);
    if (response.status === 401 && (await key.renew(used))) {
      await response.body?.cancel();
      used = await key.current();
      response = await request(asked, `Bearer ${used}`);
    }
    const pauseMs = pauseOf(response);
    if (pauseMs === undefined) return response;
    await response.body?.cancel();
    await pause({ monotonic }, pauseMs);
    return request(asked, `Bearer ${used}`);
  };

  return async (asked) =>
    replyOf(asked.as === undefined ? await sendOwn(asked) : await request(asked, asked.as.authorization));
}
