import { Network, type PageRequest } from './network.tsx';
import { show } from './page.tsx';

/** A reply with the status 200, or with another one. */
export type Reply = object | { status: number; message: string };

const isRefusal = (reply: Reply): reply is { status: number; message: string } =>
  'message' in reply && 'status' in reply;

/**
 * An empty page in front of these replies, for modules that only send requests.
 *
 * @param reply to the request with this number, from 1.
 * @returns the requests so far.
 */
export async function showReplies(reply: (request: PageRequest, count: number) => Reply): Promise<PageRequest[]> {
  const requests: PageRequest[] = [];
  const network = new Network((request) => {
    requests.push(request);
    const body = reply(request, requests.length);
    return Promise.resolve({
      status: isRefusal(body) ? body.status : 200,
      headers: {},
      body: JSON.stringify(isRefusal(body) ? { code: 0, details: [], error: body.message, ...body, status: '' } : body),
    });
  });
  await show(<></>, { network });
  return requests;
}

export const queryOf = ({ path }: PageRequest): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(path.split('?')[1]));
