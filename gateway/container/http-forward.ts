import { OPAMP_PATH } from '../../functions/opamp/exchange/contract.ts';
import { type Forward, MEDIA_TYPE, opampReplyOf } from '../opamp/forward.ts';

/** Time for a request. An agent waits for its reply without a limit. */
const REQUEST_MS = 15_000;

/** Sends messages of OpAMP to the API of the service, once each: the agent learns of a failure. */
export function createHttpForward(apiUrl: string, fetch: typeof globalThis.fetch = globalThis.fetch): Forward {
  return async (message, { authorization }) => {
    const response = await fetch(`${apiUrl}${OPAMP_PATH}`, {
      method: 'POST',
      headers: { authorization, 'content-type': MEDIA_TYPE, accept: MEDIA_TYPE },
      body: Buffer.from(message),
      // A redirection would send the credential to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const body = Buffer.from(await response.arrayBuffer());
    return opampReplyOf(response.status, (name) => response.headers.get(name), body);
  };
}
