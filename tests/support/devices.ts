import type { Inventory, Reply } from './inventory.ts';
import { logInAs } from './users.ts';

let hosts = 0;

/** A device asks, from an address of its own: other tests do not use up its attempts. */
export function askForSession(inventory: Inventory, client_name = 'a program', sourceIp?: string): Promise<Reply> {
  hosts += 1;
  const ownAddress = `10.9.${hosts >> 8}.${hosts & 255}`;
  const body = { client_name };
  return inventory.request('POST', '/v1/device-authorizations', { as: null, body, sourceIp: sourceIp ?? ownAddress });
}

/** A person with this key reads or answers. */
export const answerWith = (inventory: Inventory, key: string, body: object): Promise<Reply> =>
  inventory.request('POST', '/v1/device-authorizations/answer', {
    as: null,
    headers: { Authorization: `Bearer ${key}` },
    body,
  });

export const poll = (inventory: Inventory, device_code: string): Promise<Reply> =>
  logInAs(inventory, { method: 'device', device_code });

/** The error code of RFC 8628 in the reply to a poll; undefined for others. */
export const reasonIn = ({ body }: Reply): string | undefined => body.details?.[0]?.reason;
