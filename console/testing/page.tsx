import { configure, screen } from '@testing-library/dom';
import { PointerEventsCheckLevel, userEvent, type UserEvent } from '@testing-library/user-event';
import type * as React from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { connection } from '../api/connection.ts';
import { queries } from '../api/queries.tsx';
import { type Caller, session } from '../api/session.tsx';
import { searchIndex } from '../search-index/search-index.tsx';
import { refreshInterval } from '../ui/auto-refresh.tsx';
import { flash } from '../ui/flash.ts';
import { leaving } from '../ui/leaving.tsx';
import { replace } from '../ui/route.tsx';
import { browser, FRAME_MS } from './browser.tsx';
import { IndexWorker } from './index-worker.tsx';
import { loading } from './loader.ts';
import type { Network } from './network.tsx';
import { rendering } from './rendering.tsx';

export { screen, within } from '@testing-library/dom';

// By default a step ends after a timer, and time stands still here.
configure({ asyncWrapper: (run) => run(), eventWrapper: (run) => run() });

/** After this number of turns in which no request was on its way and no module was loaded, nothing is left to do. */
const QUIET_TURNS = 3;

interface Open {
  root: Root;
  network: Network;
  clock: ReturnType<typeof browser.startClock>;
  /** Errors and warnings of the page. */
  problems: string[];
  steps: UserEvent;
}

let page: Open | undefined;

/** A turn of the event loop of the process: all that is ready to run does, and also input from other processes. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** No step takes this many, but a page that loads without end does. */
const MAX_TURNS = 2000;

/** Waits until the page has nothing more to do: replies, modules, effects. Some frames pass. */
export async function untilQuiet(): Promise<void> {
  for (let [quiet, turns] = [0, 0]; quiet < QUIET_TURNS; turns += 1) {
    if (turns > MAX_TURNS)
      throw new Error(
        `The page does not come to rest. Its last requests: ${page?.network.requests.slice(-3).join(', ')}`,
      );
    const { modules } = loading;
    await Promise.all([...(page?.network.pending ?? [])]);
    page?.clock.tick(FRAME_MS);
    rendering.pass();
    await turn();
    const isBusy = page?.network.pending.size !== 0 || loading.modules !== modules || rendering.pieces > 0;
    quiet = isBusy ? 0 : quiet + 1;
  }
}

/** Enough that a timer can begin what waits for a reply, and that for another timer. */
const STEPS = 10;

/** Time passes for the page, in milliseconds. */
export async function pass(time: number): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await page?.clock.tickAsync(time / STEPS);
    await untilQuiet();
  }
}

type Steps = Omit<UserEvent, 'setup'>;

/** What a user does. Each step waits until the page has done what follows from it. */
export const user = new Proxy({} as Steps, {
  get:
    (_, name: keyof Steps) =>
    async (...rest: never[]) => {
      const result = await (page!.steps[name] as (...rest: never[]) => Promise<unknown>)(...rest);
      await untilQuiet();
      return result;
    },
});

/** What the page says, or a part of it, with one space for each gap. @throws TypeError for a part that does not exist. */
export function textOf(...places: [] | [place: Element, ...unknown[]]): string {
  const place = places.length === 0 ? document.body : places[0]!;
  return place.textContent.replaceAll(/\s+/g, ' ');
}

/** The rows of a table, also of one through which arrow keys move, without its heading. */
export const rowsOf = (name: string): HTMLElement[] => {
  const [table] = [...screen.queryAllByRole('grid', { name }), ...screen.queryAllByRole('table', { name })];
  return [...table!.querySelectorAll<HTMLElement>('tbody tr')];
};

/** The texts of a cell, one for each element that has some. */
function partsOf(cell: Element): string[] {
  const elements = [cell, ...cell.querySelectorAll('*')];
  const textNodes = elements.map(({ childNodes }) =>
    [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE),
  );
  return textNodes.map((nodes) => nodes.map(({ textContent }) => textContent).join('')).filter((text) => text !== '');
}

/** The texts of the cells of rows: those of several elements with a space between them. */
export const cellsOf = (rows: readonly Element[]): string[][] =>
  rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => partsOf(cell).join(' ').replaceAll(/\s+/g, ' ')));

export interface PageOptions {
  network: Network;
  /** The hash of its address, without `#/`. */
  hash?: string;
  /** Who is logged in; default: nobody. */
  session?: { key: string; caller: Caller };
  width?: number;
  height?: number;
  /** Before the page is shown, for example what the browser has stored. */
  before?: (network: Network) => void;
}

const { error, warn } = globalThis.console;
const ofNode = globalThis.fetch;

/** Shows a page in the window, in place of the one before. */
export async function show(content: React.ReactNode, options: PageOptions): Promise<void> {
  closePage();
  const problems: string[] = [];
  const note = (...parts: unknown[]) => problems.push(parts.map(String).join(' '));
  Object.assign(globalThis.console, { error: note, warn: note });
  const steps = userEvent.setup({ delay: null, document, pointerEventsCheck: PointerEventsCheckLevel.Never });
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  page = { root, network: options.network, clock: browser.startClock(), problems, steps };
  Object.assign(globalThis, { fetch: options.network.fetch, Worker: IndexWorker });
  browser.media.resize({ width: options.width ?? 1280, height: options.height ?? 800 });
  replace(`#/${options.hash ?? ''}`);
  refreshInterval.set('off');
  if (options.session !== undefined) session.begin(options.session.key, options.session.caller);
  options.before?.(options.network);
  root.render(content);
  await untilQuiet();
}

/** Opens another page, as a typed address does. */
export async function goTo(hash: string): Promise<void> {
  location.hash = `#/${hash}`;
  await untilQuiet();
}

/** Ends the page. @throws Error for what it has reported as an error or a warning. */
export function closePage(): void {
  if (page === undefined) return;
  const { problems, root } = page;
  leaving.release();
  flushSync(() => root.unmount());
  session.leave('');
  searchIndex.forget();
  connection.answered();
  queries.clear();
  flash.clear();
  page = undefined;
  browser.stopClock();
  Object.assign(globalThis.console, { error, warn });
  Object.assign(globalThis, { fetch: ofNode, Worker: undefined });
  browser.window.localStorage.clear();
  browser.window.sessionStorage.clear();
  browser.window.document.body.replaceChildren();
  if (problems.length > 0) throw new Error(`The page has reported:\n${problems.join('\n')}`);
}

/** The present time of the page and of the server behind it, in milliseconds. It stands still until the test moves it. */
export const pageTime = (): number => browser.now().getTime();
