import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BACK_CHANNEL_LOGOUT_PATH } from '../../functions/identity/log-out/contract.ts';
import type { Inventory, Reply } from './inventory.ts';
import { TEST_TIME } from './test-time.ts';

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Sends a form to an inventory. */
export const sendForm = (inventory: Inventory, form: string, sourceIp = '10.2.0.1'): Promise<Reply> =>
  inventory.request('POST', BACK_CHANNEL_LOGOUT_PATH, { as: null, headers: FORM, body: form, sourceIp });

export const formWith = (token: string) => String(new URLSearchParams({ logout_token: token }));

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** The claims of a valid log-out token of now, besides issuer and audience. */
export function logOutClaims(
  more: Record<string, unknown>,
  now = Math.floor(TEST_TIME / 1000),
): Record<string, unknown> {
  return { iat: now, exp: now + 120, jti: randomUUID(), events: EVENTS, ...more };
}

export const sendLogOutToken = (inventory: Inventory, token: string, sourceIp?: string): Promise<Reply> =>
  sendForm(inventory, formWith(token), sourceIp);

/** The address of an inventory in this process, for a provider that sends log-out tokens. */
export interface LogOutReceiver {
  url: string;
  /** Undefined: it answers 503. */
  inventory: Inventory | undefined;
  /** The form and the status of each request. */
  received: { form: string; status: number }[];
  stop: () => Promise<void>;
}

export async function startLogOutReceiver(): Promise<LogOutReceiver> {
  const server = createServer((request, response) => {
    const pass = async () => {
      const form = await text(request);
      const { inventory } = receiver;
      const headers = { 'Content-Type': request.headers['content-type'] ?? '' };
      const reply = await inventory?.request('POST', request.url ?? '', { as: null, headers, body: form });
      const status = reply?.status ?? 503;
      receiver.received.push({ form, status });
      response.writeHead(status, reply?.headers).end();
    };
    pass().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: LogOutReceiver = {
    url: `http://127.0.0.1:${port}${BACK_CHANNEL_LOGOUT_PATH}`,
    inventory: undefined,
    received: [],
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
