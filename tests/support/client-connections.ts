import { once } from 'node:events';
import { connect, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { createLocalServer, type LocalServer } from '../../local/server/server.ts';
import type { LogEntry } from '../../shared/core/log.ts';
import type { ClockSource } from '../../shared/core/monotonic-clock.ts';
import { newDataDir, removeDataDir } from './data-dir.ts';

/** A local server in this process that answers every request, and connections to it. */
export interface ConnectedServer {
  server: LocalServer;
  port: number;
  logged: LogEntry[];
  /** Connections of TCP; those above the limit are reset. */
  open: (count: number, options?: Partial<NetConnectOpts>) => Promise<Socket[]>;
  /** A connection with TLS that has sent `text`. */
  openTls: (text: string, localAddress?: string) => Promise<Socket>;
  stop: () => Promise<void>;
}

export async function startConnectedServer(timed: ClockSource = {}): Promise<ConnectedServer> {
  const folder = await newDataDir();
  const logged: LogEntry[] = [];
  const opened = new Set<Socket>();
  const server = createLocalServer({
    ...(await ensureCertificate(folder)),
    gateway: async ({ body, method }) => {
      if (method === 'POST' && typeof body !== 'string') await body({});
      return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: '{}' };
    },
    site: [],
    log: (entry) => logged.push(entry),
    ...timed,
  });
  await once(server.https.listen(0, '0.0.0.0'), 'listening');
  const { port } = server.https.address() as AddressInfo;
  const open = (count: number, options: Partial<NetConnectOpts> = {}): Promise<Socket[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect({ port, host: '127.0.0.1', ...options });
        opened.add(socket);
        socket.on('error', () => undefined);
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
        return socket;
      }),
    );
  return {
    server,
    port,
    logged,
    open,
    openTls: async (text, localAddress = '127.0.0.1') => {
      const [socket] = await open(1, { localAddress });
      const tls = connectTls({ socket: socket!, rejectUnauthorized: false });
      opened.add(tls);
      tls.on('error', () => undefined);
      await once(tls, 'secureConnect');
      tls.write(text);
      return tls;
    },
    stop: async () => {
      for (const socket of opened) socket.destroy();
      await server.stop(1000);
      await removeDataDir(folder);
    },
  };
}
