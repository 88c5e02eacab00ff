/**
 * Two consoles stay open for a day (in the short form, for half a day), one with a session of an identity provider, one with a password. The clocks of the
 * pages, the server and the provider pass together.
 */
import { inFull } from '../../shared/testing/extent.ts';
import { eventually } from '../end-to-end/processes.ts';
import { freePort } from '../support/free-port.ts';
import { settingsFor } from '../support/oidc-log-in.ts';
import { type OidcProcess, startOidcProcess } from '../support/oidc-process.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { serverClockIn, type ServerClock } from '../support/server-clock.ts';
import {
  expectClean,
  logIn,
  openSite,
  passTime,
  type Site,
  storedKey,
  type Tab,
  untilFact,
  untilIdle,
} from './browser.ts';

const HOUR = 60;

/** Of a session, in minutes. */
const SESSION = 12 * HOUR;

/** By which the clocks move at once, in minutes. */
const STEP = 1.5;

/** Each key of 10 minutes is renewed in its last 2 minutes, except the last one. */
const RENEWALS = { least: SESSION / 10 - 1, most: SESSION / 8 };

const ERRORS = '[class*="flash-type-error"], [class*="awsui_type-error"]';

/** A console, and its requests. */
interface OpenConsole {
  tab: Tab;
  renewals: () => number;
}

let folder: string;
let clock: ServerClock;
let provider: OidcProcess;
let site: Site;
let consoles: OpenConsole[];
/** By which all clocks are ahead of this machine. */
let minutes = 0;

const now = () => Date.now() + minutes * 60_000;

beforeAll(async () => {
  folder = await newDataDir();
  clock = await serverClockIn(folder);
  const port = await freePort();
  const redirectUri = `https://localhost:${port}/`;
  provider = await startOidcProcess({ redirectUri }, clock.environment);
  const settings = await settingsFor(provider, { displayName: 'Example Corp', redirectUris: [redirectUri] });
  const environment = { PORT: String(port), IDENTITY_PROVIDERS: JSON.stringify([settings]) };
  site = await openSite({ ...clock.environment, ...environment });
  const binding = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' };
  await site.write('POST', '/v1/role-bindings', binding);
});
afterAll(async () => {
  await site.close();
  await provider.stop();
  await removeDataDir(folder);
});

beforeEach(() => {
  consoles = [];
});

/** A console at this page, with a clock that the test moves. Nobody is logged in. */
async function openConsole(hash: string, refresh: '30s' | 'off'): Promise<OpenConsole> {
  const tab = await site.open('/');
  await tab.page.evaluate(`localStorage['auto-refresh'] = '${refresh}'`);
  await tab.page.clock.install({ time: now() });
  await tab.page.goto(`${site.server.base}/#/${hash}`);
  await tab.page.reload();
  let renewals = 0;
  tab.page.on('request', (request) => {
    if (request.postData()?.includes('"method":"session"') === true) renewals += 1;
  });
  const opened = { tab, renewals: () => renewals };
  consoles.push(opened);
  return opened;
}

/** A page loses time while its clock is moved. */
async function setPages(): Promise<void> {
  const move = async ({ tab }: OpenConsole) => {
    const behind = now() - Number(await tab.page.evaluate('Date.now()'));
    if (behind > 0) await passTime(tab, behind);
    await untilIdle(tab);
  };
  await Promise.all(consoles.map(move));
}

/** Moves all clocks forward: the server's, the provider's and the consoles'. */
async function skip(duration: number, arePagesFirst = false): Promise<void> {
  minutes += duration;
  if (arePagesFirst) await setPages();
  await clock.set(Math.round(minutes * 60));
  if (!arePagesFirst) await setPages();
}

/** @param time in milliseconds since 1970. The time that the test itself takes counts too. */
async function passUntil(time: number): Promise<void> {
  for (let left = time - now(); left > 0; left = time - now()) await skip(Math.min(STEP, left / 60_000));
}

/** In small steps, so that no page sends a request from before the end to a server after it. */
async function passEnd(time: number): Promise<void> {
  while (now() < time) await skip(1 / 30, true);
}

const pass = (duration: number) => passUntil(now() + duration * 60_000);

/** The log-in at the provider is chosen, or is the way in which the last session began. */
async function logInAtProvider({ page }: Tab, isChosen: boolean): Promise<void> {
  const choice = page.getByRole('radio', { name: 'Example Corp' });
  await choice.waitFor();
  expect(await choice.isChecked()).toBe(isChosen);
  await choice.check();
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#top').waitFor();
}

