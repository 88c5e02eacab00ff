import { https, type HttpsReply } from '../support/https.ts';
import { type RunningServer } from '../support/server.ts';
import { type Rank, ranks } from '../../shared/auth/roles.ts';

export const PASSWORD = 'correct horse battery staple';

export const bearer = (key: string) => `Bearer ${key}`;
export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Somebody who calls a server with one set of credentials. */
export type Client = (
  method: string,
  path: string,
  more?: { body?: unknown; headers?: Record<string, string> },
) => Promise<HttpsReply>;

export function clientOf({ base }: Pick<RunningServer, 'base'>, authorization?: string): Client {
  const credentials: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
  return (method, path, { body, headers = {} } = {}) =>
    https(base, method, path, { body, headers: { ...credentials, ...headers } });
}

/** The body of a reply that must have this status; the whole reply is in the message when it has not. */
export function bodyOf(reply: HttpsReply, status: number): any {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
  return reply.body;
}

/** On a busy machine the check of a password may take longer than the authorizer has: 503, repeat. */
export async function repeatWhileBusy(call: () => Promise<HttpsReply>): Promise<HttpsReply> {
  let reply = await call();
  for (let tries = 1; tries < 10 && reply.status === 503; tries += 1) reply = await call();
  return reply;
}

export function logIn(server: Pick<RunningServer, 'base'>, credentials: string): Promise<HttpsReply> {
  return repeatWhileBusy(() => clientOf(server, credentials)('POST', '/v1/sessions'));
}

/** Logs in once (it takes a quarter of a second of CPU) and makes a key of each role. */
export async function makeKeys(server: RunningServer): Promise<{ session: string; keys: Record<Rank, string> }> {
  const login = await logIn(server, basic('admin', PASSWORD));
  const session: string = bodyOf(login, 201).key;
  const admin = clientOf(server, bearer(session));
  const keys = await Promise.all(
    ranks.map(async (role) => [
      role,
      bodyOf(await admin('POST', '/v1/api-keys', { body: { name: role, role } }), 201).key,
    ]),
  );
  return { session, keys: Object.fromEntries(keys) as Record<Rank, string> };
}

/** Every object of a list, page by page. */
export async function listAll(client: Client, path: string, field: string, pageSize = 1000): Promise<any[]> {
  const objects: any[] = [];
  let token: string | undefined;
  do {
    const query = new URLSearchParams({
      page_size: String(pageSize),
      ...(token === undefined ? {} : { page_token: token }),
    });
    const page = bodyOf(await client('GET', `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`), 200);
    objects.push(...page[field]);
    token = page.next_page_token;
  } while (token !== undefined);
  return objects;
}

/** The whole inventory with its states, as a client sees it. */
export async function everything(client: Client): Promise<{ nodes: any[]; services: any[]; agents: any[] }> {
  const [nodes, services, agents] = await Promise.all([
    listAll(client, '/v1/nodes?include=state', 'nodes'),
    listAll(client, '/v1/services?include=state', 'services'),
    listAll(client, '/v1/agents?include=state', 'agents'),
  ]);
  return { nodes, services, agents };
}
