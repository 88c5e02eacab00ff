import { join } from 'node:path';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const PASSWORD = 'a long enough password';

/** A server, and the variables from which every client reads its address, its certificate and a key of an Editor. */
export interface ServerWithKey {
  server: RunningServer;
  connection: Record<'INVENTORY_URL' | 'INVENTORY_CA' | 'INVENTORY_KEY', string>;
  /** The reply to a GET of the administrator, as text. */
  read: (path: string) => Promise<string>;
}

/** Starts the server of the checkout. */
export async function startServerWithKey(dataDir: string): Promise<ServerWithKey> {
  const server = await startServer(dataDir, { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { base } = server;
  const headers = { Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
  const made = await https(base, 'POST', '/v1/api-keys', { headers, body: { name: 'clients', role: 'Editor' } });
  return {
    server,
    connection: {
      ...{ INVENTORY_URL: base, INVENTORY_CA: join(dataDir, 'tls-cert.pem'), INVENTORY_KEY: made.body.key },
    },
    read: async (path) => (await https(base, 'GET', path, { headers })).text,
  };
}
