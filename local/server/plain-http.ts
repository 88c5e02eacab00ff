import type { Server } from 'node:https';
import { Socket } from 'node:net';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/** Whether the first byte of a connection begins a request of HTTP: its method is a word. A handshake of TLS begins with 22. */
export const beginsHttp = (byte: number): boolean => /^[A-Za-z]$/.test(String.fromCharCode(byte));

interface Options {
  clock: MonotonicClock;
  /** Time for the first byte. */
  firstByteMs: number;
  /** Answers a connection of plain HTTP, and ends it. Its request is not read: it was sent without encryption. */
  refuse: (socket: Socket) => void;
}

/** Looks at the first byte of each connection, before TLS takes it. Call it before other listeners are added. */
export function divertPlainHttp(server: Server, { clock, firstByteMs, refuse }: Options): void {
  const handshakes = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    // Node passes the socket of TCP here, although the type says less.
    if (!(socket instanceof Socket)) return;
    const end = () => socket.destroy();
    const cancelLate = clock.after(firstByteMs, end, { ref: false });
    socket.on('error', end).once('close', cancelLate);
    socket.once('readable', () => {
      cancelLate();
      const bytes: unknown = socket.read();
      if (!Buffer.isBuffer(bytes)) return end();
      if (beginsHttp(bytes[0] ?? 0)) {
        // Unread bytes would reset the connection before the client has read the answer.
        socket.resume();
        refuse(socket);
        return;
      }
      socket.off('error', end).unshift(bytes);
      for (const handshake of handshakes) Reflect.apply(handshake, server, [socket]);
    });
  });
}
