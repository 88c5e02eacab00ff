import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { ownCertificate } from '../support/own-certificate.ts';
import { type Proxy, startProxy } from '../support/proxy.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const HOST = 'inventory.internal';
const PORT = 8443;

/** A server as in a company: with a certificate of its own, for a name that only a proxy knows. Without a proxy it is `server.base`. */
export interface PrivateServer {
  /** `https://inventory.internal:8443`. */
  url: string;
  /** The file with the certificate. */
  ca: string;
  /** The file with the key of an Admin, which ends with a line break. */
  keyFile: string;
  key: string;
  /** The variables of the pages of all clients. */
  variables: Record<'INVENTORY_URL' | 'INVENTORY_CA' | 'INVENTORY_KEY_FILE' | 'HTTPS_PROXY', string>;
  server: RunningServer;
  /** How many connections the proxy has made for a client. @throws Error if it saw anything else. */
  tunnels: () => number;
  stop: () => Promise<void>;
}

export async function startPrivateServer(): Promise<PrivateServer> {
  const folder = await newDataDir();
  const { cert, key: secret } = await ownCertificate([HOST, 'localhost'], []);
  const ca = join(folder, 'tls-cert.pem');
  await writeFile(ca, cert);
  await writeFile(join(folder, 'tls-key.pem'), secret, { mode: 0o600 });
  const server = await startServer(folder, { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { keys } = await makeKeys(server);
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, `${keys.Admin}\n`, { mode: 0o600 });
  const proxy: Proxy = await startProxy({ [`${HOST}:${PORT}`]: server.port });
  const url = `https://${HOST}:${PORT}`;
  return {
    ...{ url, ca, keyFile, key: keys.Admin, server },
    variables: { INVENTORY_URL: url, INVENTORY_CA: ca, INVENTORY_KEY_FILE: keyFile, HTTPS_PROXY: proxy.url },
    tunnels: () => {
      expect(proxy.seen.filter((request) => request !== `CONNECT ${HOST}:${PORT}`)).toEqual([]);
      return proxy.seen.splice(0).length;
    },
    stop: async () => {
      await proxy.stop();
      await server.stop();
      await removeDataDir(folder);
    },
  };
}
