import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { newDataDir, removeDataDir } from '../../tests/support/data-dir.ts';
import { ensureCertificate } from './certificate.ts';
import { createLocalServer, type LocalServer } from './server.ts';

let folder: string;
let server: LocalServer;
let port: number;
let calls = 0;
beforeAll(async () => {
  folder = await newDataDir();
  const gateway = () => {
    calls += 1;
    return Promise.resolve({ statusCode: 200, headers: {}, body: 'served' });
  };
  server = createLocalServer({ ...(await ensureCertificate(folder)), gateway, site: [], log: () => undefined });
  await once(server.https.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.https.address() as AddressInfo);
});
afterAll(async () => {
  await server.stop(1000);
  await removeDataDir(folder);
});

/** All that the server sends to a client that writes these texts, until it closes the connection. */
async function sent(...texts: string[]) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  for (const part of texts) socket.write(part);
  const reply = await text(socket);
  socket.destroy();
  return reply;
}

test('a request of plain HTTP gets 400 with the remedy, nothing of it, and the end of the connection', async () => {
  for (const method of ['GET', 'HEAD', 'DELETE', 'PATCH', 'OPTIONS', 'POST']) {
    const reply = await sent(`${method} /v1/nodes?secret HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 [^]*Connection: close\r\n[^]*This port speaks HTTPS: use https:\/\//);
    expect(reply).not.toContain('secret');
  }
  expect(calls).toBe(0);
});

test('a large body does not reset the connection before the answer', async () => {
  const body = 'x'.repeat(1_000_000);
  expect(await sent(`POST /v1/batch HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n`, body)).toMatch(
    /^HTTP\/1\.1 400/,
  );
});

test('bytes that are neither HTTP nor TLS get no HTTP', async () => {
  expect(await sent('\u0000\u0001\u0002\u0003\u0004\u0005')).not.toContain('HTTP');
});

test('a client whose handshake arrives in pieces is served', async () => {
  const pieces = createServer((client) => {
    const served = connect({ port, host: '127.0.0.1', noDelay: true });
    served.pipe(client);
    client.once('data', (hello: Buffer) => {
      client.pause();
      served.write(hello.subarray(0, 1));
      setTimeout(() => {
        served.write(hello.subarray(1));
        client.pipe(served);
      }, 50);
    });
  });
  await once(pieces.listen(0, '127.0.0.1'), 'listening');
  const through = pieces.address() as AddressInfo;
  const agent = { host: '127.0.0.1', port: through.port, path: '/v1/x', rejectUnauthorized: false, agent: false };
  const before = calls;
  const [response] = (await once(request(agent).end(), 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  expect([response.statusCode, await text(response)]).toEqual([200, 'served']);
  expect(calls).toBe(before + 1);
  pieces.close();
});

test('a client without a first byte is disconnected after five seconds', async () => {
  const began = performance.now();
  expect(await sent()).toBe('');
  expect(performance.now() - began).toBeGreaterThan(4000);
});
