import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { ownCertificate } from '../support/own-certificate.ts';
import { type ConnectionCase, RIGHT_KEY, RIGHT_REPLY } from './connection-cases.ts';

export interface WrongServer {
  /** The address to give to a client. */
  url: string;
  key: string;
  /** How often a client has called it; a failed connection counts. */
  attempts: () => number;
  stop: () => Promise<void>;
}

function sendWrong({ reply, server }: ConnectionCase, response: ServerResponse): void {
  if (reply !== undefined) {
    response.writeHead(reply.status, reply.headers).end(reply.body);
    return;
  }
  const cut = () => response.socket?.resetAndDestroy();
  if (server === 'no reply') {
    cut();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
  response.write('{"nodes": [', cut);
}

/** A server that does what the case states at the first attempt, and answers well afterwards. */
export async function startWrongServer(connectionCase: ConnectionCase): Promise<WrongServer> {
  let [requests, connections] = [0, 0];
  const keys: unknown[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    keys.push(request.headers.authorization);
    if (connectionCase.is !== 'right' && requests === 1) sendWrong(connectionCase, response);
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(RIGHT_REPLY));
  };
  const isSecure = connectionCase.server === 'unknown certificate';
  const server = isSecure ? createSecureServer(await ownCertificate([], ['127.0.0.1']), answer) : createServer(answer);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    // A client that refuses the certificate breaks the connection.
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scheme = isSecure || connectionCase.server === 'no TLS' ? 'https' : 'http';
  const url = connectionCase.urlForm ?? `${scheme}://{host}:{port}`;
  return {
    url: connectionCase.url ?? url.replace('{host}', '127.0.0.1').replace('{port}', String(port)),
    key: connectionCase.key ?? RIGHT_KEY,
    attempts: () => {
      expect(new Set(keys).size <= 1 && [undefined, `Bearer ${RIGHT_KEY}`].includes(keys[0] as string)).toBe(true);
      return scheme === 'https' ? connections : requests;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
