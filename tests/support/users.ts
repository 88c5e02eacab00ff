import { randomUUID } from 'node:crypto';
import { type Inventory, type Reply, startInventory } from './inventory.ts';

/** The password that users of tests set. */
export const PASSWORD = 'a quiet long sentence';

/** Adds a user. The reply contains the invitation. */
export const addUser = (inventory: Inventory, user_name: string, more: object = {}): Promise<Reply> =>
  inventory.request('POST', '/v1/users', { body: { user_name, role: 'Viewer', ...more } });

/** An inventory with these users. They have the role Viewer and no password. */
export async function startWithUsers(...names: readonly string[]): Promise<Inventory> {
  const inventory = await startInventory();
  for (const name of names) await addUser(inventory, name);
  return inventory;
}

let hosts = 0;

/** A log-in from an address of its own: other tests do not use up its attempts. */
export function logInAs(inventory: Inventory, body: object, sourceIp?: string): Promise<Reply> {
  hosts += 1;
  const ownAddress = `10.0.${Math.floor(hosts / 250)}.${(hosts % 250) + 1}`;
  return inventory.request('POST', '/v1/logins', { as: null, body, sourceIp: sourceIp ?? ownAddress });
}

/** A new user without a password. */
export async function invited(
  inventory: Inventory,
  role = 'Editor',
  more: object = {},
): Promise<{ user_name: string; invitation: string }> {
  const { body } = await addUser(inventory, `u-${randomUUID()}`, { role, ...more });
  return body;
}

/** A new user with PASSWORD, and the key of the session in which it was set. */
export async function accepted(inventory: Inventory, role?: string, more?: object) {
  const { user_name, invitation } = await invited(inventory, role, more);
  const { body } = await logInAs(inventory, { method: 'invitation', user_name, invitation, new_password: PASSWORD });
  return { user_name, key: body.key as string, session_id: body.session_id as string };
}

/** Invites the user again, who sets PASSWORD. @returns the key of the session. */
export async function setPassword(inventory: Inventory, user_name: string): Promise<string> {
  const { body: user } = await inventory.request('POST', `/v1/users/${user_name}/invite`, { body: {} });
  const { invitation } = user;
  const { body } = await logInAs(inventory, { method: 'invitation', user_name, invitation, new_password: PASSWORD });
  return body.key;
}
