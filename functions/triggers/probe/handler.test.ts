import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogEntry } from '../../../shared/core/log.ts';
import { PROBE_MINUTES, PROBE_SECONDS } from '../../domain/records/probe.ts';
import { probeWith } from './handler.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** An inventory that replies like this, and the paths that it was asked for. */
async function inventoryWith(reply: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    reply(request, response);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const replyWith =
  (...statuses: number[]): RequestListener =>
  (_, response) => {
    response.statusCode = statuses.length > 1 ? statuses.shift()! : statuses[0]!;
    response.end('{}');
  };

/** The lines of the log after one call. */
async function linesOf(urls: Record<string, string>): Promise<LogEntry[]> {
  const lines: LogEntry[] = [];
  const probe = probeWith((line) => lines.push(line), { attempts: 3, pauseMs: 1, replyMs: 200 });
  await probe({ inventories: Object.entries(urls).map(([name, url]) => ({ name, url })) });
  return lines;
}

test('of several inventories, it names each that is not ready, with the cause', async () => {
  const ready = await inventoryWith(replyWith(200));
  const failing = await inventoryWith(replyWith(503));
  const silent = await inventoryWith(() => undefined);
  const moved = await inventoryWith((_, response) => response.writeHead(302, { Location: ready.url }).end());
  const gone = await inventoryWith(replyWith(200));
  await new Promise((resolve) => servers.pop()!.close(resolve));
  const urls = { ready: ready.url, failing: failing.url, silent: silent.url, moved: moved.url, gone: gone.url };
  const lines = await linesOf(urls);
  expect(Object.fromEntries(lines.map(({ inventory, cause }) => [inventory, cause]))).toEqual({
    failing: 'status 503',
    silent: expect.stringContaining('timeout'),
    moved: 'status 302',
    gone: expect.stringContaining('ECONNREFUSED'),
  });
  expect(lines.find(({ inventory }) => inventory === 'failing')).toEqual({
    level: 'error',
    message: 'inventory is not ready',
    inventory: 'failing',
    url: failing.url,
    cause: 'status 503',
  });
  expect(ready.asked).toEqual(['GET /v1/readyz']);
});

test('an inventory is asked again before it counts, so that a lost request raises no alarm', async () => {
  const flaky = await inventoryWith(replyWith(503, 503, 200));
  expect(await linesOf({ flaky: flaky.url })).toEqual([]);
  expect(flaky.asked).toHaveLength(3);
  const failing = await inventoryWith(replyWith(503));
  expect(await linesOf({ failing: failing.url })).toHaveLength(1);
  expect(failing.asked).toHaveLength(3);
});

test('a call ends before the next one begins', () => expect(PROBE_SECONDS).toBeLessThan(PROBE_MINUTES * 60));

test('an event without inventories fails, so that the alarm on the probe itself is raised', async () => {
  await expect(probeWith(() => undefined)({})).rejects.toThrow('inventories');
});
