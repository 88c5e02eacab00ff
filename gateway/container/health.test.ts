import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHealthServer, type Health, healthOf } from './health.ts';

const state = (more: Partial<Health>): Health => ({
  isDraining: () => false,
  lacksKey: () => false,
  feedAgeMs: () => 3000,
  drain: () => undefined,
  ...more,
});

test('is ready while the change feed is followed, and before a key is stored; not while it drains', () => {
  expect(healthOf(state({})).status).toBe(200);
  expect(healthOf(state({ feedAgeMs: () => 60_000 })).status).toBe(200);
  expect(healthOf(state({ feedAgeMs: () => 60_001 })).status).toBe(503);
  expect(healthOf(state({ feedAgeMs: () => undefined })).status).toBe(503);
  expect(healthOf(state({ feedAgeMs: () => undefined, lacksKey: () => true })).status).toBe(200);
  expect(healthOf(state({ isDraining: () => true })).status).toBe(503);
});

test('its port serves health to GET, starts a drain by POST, and nothing else', async () => {
  let drains = 0;
  const server = createHealthServer(state({ feedAgeMs: () => undefined, drain: () => (drains += 1) }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ask = async (method: string, path: string) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const response = await fetch(url, { method });
    return [response.status, response.headers.get('content-type'), await response.text(), drains];
  };
  const text = 'text/plain';
  expect(await ask('GET', '/healthz')).toEqual([503, text, 'the change feed is not followed\n', 0]);
  expect(await ask('POST', '/healthz')).toEqual([404, text, 'not found\n', 0]);
  expect(await ask('GET', '/drain')).toEqual([404, text, 'not found\n', 0]);
  expect(await ask('GET', '/')).toEqual([404, text, 'not found\n', 0]);
  expect(await ask('POST', '/drain')).toEqual([202, text, 'draining\n', 1]);
  server.closeAllConnections();
  server.close();
});

test('a request has five seconds, and headers of at most 4 KiB', async () => {
  const server = createHealthServer(state({}));
  expect([server.headersTimeout, server.requestTimeout]).toEqual([5000, 5000]);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`;
  const statusOf = async (bytes: number) => (await fetch(url, { headers: { a: 'x'.repeat(bytes) } })).status;
  expect([await statusOf(3500), await statusOf(4096)]).toEqual([200, 431]);
  server.closeAllConnections();
  server.close();
});
