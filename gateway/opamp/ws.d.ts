/** The part of ws that is used: https://github.com/websockets/ws/blob/8.23.0/doc/ws.md */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  interface WebSocketEvents {
    open: [];
    message: [data: Buffer, isBinary: boolean];
    ping: [];
    pong: [];
    close: [code: number, reason: Buffer];
    error: [error: Error];
    'unexpected-response': [request: unknown, response: IncomingMessage];
  }

  export class WebSocket extends EventEmitter<WebSocketEvents> {
    constructor(
      address: string,
      options?: {
        headers?: Record<string, string>;
        ca?: string | Buffer;
        rejectUnauthorized?: boolean;
        autoPong?: boolean;
      },
    );
    readonly bufferedAmount: number;
    send(data: Uint8Array | string): void;
    ping(): void;
    pause(): void;
    resume(): void;
    close(code?: number, reason?: string): void;
    /** Closes the connection without a handshake. */
    terminate(): void;
  }

  export class WebSocketServer {
    constructor(options: { noServer: true; maxPayload: number; perMessageDeflate: false; clientTracking: false });
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, begin: (websocket: WebSocket) => void): void;
  }
}
