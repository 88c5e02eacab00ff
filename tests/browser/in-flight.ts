import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { eventually } from '../end-to-end/processes.ts';

/** From now on: the requests of the page that have no complete reply yet. */
export function requestsInFlight(page: Page): Set<Request> {
  const inFlight = new Set<Request>();
  page.on('request', (request) => inFlight.add(request));
  page.on('requestfinished', (request) => inFlight.delete(request));
  page.on('requestfailed', (request) => inFlight.delete(request));
  return inFlight;
}

/** After this number of turns a page has begun each request that follows from a reply. */
const TURNS = 4;

/** One turn of the page: it does first what it had to do before. No clock of a test stops this. */
const TURN = `new Promise((resolve) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve(undefined);
  channel.port2.postMessage(undefined);
})`;

interface Asking {
  page: Page;
  inFlight: ReadonlySet<Request>;
}

/** Waits until the page has all its replies, and asks for nothing more. */
export async function untilIdle({ page, inFlight }: Asking): Promise<void> {
  let turns = 0;
  await eventually(async () => {
    await page.evaluate(TURN);
    turns = inFlight.size === 0 ? turns + 1 : 0;
    return turns === TURNS;
  });
}

/** A page can ask for the names of other objects this much later than it shows an object. */
const QUIET_MS = 1500;

/** The same, after a time in which the page has begun no request. */
export async function untilQuiet(asking: Asking): Promise<void> {
  let isQuiet = false;
  const hasBegun = () => (isQuiet = false);
  asking.page.on('request', hasBegun);
  while (!isQuiet) {
    isQuiet = true;
    await delay(QUIET_MS);
    await untilIdle(asking);
  }
  asking.page.off('request', hasBegun);
}
