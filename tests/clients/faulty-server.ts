import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Inventory } from '../support/inventory.ts';

/**
 * - `lost request`: the connection breaks before the request has an effect.
 * - `lost reply`: the request has its effect, and the connection breaks instead of the reply.
 * - `cut body`: the same, after half of the body.
 * - `time-out`: the request has its effect, and no reply ever arrives.
 * - `429`: refused without an effect.
 * - `502`, `503`: the request has its effect, and a gateway says this.
 */
export const faults = ['lost request', 'lost reply', 'cut body', 'time-out', '429', '502', '503'] as const;

export type HttpFault = (typeof faults)[number];

/** Whether the request of a fault reaches the service. */
export const hasEffect = (fault: HttpFault) => fault !== 'lost request' && fault !== '429';

export interface FaultyServer {
  base: string;
  /** Faults of a case's next requests. The path's first segment is the case's name. */
  faults: Map<string, HttpFault[]>;
  /** How many requests of a case have arrived. */
  requests: Map<string, number>;
  stop: () => Promise<void>;
}

/** The inventory behind HTTP. The path's first segment names a case, which has its own faults. */
export async function startFaultyServer(inventory: Inventory): Promise<FaultyServer> {
  const pending = new Map<string, HttpFault[]>();
  const requests = new Map<string, number>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    requests.set(name, (requests.get(name) ?? 0) + 1);
    const fault = pending.get(name)?.shift();
    const body = (await buffer(request)).toString();
    const cut = () => response.socket?.resetAndDestroy();
    if (fault === 'lost request') return void cut();
    const refuse = (status: number, text: string) => {
      response.writeHead(status, { 'Retry-After': '0', 'Content-Type': 'application/json' }).end(text);
    };
    if (fault === '429') {
      refuse(429, '{"status":"RESOURCE_EXHAUSTED","code":8,"message":"Slow down."}');
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers)
        .filter(([header]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(header))
        .map(([header, value]) => [header, String(value)]),
    );
    const reply = await inventory.request(request.method ?? '', path, {
      as: null,
      headers,
      ...(body === '' ? {} : { body }),
    });
    if (fault === 'time-out') return;
    if (fault === 'lost reply') return void cut();
    if (fault === '502') {
      refuse(502, '{"message": "Internal server error"}');
      return;
    }
    if (fault === '503') {
      refuse(503, '{"status":"UNAVAILABLE","code":14,"message":"Interrupted."}');
      return;
    }
    const bytes = Buffer.from(reply.text);
    const { 'Content-Encoding': _, ...rest } = reply.headers;
    response.writeHead(reply.status, { ...rest, ...(reply.status === 204 ? {} : { 'Content-Length': bytes.length }) });
    if (fault !== 'cut body') return void response.end(bytes);
    // Without a body there is nothing to cut but the reply.
    if (bytes.length === 0) return void cut();
    response.write(bytes.subarray(0, bytes.length / 2), cut);
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: pending,
    requests,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
