import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface Proxy {
  /** The value of HTTPS_PROXY. */
  url: string;
  /** `CONNECT inventory.internal:443` and `GET http://inventory.internal/v1/nodes`, in their order. */
  seen: string[];
  stop: () => Promise<void>;
}

/**
 * An HTTP proxy of this process. Only it knows where a host is, so that a client which does not use it finds nothing.
 *
 * @param ports the port on the loopback interface of each host with its own port: `inventory.internal:443`.
 * @param refusal the status and its text with which it refuses every request: `407 Proxy Authentication Required`.
 */
export async function startProxy(ports: Readonly<Record<string, number>>, refusal?: string): Promise<Proxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const portOf = (host: string | undefined) => (host === undefined ? undefined : ports[host]);

  const forward = (given: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = given;
    seen.push(`${method} ${url}`);
    if (refusal !== undefined) return void response.writeHead(parseInt(refusal)).end();
    const target = URL.canParse(url) ? new URL(url) : undefined;
    const port = portOf(target && `${target.hostname}:${target.port || '80'}`);
    if (target === undefined || port === undefined) return void response.writeHead(502).end('The host is not known.');
    const sent = request(
      { host: '127.0.0.1', port, method, path: target.pathname + target.search, headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      },
    );
    sent.on('error', () => response.destroy());
    given.pipe(sent);
  };

  const tunnel = ({ url = '' }: IncomingMessage, client: Socket, head: Buffer) => {
    seen.push(`CONNECT ${url}`);
    if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    const port = portOf(url);
    if (port === undefined) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      server.write(head);
      server.pipe(client).pipe(server);
    });
    for (const [source, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(source);
      source.on('error', () => other.destroy());
      source.on('close', () => sockets.delete(source));
    }
  };

  const proxy = createServer(forward).on('connect', tunnel).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    seen,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}
