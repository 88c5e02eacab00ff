import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { newDataDir, removeDataDir } from '../../tests/support/data-dir.ts';
import { ensureCertificate } from './certificate.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { IsTrustedProxy } from './client-address.ts';
import { createLocalServer } from './server.ts';

const text = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index));

async function replyTo(answer: Answer, headers: Record<string, string>, isTrustedProxy?: IsTrustedProxy) {
  const folder = await newDataDir();
  let sourceIp: string | undefined;
  const server = createLocalServer({
    ...(await ensureCertificate(folder)),
    gateway: (request) => {
      ({ sourceIp } = request);
      return Promise.resolve(answer);
    },
    site: [],
    log: () => undefined,
    ...(isTrustedProxy === undefined ? {} : { isTrustedProxy }),
  });
  await once(server.https.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.https.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path: '/v1/x', headers, rejectUnauthorized: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  await server.stop(1000);
  await removeDataDir(folder);
  const { 'content-encoding': encoding, 'content-length': length } = response.headers;
  return { encoding, length, body, sourceIp };
}

const json = { 'Content-Type': 'application/json' };

test('compresses for who accepts it, and not for others', async () => {
  const answer = { statusCode: 200, headers: json, body: text };
  const compressed = await replyTo(answer, { 'Accept-Encoding': 'gzip' });
  expect([compressed.encoding, gunzipSync(compressed.body).toString()]).toEqual(['gzip', text]);
  const plain = await replyTo(answer, {});
  expect([plain.encoding, plain.body.toString()]).toEqual([undefined, text]);
});

test('a reply that a function compressed is sent as it is, once', async () => {
  const body = gzipSync(text);
  const reply = await replyTo(
    { statusCode: 200, headers: { ...json, 'Content-Encoding': 'gzip' }, body },
    { 'Accept-Encoding': 'gzip' },
  );
  expect(reply.encoding).toBe('gzip');
  expect(reply.length).toBe(String(body.length));
  expect(reply.body.equals(body)).toBe(true);
});

test('the address of the client is that before a trusted proxy, and else that of the connection', async () => {
  const answer = { statusCode: 200, headers: json, body: text };
  const headers = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.7' };
  expect((await replyTo(answer, headers)).sourceIp).toBe('127.0.0.1');
  expect((await replyTo(answer, headers, (address) => address === '127.0.0.1')).sourceIp).toBe('203.0.113.7');
});
