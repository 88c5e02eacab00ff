/**
 * A slow line between a browser and a server, as a proxy. Pages over the one that Chromium emulates stall now and then:
 * https://github.com/microsoft/playwright/issues/22676
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Transform } from 'node:stream';

/** 1.6 Mbit/s. */
const BYTES_PER_MS = 200;
const LATENCY_MS = 300;

export interface SlowLine {
  /** The address of the proxy. */
  url: string;
  close: () => void;
}

export async function startSlowLine(): Promise<SlowLine> {
  // When the line is free again. All connections share it.
  let free = 0;
  const slowly = () =>
    new Transform({
      transform(chunk: Buffer, _, done) {
        const now = performance.now();
        free = Math.max(now, free) + chunk.length / BYTES_PER_MS;
        setTimeout(() => done(null, chunk), free - now);
      },
    });
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, client) => {
    const server = connect(Number(new URL(`https://${url}`).port), 'localhost');
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    client.on('data', (chunk: Buffer) => setTimeout(() => server.write(chunk), LATENCY_MS));
    server.pipe(slowly()).pipe(client);
    // The browser closes a connection with data in flight when its page is closed.
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => void proxy.close() };
}
