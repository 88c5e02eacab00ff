import { randomUUID } from 'node:crypto';
import type { Rank } from '../../shared/auth/roles.ts';
import { bearer, type Request } from './api.ts';

export const nodeNamed = (name: string) => ({ node_type: 'generic', node_name: name, address: '10.0.0.1' });

/**
 * Adds a key with a role.
 *
 * @returns its header and a function that removes it.
 */
export async function addKey(
  request: Request,
  admin: string,
  role: Rank,
): Promise<{ header: string; remove: () => Promise<void> }> {
  const { status, body } = await request('POST', '/v1/api-keys', { as: admin, body: { name: randomUUID(), role } });
  expect(status).toBe(201);
  const remove = async () => {
    expect((await request('DELETE', `/v1/api-keys/${body.key_id}`, { as: admin })).status).toBe(204);
  };
  return { header: bearer(body.key), remove };
}

/** Many functions that start at once keep a busy machine from starting any in time: one request starts the authorizer. */
export const warmUp = (request: Request, admin: string) => request('GET', '/v1/version', { as: admin });

/** The replies of the lists: nodes, services, agents and keys, without the times of their last use. */
export async function inventoryState(request: Request, admin: string): Promise<any[]> {
  await warmUp(request, admin);
  const replies = await Promise.all(
    ['nodes', 'services', 'agents', 'api-keys'].map((name) => request('GET', `/v1/${name}`, { as: admin })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  return JSON.parse(JSON.stringify(replies.map(({ body }) => body)).replaceAll(/,"last_used_(at|from)":"[^"]*"/g, ''));
}
