import type { RequestOptions, Inventory, Reply } from '../support/inventory.ts';

/** The calls of generation 3 in a test, as its client makes them. */
export const clientOf = (inventory: Inventory) => {
  const send = (method: string, path: string, body?: unknown, more: RequestOptions = {}): Promise<Reply> =>
    inventory.request(method, path, { ...(body === undefined ? {} : { body }), ...more });
  const expectOk = async (reply: Promise<Reply>) => {
    const { status, body, text } = await reply;
    if (status !== 200) throw new Error(`${status} ${text}`);
    return body;
  };
  return {
    send,
    get: (path: string, more?: RequestOptions) => expectOk(send('GET', path, undefined, more)),
    post: (path: string, body: unknown, more?: RequestOptions) => expectOk(send('POST', path, body, more)),
    put: (path: string, body: unknown, more?: RequestOptions) => expectOk(send('PUT', path, body, more)),
    remove: (path: string, more?: RequestOptions) => expectOk(send('DELETE', path, undefined, more)),
  };
};

/** A credential that must appear nowhere. */
export const CANARY = 'canary-7f3a9c';

let last = 0;

export const uniqueName = (what: string) => `${what}-${(last += 1)}`;
