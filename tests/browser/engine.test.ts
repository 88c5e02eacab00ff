/** A page of anybody's that runs in the browser of who runs the server: what it reaches of the database engine. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { groupsOf } from '../end-to-end/processes.ts';
import { openSite, type Site } from './browser.ts';

let site: Site;
/** Serves a page of another origin. */
const strangers = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>stranger</p>'));
let strangerPort: number;
beforeAll(async () => {
  site = await openSite();
  await once(strangers.listen(0, '127.0.0.1'), 'listening');
  strangerPort = (strangers.address() as AddressInfo).port;
});
afterAll(async () => {
  await site.close();
  strangers.close();
});

/** Where the engine of this server listens, by its arguments: as its own user sees them, and no page does. */
async function engineAddress(): Promise<{ host: string; port: string }> {
  const [group] = await groupsOf(site.server.pid);
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-g', String(group)]);
  const { host, port } = / --host (?<host>\S+) --port (?<port>\d+)/.exec(stdout)?.groups ?? {};
  return { host: host!, port: port! };
}

/** What a page of another origin gets to see at this address: a status, or that nothing answers. */
async function seenAt(host: string, port: string): Promise<string> {
  const tab = await site.open('/');
  const stranger = await tab.context.newPage();
  await stranger.goto(`http://127.0.0.1:${String(strangerPort)}/`);
  return stranger.evaluate(
    `fetch('http://${host}:${port}/', { method: 'POST', headers: { 'X-Amz-Target': 'DynamoDB_20120810.ListTables' }, body: '{}' })
      .then((reply) => 'status ' + reply.status, () => 'nothing')`,
  );
}

test('a page that tries the ports of localhost does not find the engine: its address is not one of them', async () => {
  const { host, port } = await engineAddress();
  expect(await seenAt('127.0.0.1', port)).toBe('nothing');
  expect(await seenAt('localhost', port)).toBe('nothing');
  // The engine itself keeps no page out: only that its address is not known does.
  expect(await seenAt(host, port)).toMatch(/^status /);
});
