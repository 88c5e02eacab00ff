import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as z from 'zod/mini';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { pageLimits } from '../../tests/browser/page-limits.ts';
import { LOAD_SCRIPT, type PageLoad, pageLoad, pagesWith, sessionScript } from '../../tests/browser/page-load.ts';
import { newDataDir, removeDataDir } from '../../tests/support/data-dir.ts';
import { https } from '../../tests/support/https.ts';
import { startServer } from '../../tests/support/server.ts';
import { ADMIN_PASSWORD } from '../inventory.ts';
import { longestTaskDuring } from '../longest-task.ts';
import { ratio, table } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';
import type { Targets } from '../targets.ts';

/** The first numbers of the overview, compared with the first table. */
const MAX_OVERVIEW_RATIO = 1.3;

/** The longest task of a page, over the sort. A page that answers within 200 ms feels immediate: https://web.dev/articles/inp */
const MAX_TASK_RATIO = 5;

/** A task of known size, in the same browser. */
const SORT = `(() => {
  let value = 1;
  const next = () => (value = (value * 48271) % 2147483647);
  return Array.from({ length: 50_000 }, next).sort((left, right) => left - right)[0];
})()`;

const NODES = 25;

/**
 * Notes when the condition holds in a frame about to be drawn, and when the browser says that it first drew something,
 * which it says only later.
 */
const noteWhen = (condition: string) => `(() => {
  let done;
  window.measured = new Promise((resolve) => (done = resolve));
  const finish = (time) => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint === undefined) return requestAnimationFrame(() => finish(time));
    done({ time, paint: paint.startTime, bytes: bytesUntil(time), paintBytes: bytesUntil(paint.startTime) });
  };
  const look = () => ((${condition}) ? finish(performance.now()) : requestAnimationFrame(look));
  requestAnimationFrame(look);
})()`;

const measuredSchema = z.object({ time: z.number(), paint: z.number(), bytes: z.number(), paintBytes: z.number() });

type PageMetrics = z.output<typeof measuredSchema>;

interface Visit {
  url: string;
  /** When the user can begin: a JavaScript expression. */
  ready: string;
  /** Before anything of the page runs. */
  first?: string;
}

/** One visit of somebody who was never there: nothing is cached. */
async function visit(browser: Browser, { url, ready, first = '' }: Visit): Promise<PageMetrics> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page: Page = await context.newPage();
    await page.addInitScript(first + LOAD_SCRIPT + noteWhen(ready));
    await page.goto(url);
    return z.parse(measuredSchema, await page.evaluate('window.measured'));
  } finally {
    await context.close();
  }
}

/** Every page of the console: what it loads in all, how far its contents move, and how long it answers nothing. */
async function wholePages(browser: Browser, base: string, first: string, nodeId: string, targets: Targets) {
  const loads: (PageLoad & { hash: string; task: number })[] = [];
  const sorts: number[] = [];
  for (const hash of pagesWith({ nodeId, cluster: 'c' })) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    try {
      const page = await context.newPage();
      sorts.push(await longestTaskDuring(browser, () => page.evaluate(SORT)));
      let load: PageLoad | undefined;
      const task = await longestTaskDuring(browser, async () => {
        load = await pageLoad(page, `${base}/#/${hash}`, first);
      });
      if (load !== undefined) loads.push({ hash, task, ...load });
    } finally {
      await context.close();
    }
  }
  const busiest = loads.reduce((left, right) => (right.task > left.task ? right : left));
  const largest = loads.reduce((left, right) => (right.bytes > left.bytes ? right : left));
  const shakiest = loads.reduce((left, right) => (right.shift > left.shift ? right : left));
  const name = ({ hash }: { hash: string }) => `#/${hash}`;
  return table(
    ['every page, cold', 'value', 'target', 'page'],
    [
      [
        'kB on the wire, in all',
        kB(largest.bytes),
        targets.add({
          name: 'largest page: on the wire, in all',
          value: kB(largest.bytes),
          limit: { atMost: kB(pageLimits.pageBytes) },
          unit: ' kB',
          of: name(largest),
        }),
        name(largest),
      ],
      [
        'cumulative layout shift',
        shakiest.shift.toFixed(3),
        targets.add({
          name: 'largest layout shift of a page',
          value: shakiest.shift,
          limit: { atMost: pageLimits.shift },
          unit: '',
          of: name(shakiest),
        }),
        name(shakiest),
      ],
      [
        `longest task, ${busiest.task.toFixed(0)} ms of processor time, over a sort of 50,000 numbers`,
        ratio(busiest.task / median(sorts)),
        targets.add({
          name: 'longest task of a page, over a sort of 50,000 numbers',
          value: busiest.task / median(sorts),
          limit: { atMost: MAX_TASK_RATIO },
          of: name(busiest),
        }),
        name(busiest),
      ],
    ],
  );
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

