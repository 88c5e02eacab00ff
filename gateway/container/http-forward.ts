import { timeLimit } from '../../shared/core/monotonic-clock.ts';
import { OPAMP_PATH } from '../../functions/opamp/exchange/contract.ts';
import { type Forward, MEDIA_TYPE, opampReplyOf } from '../opamp/forward.ts';
import type { RequestLimit } from './request-limit.ts';

/** Time for a request. An agent waits for its reply without a limit. */
const REQUEST_MS = 15_000;

interface HttpForwardOptions {
  /** Address of the API, with its stage. */
  apiUrl: string;
  limit: RequestLimit;
  /** Default: that of Node, which keeps connections open. */
  fetch?: typeof globalThis.fetch;
}

/**
 * Sends messages of OpAMP to the API of the service, once each: the agent learns of a failure. They wait behind the requests of
 * the gateway for many agents.
 */
export function createHttpForward({ apiUrl, limit, fetch = globalThis.fetch }: HttpForwardOptions): Forward {
  const post = (message: Uint8Array, authorization: string) =>
    fetch(`${apiUrl}${OPAMP_PATH}`, {
      method: 'POST',
      headers: { authorization, 'content-type': MEDIA_TYPE, accept: MEDIA_TYPE },
      body: Buffer.from(message),
      // A redirection would send the credential to another address.
      redirect: 'error',
      signal: timeLimit({}, REQUEST_MS),
    });
  return async (message, { authorization }) => {
    const response = await limit.run(() => post(message, authorization), { isBackground: true });
    const body = Buffer.from(await response.arrayBuffer());
    return opampReplyOf(response.status, (name) => response.headers.get(name), body);
  };
}
