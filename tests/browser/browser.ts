import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { eventually } from '../end-to-end/processes.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { requestsInFlight, untilIdle } from './in-flight.ts';

export { untilIdle } from './in-flight.ts';

export const PASSWORD = 'correct horse battery staple';

/** For a step of a test. Many times what a step takes: other work may keep the machine busy. */
const STEP_TIMEOUT_MS = 60_000;

/** Default: Debian's `chromium-headless-shell`. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';

/** What the browser says of a reply that is an error: no fault of the page when the test has asked for it. */
const REFUSAL =
  /^Failed to load resource: (?:the server responded with a status of (\d{3})|net::ERR_INTERNET_DISCONNECTED)/;

/** One page, and everything that went wrong on it. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Violations of the Content-Security-Policy, errors and warnings of the console, requests to elsewhere. */
  problems: string[];
  /** The replies that were errors; the status is 0 for none that came. */
  refusals: { status: number; url: string }[];
  /** Requests that have no complete reply yet. */
  inFlight: Set<Request>;
}

export interface Site {
  server: RunningServer;
  /** Sends a request to the API as the Admin with the password, or with a key. */
  api: (method: string, path: string, body?: unknown, key?: string) => Promise<{ status: number; body: any }>;
  /** The same for what a test needs to be there: the body of the reply. */
  write: (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<any>;
  /** A node of this name, with nothing special. */
  addNode: (name: string, fields?: object) => Promise<any>;
  open: (path?: string, options?: BrowserContextOptions) => Promise<Tab>;
  /** A page of the console, for the Admin, in a session of its own. Without the log-in page: `open` and `logIn` show it. */
  at: (hash: string, options?: BrowserContextOptions) => Promise<Tab>;
  close: () => Promise<void>;
}

/** For which a tab keeps its session. */
const SESSION_KEPT_MS = 30 * 60_000;

/** Repetitions of a call that a busy server has refused (503). */
const MAX_REPEATS = 20;

/** Tabs of the present test. They end with it: an open page keeps asking the server, and slows all later tests. */
const tabsOfTest = new Set<BrowserContext>();

async function closeTabs(): Promise<void> {
  const contexts = [...tabsOfTest];
  tabsOfTest.clear();
  await Promise.all(contexts.map((context) => context.close()));
}

/** Leaves the tab open until its site is closed: the tests of a file share it. */
export function sharedTab(tab: Tab): Tab {
  tabsOfTest.delete(tab.context);
  return tab;
}

/** An empty page for the server at `base`, in a session of its own. */
export async function newTab(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  tabsOfTest.add(context);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const page = await context.newPage();
  const tab: Tab = { page, context, problems: [], refusals: [], inFlight: requestsInFlight(page) };
  // Reports of the policy come as errors of the console, too; this one also says where.
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('CSP ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`);
  // Tests count requests. A test of auto-refresh chooses an interval.
  await page.addInitScript(`localStorage['auto-refresh'] ??= 'off'`);
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const refusal = REFUSAL.exec(message.text());
    if (refusal === null) tab.problems.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    else tab.refusals.push({ status: Number(refusal[1] ?? 0), url: message.location().url });
  });
  page.on('pageerror', (error) => tab.problems.push(`exception: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`) && !request.url().startsWith('data:'))
      tab.problems.push(`request to elsewhere: ${request.url()}`);
  });
  return tab;
}