/** Requests to the provider are a part of the log-in. */
const withoutProvider = (tab: Tab): Tab => ({
  ...tab,
  problems: tab.problems.filter((problem) => !problem.startsWith(`request to elsewhere: ${provider.issuer}/`)),
});

const expectNoError = async ({ page }: Tab) => expect(await page.locator(ERRORS).allTextContents()).toEqual([]);

const refreshes = async () => (await provider.requests()).filter((path) => path === '/token').length;

test('a day has current data and no error, and a page at the end of each session says so', async () => {
  const node = await site.addNode('watched');
  const page = `nodes/${node.node_id}`;
  const [ofProvider, ofPassword] = [await openConsole(page, '30s'), await openConsole(page, '30s')];
  const logInAtBoth = async (isAgain: boolean) => {
    const begin = now();
    await logInAtProvider(ofProvider.tab, isAgain);
    await logIn(ofPassword.tab);
    return begin;
  };
  const change = async (address: string) => {
    await site.write('PATCH', `/v1/nodes/${node.node_id}`, { address });
    await pass(2 * STEP);
    for (const { tab } of consoles) {
      await untilFact(tab, address);
      await expectNoError(tab);
    }
  };
  let begin = await logInAtBoth(false);
  for (const half of inFull([1, 2], [1])) {
    const [before, codes] = [ofProvider.renewals(), await refreshes()];
    const until = (minute: number) => passUntil(begin + minute * 60_000);
    for (let hour = 1; hour < SESSION / HOUR; hour += 1) {
      await until(hour * HOUR);
      await change(`10.0.${half}.${hour}`);
    }
    await until(SESSION - 3);
    for (const { tab } of consoles) await tab.page.getByText('Your session expires at').waitFor();
    await until(SESSION - 0.5);
    await passEnd(begin + (SESSION + 1.5) * 60_000);
    for (const { tab } of consoles) {
      await tab.page.getByText(/^Your session has ended \(it expired.*\)\. Log in again to continue\.$/).waitFor();
      await expectNoError(tab);
      expect(await storedKey(tab)).toBeUndefined();
    }
    const renewals = ofProvider.renewals() - before;
    expect(renewals).toBeGreaterThanOrEqual(RENEWALS.least);
    expect(renewals).toBeLessThanOrEqual(RENEWALS.most);
    // No renewal was sent twice.
    expect((await refreshes()) - codes).toBe(renewals);
    expect(ofPassword.renewals()).toBe(0);
    begin = await logInAtBoth(true);
    await change(`10.0.${half}.100`);
    expect(new URL(ofProvider.tab.page.url()).hash).toBe(`#/${page}`);
  }
  for (const { tab } of consoles) expectClean(withoutProvider(tab));
  // The selector finds errors.
  await ofPassword.tab.page.goto(`${site.server.base}/#/nodes/none`);
  await ofPassword.tab.page.locator(ERRORS).first().waitFor();
});

test('a renewal is no use of the session, whose key is not kept for a reload after 30 minutes', async () => {
  const { tab, renewals } = await openConsole('nodes', 'off');
  await logInAtProvider(tab, false);
  // A request of the page, which a busy server may answer later, is a use of the session.
  await tab.page.getByRole('heading', { name: /^Nodes \(\d+\)/ }).waitFor();
  await pass(27);
  expect(await storedKey(tab)).toMatch(/^minv_/);
  await pass(6);
  expect(await storedKey(tab)).toBeUndefined();
  expect(renewals()).toBeGreaterThan(2);
  await tab.page.getByRole('button', { name: 'Reload the nodes' }).click();
  await eventually(async () => /^minv_/.test(await storedKey(tab)));
  expectClean(withoutProvider(tab));
});

test('after the machine slept a night, the page says that the session has ended', async () => {
  const [ofProvider, ofPassword] = [await openConsole('nodes', '30s'), await openConsole('nodes', '30s')];
  await logInAtProvider(ofProvider.tab, false);
  await logIn(ofPassword.tab);
  // The page wakes before it can ask anything.
  await skip(14 * HOUR, true);
  for (const { tab } of consoles) {
    await tab.page.getByText(/^Your session has ended \(it expired/).waitFor();
    await expectNoError(tab);
    expectClean(withoutProvider(tab));
  }
});
