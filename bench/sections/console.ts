import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as z from 'zod/mini';
import { ensureCertificate } from '../../local/certificate.ts';
import { https, newDataDir, removeDataDir, startServer } from '../../tests/support/server.ts';
import { ADMIN_PASSWORD } from '../inventory.ts';
import { ratio, table } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';
import type { Targets } from '../targets.ts';

/** What is promised of the console, in kB on the wire. */
const MAX_LOGIN_KB = 105;
const MAX_TABLE_KB = 600;

const NODES = 25;

/**
 * Notes when the condition holds in a frame about to be drawn, and when the browser says that it first drew something,
 * which it says only later. What was transferred until then is the sum over all resources, as the browser counts it:
 * compressed, with headers.
 */
const noteWhen = (condition: string) => `(() => {
  let done;
  window.measured = new Promise((resolve) => (done = resolve));
  const bytesUntil = (end) =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((entry) => entry.responseEnd <= end)
      .reduce((sum, entry) => sum + entry.transferSize, 0);
  const finish = (time) => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint === undefined) return requestAnimationFrame(() => finish(time));
    done({ time, paint: paint.startTime, bytes: bytesUntil(time), paintBytes: bytesUntil(paint.startTime) });
  };
  const look = () => ((${condition}) ? finish(performance.now()) : requestAnimationFrame(look));
  requestAnimationFrame(look);
})()`;

const measuredSchema = z.object({ time: z.number(), paint: z.number(), bytes: z.number(), paintBytes: z.number() });

type Measured = z.output<typeof measuredSchema>;

interface Visit {
  url: string;
  /** When the user can begin: a JavaScript expression. */
  ready: string;
  /** Before anything of the page runs. */
  first?: string;
}

/** One visit of somebody who was never there: nothing is cached. */
async function visit(browser: Browser, { url, ready, first = '' }: Visit): Promise<Measured> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page: Page = await context.newPage();
    await page.addInitScript(`${first};${noteWhen(ready)}`);
    await page.goto(url);
    return z.parse(measuredSchema, await page.evaluate('window.measured'));
  } finally {
    await context.close();
  }
}

async function emptyPage(dataDir: string): Promise<{ server: Server; url: string }> {
  const server = createServer(await ensureCertificate(dataDir), (_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Empty</title><p>Empty</p>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, url: `https://localhost:${address.port}/` };
}

const kB = (bytes: number) => Math.round(bytes / 100) / 10;

/** What a browser loads until the log-in page and until the first table, and how long that takes. */
export async function consoleSection({ loads }: Size, targets: Targets): Promise<string> {
  const dataDir = await newDataDir();
  const server = await startServer(dataDir, { environment: { ADMIN_PASSWORD } });
  const [empty, browser] = await Promise.all([
    emptyPage(dataDir),
    chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
      args: ['--no-sandbox', '--disable-background-networking'],
    }),
  ]);
  try {
    const headers = { Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}` };
    const session = await https(server.base, 'POST', '/v1/sessions', { headers });
    const { key } = z.parse(z.object({ key: z.string() }), session.body);
    for (let index = 0; index < NODES; index += 1) {
      const body = { node_type: 'generic', node_name: `db-${index}`, address: `10.0.0.${index}` };
      await https(server.base, 'POST', '/v1/nodes', { headers, body });
    }
    const visits = {
      empty: { url: empty.url, ready: "document.querySelector('p')" },
      login: { url: `${server.base}/`, ready: "document.activeElement?.name === 'password'" },
      table: {
        url: `${server.base}/#/nodes`,
        ready: "document.querySelector('main tbody a')",
        first: `sessionStorage.setItem('session-key', JSON.stringify({ key: '${key}', until: Date.now() + 60_000 }))`,
      },
    };
    // The first visit waits for the build of the console.
    await visit(browser, visits.login);
    const all: Record<keyof typeof visits, Measured[]> = { empty: [], login: [], table: [] };
    for (let round = 0; round < loads; round += 1) {
      all.empty.push(await visit(browser, visits.empty));
      all.login.push(await visit(browser, visits.login));
      all.table.push(await visit(browser, visits.table));
    }
    const middle = (page: keyof typeof visits, of: (measured: Measured) => number) => median(all[page].map(of));
    const over = (page: keyof typeof visits) =>
      ratio(middle(page, ({ time }) => time) / middle('empty', ({ time }) => time));
    const row = (name: string, page: keyof typeof visits, bytes: number, most?: number) => [
      name,
      kB(bytes),
      most === undefined
        ? ''
        : targets.add({ name: `${name}: on the wire`, value: kB(bytes), limit: { atMost: most }, unit: ' kB' }),
      middle(page, ({ paint }) => paint),
      middle(page, ({ time }) => time),
      over(page),
    ];
    return table(
      ['page', 'kB on the wire', 'target', 'first paint, ms', 'ready, ms', 'ready, over the empty page'],
      [
        row(
          'empty page',
          'empty',
          middle('empty', ({ bytes }) => bytes),
        ),
        row(
          'log-in page, to its first paint',
          'login',
          middle('login', ({ paintBytes }) => paintBytes),
          MAX_LOGIN_KB,
        ),
        row(
          'first table, logged in before',
          'table',
          middle('table', ({ bytes }) => bytes),
          MAX_TABLE_KB,
        ),
      ],
    );
  } finally {
    await browser.close();
    empty.server.close();
    await server.stop();
    await removeDataDir(dataDir);
  }
}
