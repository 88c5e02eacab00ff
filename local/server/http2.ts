import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** Selects HTTP/1.1 for every client that offers it. Agent processes offer HTTP/2 only. */
export function chooseProtocol(offered: readonly string[], servesHttp2: boolean): string | undefined {
  if (offered.includes('http/1.1')) return 'http/1.1';
  return servesHttp2 && offered.includes('h2') ? 'h2' : undefined;
}

/** Whether the client and the server agreed on HTTP/2. */
export const isHttp2 = ({ alpnProtocol }: TLSSocket): boolean => alpnProtocol === 'h2';

/** Passes connections of HTTP/2 on, before the parser of HTTP/1.1 takes them. Call it before other listeners are added. */
export function divertHttp2(server: Server, serve: (socket: TLSSocket) => void): void {
  const parsers = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    if (isHttp2(socket)) serve(socket);
    else for (const parser of parsers) Reflect.apply(parser, server, [socket]);
  });
}
