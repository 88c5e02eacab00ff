import { ADMIN_PASSWORD, type Inventory, type Reply } from './inventory.ts';

const basicOf = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

/** Trades a password for a session. */
export function logIn(inventory: Inventory, { user = 'admin', password = ADMIN_PASSWORD } = {}): Promise<Reply> {
  return inventory.request('POST', '/v1/sessions', { as: null, headers: basicOf(user, password) });
}

/** Asks with the key of a session, or with any other. */
export function askWith(
  inventory: Inventory,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const headers = { Authorization: `Bearer ${key}` };
  return inventory.request(method, path, { as: null, headers, ...(body === undefined ? {} : { body }) });
}
