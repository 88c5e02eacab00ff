/** Limits of connections, in real seconds. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogEntry } from '../../shared/core/log.ts';
import { sendRaw } from '../../tests/end-to-end/raw-request.ts';
import { type ConnectedServer, startConnectedServer } from '../../tests/support/client-connections.ts';
import { CROWDED, MAX_CONNECTIONS, MAX_UNFINISHED } from './admission.ts';
import type { LocalServer } from './server.ts';

const REQUEST = 'GET /v1/readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let server: LocalServer;
let port: number;
let logged: LogEntry[];
let open: ConnectedServer['open'];
let openTls: ConnectedServer['openTls'];
let stop: ConnectedServer['stop'];

beforeEach(async () => {
  ({ server, port, logged, open, openTls, stop } = await startConnectedServer());
});
afterEach(() => stop());

const connections = () =>
  new Promise<number>((resolve) => {
    server.https.getConnections((_, count) => {
      resolve(count);
    });
  });

async function until(isTrue: () => Promise<boolean>, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    if (await isTrue()) return true;
    await delay(50);
  }
  return false;
}

test('connections without a complete TLS handshake are gone within 10 s, and the next request is answered', async () => {
  const hello = Buffer.from('1603010200010001fc0303', 'hex');
  for (const [what, begin] of [
    ['closes at once', (socket: Socket) => socket.destroy()],
    ['ends its side only', (socket: Socket) => socket.end()],
    ['half a ClientHello', (socket: Socket) => socket.write(hello)],
    ['silent', () => undefined],
  ] as const) {
    for (const socket of await open(600, { allowHalfOpen: true })) begin(socket);
    expect([what, await until(async () => (await connections()) === 0, 10)]).toEqual([what, true]);
    expect([what, (await sendRaw(port, REQUEST)).status]).toEqual([what, 200]);
  }
});

test('when connections run out, requests get 503 with Retry-After, are counted, and the log says it once; afterwards they are served', async () => {
  const silent: Socket[] = [];
  const served = await openTls('GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n', '127.0.0.20');
  await once(served, 'data');
  let address = 3;
  for (let left = MAX_CONNECTIONS - 1; left > 0; left = MAX_CONNECTIONS - 1 - silent.length, address += 1)
    silent.push(...(await open(Math.min(left, MAX_UNFINISHED - 1), { localAddress: `127.0.0.${address}` })));
  // A connection that was open before is served as before.
  served.write('GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String((await once(served, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
  const refused = await sendRaw(port, REQUEST);
  expect([refused.status, refused.values('Retry-After'), JSON.parse(refused.text)]).toEqual([
    503,
    ['1'],
    expect.objectContaining({ message: 'All 512 connections of the server are in use. Try again.' }),
  ]);
  expect(server.refused()).toBe(1);
  // Silent connections do not take the places above the limit, in which a readiness check learns the reason.
  for (let other = 30; other < 34; other += 1) silent.push(...(await open(50, { localAddress: `127.0.0.${other}` })));
  expect((await sendRaw(port, REQUEST)).status).toBe(503);
  const saysIt = () => logged.filter(({ message }) => message.startsWith('all connections are in use'));
  expect(saysIt()).toHaveLength(1);
  for (const socket of silent) socket.destroy();
  // Some of the attempts are reset.
  const isServed = () =>
    sendRaw(port, REQUEST).then(
      ({ status }) => status === 200,
      () => false,
    );
  expect(await until(isServed, 30)).toBe(true);
});

test('an address that opens new connections as fast as they are closed does not take all places', async () => {
  const sockets = await open(MAX_CONNECTIONS, { localAddress: '127.0.0.5' });
  expect(await until(async () => (await connections()) <= CROWDED, 10)).toBe(true);
  let isAttacking = true;
  const attack = async () => {
    while (isAttacking) {
      sockets.push(...(await open(20, { localAddress: '127.0.0.5' })));
      await delay(5);
    }
  };
  const attacks = attack();
  const statuses: (number | string)[] = [];
  for (let round = 0; round < 10; round += 1)
    statuses.push(
      await sendRaw(port, REQUEST).then(
        ({ status }) => status,
        () => 'reset',
      ),
    );
  isAttacking = false;
  await attacks;
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
  expect(await connections()).toBeLessThan(MAX_CONNECTIONS);
  expect(await until(() => Promise.resolve(logged.some(({ fault }) => fault === 'unfinished_requests')), 10)).toBe(
    true,
  );
});

test('idle connections after a request are kept, and the begin of another request on them counts', async () => {
  const whole = 'GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n';
  const sockets = await Promise.all(Array.from({ length: 80 }, () => openTls(whole)));
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  await delay(4000);
  expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(0);
  for (const socket of sockets) socket.write('GET /v1/x HT');
  const isCut = () => Promise.resolve(sockets.filter(({ destroyed }) => !destroyed).length === MAX_UNFINISHED);
  expect(await until(isCut, 20)).toBe(true);
});
