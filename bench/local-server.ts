import * as z from 'zod/mini';
import { type Certificate, ensureCertificate } from '../local/server/certificate.ts';
import { newDataDir, removeDataDir } from '../tests/support/data-dir.ts';
import { https } from '../tests/support/https.ts';
import { startServer } from '../tests/support/server.ts';
import { killAtExit } from './child-server.ts';
import { ADMIN_PASSWORD } from './inventory.ts';

/** The local server with an empty inventory, and a key of it. */
export interface BenchServer {
  base: string;
  certificate: Certificate;
  /** Of an Editor. */
  key: string;
  /** The headers of a request with the key. */
  headers: Record<string, string>;
  /** @throws Error for a reply that is no success. */
  post: <T extends z.ZodMiniType>(path: string, body: object, schema: T) => Promise<z.output<T>>;
  stop: () => Promise<void>;
}

/** `npm start` in a process of its own, with a new data folder. */
export async function startLocalServer(): Promise<BenchServer> {
  const folder = await newDataDir();
  const server = await startServer(folder, { environment: { ADMIN_PASSWORD } });
  const forget = killAtExit(() => server.stop());
  const postAs = async <T extends z.ZodMiniType>(
    headers: Record<string, string>,
    { path, body, schema }: { path: string; body: object; schema: T },
  ): Promise<z.output<T>> => {
    const { status, text } = await https(server.base, 'POST', path, { headers, body });
    if (status >= 300) throw new Error(text);
    return z.parse(schema, JSON.parse(text));
  };
  const { key } = await postAs(
    { Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}` },
    { path: '/v1/api-keys', body: { name: 'bench', role: 'Editor' }, schema: z.object({ key: z.string() }) },
  );
  const headers = { Authorization: `Bearer ${key}` };
  return {
    base: server.base,
    certificate: await ensureCertificate(folder),
    key,
    headers,
    post: (path, body, schema) => postAs(headers, { path, body, schema }),
    stop: async () => {
      await server.stop();
      forget();
      await removeDataDir(folder);
    },
  };
}
