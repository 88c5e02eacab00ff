import { once } from 'node:events';
import { replyOn, sendRaw } from '../../tests/end-to-end/raw-request.ts';
import { type ConnectedServer, startConnectedServer } from '../../tests/support/client-connections.ts';
import { comesTrue, type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { MAX_UNFINISHED } from './admission.ts';

const REQUEST = 'GET /v1/readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let monotonic: ManualClock;
let connected: ConnectedServer;
beforeEach(async () => {
  monotonic = manualClock();
  connected = await startConnectedServer({ monotonic });
});
afterEach(() => connected.stop());

test('of one address at most 64 requests may be incomplete; others are served, and what was complete is answered', async () => {
  const { server, port, logged, openTls } = connected;
  const partial = 'POST /v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345';
  const parts = ['GET /v1/live', 'GET /v1/x HTTP/1.1\r\nHost: x\r\n', partial, ''];
  const begun = Array.from({ length: 120 }, (_, index) => openTls(parts[index % parts.length]!, '127.0.0.4'));
  const sockets = await Promise.all(begun);
  const mine = () => sockets.filter(({ destroyed, closed }) => !destroyed && !closed).length;
  // A request in between lets the connections that were closed end.
  const isServed = async () => (await sendRaw(port, REQUEST)).status === 200;
  monotonic.advance(1999);
  expect([await isServed(), mine()]).toEqual([true, 120]);
  monotonic.advance(1);
  expect(await comesTrue(() => mine() <= MAX_UNFINISHED)).toBe(true);
  expect(server.refused()).toBe(120 - MAX_UNFINISHED);
  monotonic.advance(1000);
  expect([await isServed(), mine()]).toEqual([true, MAX_UNFINISHED]);
  expect(logged).toContainEqual(expect.objectContaining({ address: '127.0.0.4', fault: 'unfinished_requests' }));
});

test.each([
  'GET  /v1/x HTTP/1.1',
  'GET /v1/x  HTTP/1.1',
  'POST /v1/x HTTP/1.1\r\nTransfer-Encoding: gzip, chunked',
  'POST /v1/x HTTP/1.1\r\nTransfer-Encoding: chunked, chunked',
])('%j is 400, also in two parts', async (lines) => {
  const { server, port, openTls } = connected;
  const bytes = `${lines}\r\nHost: x\r\nConnection: close\r\n\r\n${lines.startsWith('POST') ? '0\r\n\r\n' : ''}`;
  expect((await sendRaw(port, bytes)).status).toBe(400);
  const accepted = once(server.https, 'secureConnection');
  const socket = await openTls(bytes.slice(0, 5));
  const [served] = await accepted;
  expect(await comesTrue(() => served.bytesRead >= 5)).toBe(true);
  const reply = replyOn(socket as never);
  socket.write(bytes.slice(5));
  expect((await reply).status).toBe(400);
});

test('chunked alone is served, also after another request', async () => {
  const { port } = connected;
  const chunked = 'POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n';
  const reply = await sendRaw(port, `${chunked}\r\n0\r\n\r\n${chunked}Connection: close\r\n\r\n0\r\n\r\n`);
  expect([reply.status, reply.text.match(/HTTP\/1\.1 200/g)]).toEqual([200, ['HTTP/1.1 200']]);
});