/** What a browser loads until the log-in page, the first table and the overview, and how long that takes. */
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
    let nodeId = '';
    for (let index = 0; index < NODES; index += 1) {
      const body = { node_type: 'generic', node_name: `db-${index}`, address: `10.0.0.${index}`, region: 'eu' };
      const added = await https(server.base, 'POST', '/v1/nodes', { headers, body });
      nodeId = z.parse(z.object({ node_id: z.string() }), added.body).node_id;
    }
    const first = sessionScript(key);
    const visits = {
      empty: { url: empty.url, ready: "document.querySelector('p')" },
      login: { url: `${server.base}/`, ready: "document.activeElement?.name === 'password'" },
      table: {
        url: `${server.base}/#/nodes`,
        ready: "document.querySelector('main tbody a')",
        first,
      },
      overview: { url: `${server.base}/#/overview`, ready: "document.querySelector('main section a')", first },
    };
    // The first visit waits for the build of the console.
    await visit(browser, visits.login);
    const all: Record<keyof typeof visits, PageMetrics[]> = { empty: [], login: [], table: [], overview: [] };
    for (let round = 0; round < loads; round += 1) {
      all.empty.push(await visit(browser, visits.empty));
      all.login.push(await visit(browser, visits.login));
      all.table.push(await visit(browser, visits.table));
      all.overview.push(await visit(browser, visits.overview));
    }
    const middle = (page: keyof typeof visits, of: (measured: PageMetrics) => number) => median(all[page].map(of));
    const over = (page: keyof typeof visits) =>
      ratio(middle(page, ({ time }) => time) / middle('empty', ({ time }) => time));
    const row = (name: string, page: keyof typeof visits, bytes: number, most?: number) => [
      name,
      kB(bytes),
      most === undefined
        ? ''
        : targets.add({ name: `${name}: on the wire`, value: kB(bytes), limit: { atMost: kB(most) }, unit: ' kB' }),
      middle(page, ({ paint }) => paint),
      middle(page, ({ time }) => time),
      over(page),
    ];
    const overview = targets.add({
      name: 'overview: its numbers, over the first table',
      value: middle('overview', ({ time }) => time) / middle('table', ({ time }) => time),
      limit: { atMost: MAX_OVERVIEW_RATIO },
    });
    const pages = await wholePages(browser, server.base, first, nodeId, targets);
    const loaded = table(
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
          pageLimits.loginBytes,
        ),
        row(
          'first table, logged in before',
          'table',
          middle('table', ({ bytes }) => bytes),
          pageLimits.pageBytes,
        ),
        row(
          'overview, logged in before',
          'overview',
          middle('overview', ({ bytes }) => bytes),
          pageLimits.pageBytes,
        ),
      ],
    );
    return `${loaded}\n\nThe overview, over the first table: ${overview}\n\n${pages}`;
  } finally {
    await browser.close();
    empty.server.close();
    await server.stop();
    await removeDataDir(dataDir);
  }
}