/** The browser of these tests, for any server. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // Without --ignore-certificate-errors the browser begins a request anew for each error of the certificate, and gives
    // one of the first requests of a page up now and then (ERR_TOO_MANY_RETRIES).
    args: ['--no-sandbox', '--disable-background-networking', '--ignore-certificate-errors'],
    // The start succeeds or ends, however long it takes on a busy machine.
    timeout: 0,
  });

/** The real server on its own folder, and a browser in front of it. For a file's `beforeAll`. */
export async function openSite(environment: Record<string, string> = {}): Promise<Site> {
  // Here and not beside the functions: all files of a process share this module, but each file has its own hooks.
  afterEach(closeTabs);
  const dataDir = await newDataDir();
  const [server, browser] = await Promise.all([
    startServer(dataDir, { environment: { ADMIN_PASSWORD: PASSWORD, ...environment } }),
    launchBrowser(),
  ]);
  const admin = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const api: Site['api'] = async (method, path, body, key) => {
    for (let repeats = 0; ; repeats += 1) {
      const reply = await https(server.base, method, path, {
        headers: { Authorization: key === undefined ? admin : `Bearer ${key}` },
        ...(body === undefined ? {} : { body }),
      });
      // A slow machine has a queue of passwords to check.
      if (reply.status !== 503 || repeats === MAX_REPEATS) return reply;
      await delay(1000);
    }
  };
  const write: Site['write'] = async (method, path, body) => {
    const reply = await api(method, path, body);
    if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  const open: Site['open'] = async (path = '/', options = {}) => {
    const tab = await newTab(browser, server.base, options);
    await tab.page.goto(server.base + path);
    return tab;
  };
  return {
    server,
    api,
    write,
    addNode: (name, fields = {}) =>
      write('POST', '/v1/nodes', { node_type: 'generic', node_name: name, address: '10.0.0.1', ...fields }),
    open,
    at: async (hash, options = {}) => {
      const { key } = await write('POST', '/v1/sessions');
      const tab = await newTab(browser, server.base, options);
      const kept = JSON.stringify({ key, until: Date.now() + SESSION_KEPT_MS });
      // As after a reload of the console. The next page of the tab finds what this one has kept.
      const script = await tab.page.addInitScript(`sessionStorage['session-key'] = ${JSON.stringify(kept)}`);
      await tab.page.goto(`${server.base}/#/${hash}`);
      await script.dispose();
      await untilIn(tab, 'Try again');
      return tab;
    },
    close: async () => {
      await browser.close();
      await server.stop();
      await removeDataDir(dataDir);
    },
  };
}

/** The same for the tests of a file, from their start to their end. */
export function useSite(environment: Record<string, string> = {}): Site {
  const site = {} as Site;
  beforeAll(async () => void Object.assign(site, await openSite(environment)));
  afterAll(() => site.close());
  return site;
}

/**
 * Moves the clock of the page forward, as after a sleep. A request in flight would miss its deadline, so there is none.
 *
 * @param time in milliseconds, or as `hh:mm:ss`
 */
export async function passTime(tab: Tab, time: number | string): Promise<void> {
  await untilIdle(tab);
  await tab.page.clock.fastForward(time);
}

/** A link of the menu at the side. Pages have links of the same names, for example the quick start. */
export const menuLink = ({ page }: Tab, name: string): Locator =>
  page.getByRole('navigation', { name: 'Side navigation' }).getByRole('link', { name, exact: true });

/** The session key that the tab keeps for a reload. */
export const storedKey = ({ page }: Tab): Promise<string> =>
  page.evaluate('JSON.parse(sessionStorage.getItem("session-key") ?? "{}").key');

/** The number of times that a log-in is sent: a busy server answers too late, or that it is busy. */
const MAX_LOG_INS = 3;

/** Waits until the console with its page is there, not the heading of the log-in page. Presses the button after a refusal. */
async function untilIn({ page, refusals }: Tab, again: 'Log in' | 'Try again'): Promise<void> {
  const outcome = page.locator('#top, .login-notice-error').first();
  for (let count = 1; count <= MAX_LOG_INS; count += 1) {
    await outcome.waitFor();
    // Also those that the console itself has repeated.
    const others = refusals.filter(({ status }) => status !== 429 && status !== 503);
    refusals.splice(0, Infinity, ...others);
    if ((await page.locator('#top').count()) > 0) break;
    if (count < MAX_LOG_INS) await page.getByRole('button', { name: again }).click();
  }
  await page.locator('#top').waitFor();
  await page.locator('main h1').waitFor();
}

/** Sends the form, and waits for the console. */
async function sendLogIn(tab: Tab): Promise<void> {
  await tab.page.getByRole('button', { name: 'Log in' }).click();
  await untilIn(tab, 'Log in');
}

export async function logIn(tab: Tab, password = PASSWORD): Promise<void> {
  const { page } = tab;
  await page.getByLabel('Password', { exact: true }).and(page.locator('input[name=password]')).fill(password);
  await sendLogIn(tab);
}

export async function logInWithKey(tab: Tab, key: string): Promise<void> {
  const { page } = tab;
  await page.getByRole('radio', { name: 'API key' }).check();
  await page.locator('input[name=key]').fill(key);
  await sendLogIn(tab);
}

/** Waits for a value on the page of an object as it is now; its history has others as well. */
export const untilFact = ({ page }: Tab, value: string): Promise<void> =>
  page.locator('dd:not(.differences dd)').getByText(value, { exact: true }).waitFor();

/** Waits until the keyboard is at this, also by its selector: pages move it there a moment after they have changed. */
export const untilFocused = ({ page }: Tab, target: string | Locator): Promise<void> =>
  (typeof target === 'string' ? page.locator(target) : target)
    .and(page.locator(':focus'))
    .waitFor({ state: 'attached' });

/** Waits until this stands in a field: what comes out of a file, for example, takes a moment. */
export const untilValue = (field: Locator, value: string): Promise<void> =>
  eventually(async () => (await field.inputValue()) === value, STEP_TIMEOUT_MS);

/** No violation of the policy, no error, no foreign request, and of the API only the refusals that were asked for. */
export function expectClean({ problems, refusals }: Tab, expectedRefusals: readonly number[] = []): void {
  expect(problems).toEqual([]);
  expect(refusals).toEqual(expectedRefusals.map((status) => expect.objectContaining({ status })));
}

/** How often axe looks, because an animation can begin while it does. */
const MAX_LOOKS = 3;

/** The rules of axe that depend on colours: https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md */
const colourRules = ['color-contrast', 'link-in-text-block'];

interface Looking {
  /** Default: all. */
  impacts?: readonly string[];
  /** Default: all. */
  rules?: readonly string[];
}

/** axe in the form that a page compiles with the least work: the other one has 1.5 MB. */
const axeScript = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rest of axe that the page must load: nothing after an earlier look at the page. */
const remainingScript = async (page: Page): Promise<string> =>
  (await page.evaluate('"axe" in window')) === true ? ';' : axeScript;

/** What axe finds on the page each time it looks. */
async function violationsOn({ page }: Pick<Tab, 'page'>, looking: Looking, looks = MAX_LOOKS): Promise<string[]> {
  const { impacts, rules } = looking;
  // Things that are just appearing have half their contrast. Without those that never end, as of what is loading.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished))`);
  // No page has frames, so axe need not open a page of its own each time to put together what it found in them.
  const builder = new AxeBuilder({ page, axeSource: await remainingScript(page) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  const { violations } = await (rules === undefined ? builder : builder.withRules([...rules])).analyze();
  const summaries = violations
    .filter(({ impact }) => impacts === undefined || impacts.includes(String(impact)))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  return summaries.length === 0 || looks === 1 ? summaries : violationsOn({ page }, looking, looks - 1);
}

/** axe finds nothing serious on the page as it is now, also while something is open or being loaded. */
export async function expectAccessible(tab: Tab): Promise<void> {
  expect(await violationsOn(tab, { impacts: ['serious', 'critical'] })).toEqual([]);
}

/** axe finds nothing at all. */
export async function expectNoViolations(tab: Tab): Promise<void> {
  expect(await violationsOn(tab, {})).toEqual([]);
}

/** axe finds nothing in the colours. For a page of which it has looked at the rest in other colours. */
export async function expectColoursClean(tab: Tab): Promise<void> {
  expect(await violationsOn(tab, { rules: colourRules })).toEqual([]);
}

/** Nothing is wider than the window, so nobody has to scroll sideways. */
export async function expectNoSidewaysScroll({ page }: Tab): Promise<void> {
  const excess = await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
  const { hash } = new URL(page.url());
  expect([hash, excess]).toEqual([hash, 0]);
}

/** axe finds nothing in light and in dark colours, and nothing is wider than the window. */
export async function expectCleanInBothThemes(tab: Tab): Promise<void> {
  await tab.page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(tab);
  await tab.page.emulateMedia({ colorScheme: 'dark' });
  await expectColoursClean(tab);
  await expectNoSidewaysScroll(tab);
}
