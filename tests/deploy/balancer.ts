import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';

/** A container behind the balancer. */
export interface BalancerTarget {
  port: number;
  healthPort: number;
}

/** A Network Load Balancer: terminates TLS, chooses HTTP/2, and states the client in a header of PROXY protocol v2. */
export interface Balancer {
  port: number;
  /** Its containers; of those that were taken out, connections that exist stay. */
  targets: Set<BalancerTarget>;
  /** The containers that pass their health check. */
  healthy: () => BalancerTarget[];
  close: () => Promise<void>;
}

const HEALTH_MS = 200;

/** TCP over IPv4, with the addresses and ports of both ends. */
function proxyHeader({ remotePort = 0, localPort = 0 }: Socket): Buffer {
  const header = Buffer.alloc(28);
  header.write('\r\n\r\n\0\r\nQUIT\n', 'latin1');
  header.writeUInt8(0x21, 12);
  header.writeUInt8(0x11, 13);
  header.writeUInt16BE(12, 14);
  header.set([127, 0, 0, 1, 127, 0, 0, 1], 16);
  header.writeUInt16BE(remotePort, 24);
  header.writeUInt16BE(localPort, 26);
  return header;
}

/** Joins both connections: the end of one is the end of the other. */
function join(client: TLSSocket, target: Socket): void {
  target.write(proxyHeader(client));
  client.pipe(target).pipe(client);
  for (const [source, other] of [
    [client, target],
    [target, client],
  ] as const)
    source.on('error', () => undefined).once('close', () => other.destroy());
}

async function passes({ healthPort }: BalancerTarget): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${healthPort}/healthz`, { signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false;
  }
}

export async function startBalancer(certificate: { cert: string; key: string }): Promise<Balancer> {
  const targets = new Set<BalancerTarget>();
  let healthy = new Set<BalancerTarget>();
  const clients = new Map<TLSSocket, BalancerTarget>();
  const load = (target: BalancerTarget) => [...clients.values()].filter((candidate) => candidate === target).length;
  const serving = () => [...targets].filter((target) => healthy.has(target));
  const server = createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (client) => {
    const [target] = serving().sort((left, right) => load(left) - load(right));
    if (target === undefined) {
      client.on('error', () => undefined).destroy();
      return;
    }
    clients.set(client, target);
    client.once('close', () => clients.delete(client));
    join(client, connect(target.port, '127.0.0.1'));
  });
  server.on('tlsClientError', () => undefined);
  let isChecking = false;
  const checks = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void Promise.all([...targets].map(async (target) => ((await passes(target)) ? [target] : []))).then((passed) => {
      healthy = new Set(passed.flat());
      isChecking = false;
    });
  }, HEALTH_MS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    healthy: serving,
    close: async () => {
      clearInterval(checks);
      for (const client of clients.keys()) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
