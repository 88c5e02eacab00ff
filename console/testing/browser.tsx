import { type Clock, createClock } from '@sinonjs/fake-timers';
import { JSDOM, VirtualConsole } from 'jsdom';
import { SUMMARY_SECONDS } from '../../functions/domain/records/summary.ts';
import { TEST_TIME } from '../../tests/support/test-time.ts';
import { MediaQueries } from './media-queries.tsx';
import './rendering.tsx';

/**
 * The window of the component tests of this process: test files share it, as they share the modules of the console, which
 * keep references to it. Open while a file `*.test.tsx` runs, so that other files see no DOM.
 */
const { window } = new JSDOM('<!doctype html><html lang="en"><body><div id="console"></div></body></html>', {
  url: 'https://inventory.example/',
  // The page is not hidden: a hidden one does not refresh itself.
  pretendToBeVisual: true,
  virtualConsole: new VirtualConsole().forwardTo(console),
});

const media = new MediaQueries();

/** Names that Node has as well, and of which only those of the window work with its nodes and events. */
const ofWindow = [
  ...['AbortController', 'AbortSignal', 'Blob', 'CustomEvent', 'URL', 'DOMException', 'Event', 'EventTarget', 'File'],
  ...['FormData', 'MessageEvent', 'Storage', 'localStorage', 'navigator', 'sessionStorage'],
];

/** What links of blobs point to, by their addresses. */
const blobs = new Map<string, Blob>();
const downloads: { name: string; text: () => Promise<string> }[] = [];

const RealDate = Date;
const native = { setTimeout, clearTimeout, setInterval, clearInterval };

/** The clock of the open page: the timers of the process while there is none, for example for what starts a server. */
let clock: Clock | undefined;

/** The latest time of a page or of a server behind it. It never goes back, so that what happens later has a later time. */
let latest = TEST_TIME;

/** Libraries keep these functions from before the page on. */
const timers = {
  setTimeout: (...rest: [run: () => void, ms?: number]) => (clock ?? native).setTimeout(...rest),
  setInterval: (...rest: [run: () => void, ms?: number]) => (clock ?? native).setInterval(...rest),
  clearTimeout: (timer: never) => (clock ?? native).clearTimeout(timer),
  clearInterval: (timer: never) => (clock ?? native).clearInterval(timer),
};

/**
 * The codes of the keys that Cloudscape listens to. Events of the testing library have the names of keys alone, and
 * those of browsers have both.
 */
const keyCodes: Readonly<Record<string, number>> = {
  ...{ Backspace: 8, Tab: 9, Enter: 13, Escape: 27, ' ': 32, PageUp: 33, PageDown: 34, End: 35, Home: 36 },
  ...{ ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Delete: 46 },
};

/** Pages have a size, although nothing has a layout: all elements are as wide as the window. */
class Sizeless {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Everything is in view. */
class InView extends Sizeless {
  readonly #tell: IntersectionObserverCallback;
  constructor(tell: IntersectionObserverCallback) {
    super();
    this.#tell = tell;
  }
  override observe(): void {
    queueMicrotask(() => this.#tell([{ isIntersecting: true } as IntersectionObserverEntry], this as never));
  }
}

/** Without styles: what has the attribute, and the closed dialogs and lists of Cloudscape. */
const HIDDEN = '[hidden], [class*=awsui_hidden_], [data-open=false]';

/** Node's addresses: jsdom's are slow, and Cloudscape makes one for each link that it renders. */
class Address extends URL {
  static override createObjectURL(blob: Blob): string {
    const url = `blob:${blobs.size}`;
    blobs.set(url, blob);
    return url;
  }
  static override revokeObjectURL(url: string): void {
    blobs.delete(url);
  }
}

export const FRAME_MS = 16;

/** What jsdom does not have, because it has no layout, and what a test looks at. */
const added = {
  ...timers,
  URL: Address,
  matchMedia: media.matchMedia,
  ResizeObserver: Sizeless,
  IntersectionObserver: InView,
  requestAnimationFrame: (run: FrameRequestCallback) =>
    Number(timers.setTimeout(() => run(performance.now()), FRAME_MS)),
  cancelAnimationFrame: (id: number) => timers.clearTimeout(id as never),
  scrollTo: () => undefined,
};

Object.assign(window, added);
// The browser would save the file. A page is not left for it.
window.HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
  const blob = blobs.get(this.href);
  if (this.download === '' || blob === undefined) window.HTMLElement.prototype.click.call(this);
  else downloads.push({ name: this.download, text: () => blob.text() });
};
// jsdom follows links without an address, which are buttons.
window.addEventListener('click', (event) => {
  const link = event.target instanceof window.Element ? event.target.closest('a') : null;
  if (link?.hasAttribute('href') === false) event.preventDefault();
});
Object.assign(window.Element.prototype, { scrollTo: () => undefined, scrollIntoView: () => undefined });
// Each component of Cloudscape asks at each rendering for a theme that no page has, and jsdom looks through the whole page.
const find: (selector: string) => Element | null = Reflect.get(window.Document.prototype, 'querySelector');
Object.defineProperty(window.Document.prototype, 'querySelector', {
  value(this: Document, selector: string) {
    return selector === '.awsui-one-theme' ? null : find.call(this, selector);
  },
});
Object.defineProperty(window.KeyboardEvent.prototype, 'keyCode', {
  get(this: KeyboardEvent) {
    return keyCodes[this.key] ?? 0;
  },
});
Object.defineProperties(window.HTMLElement.prototype, {
  clientWidth: { get: () => window.innerWidth },
  checkVisibility: {
    value(this: HTMLElement) {
      return this.isConnected && this.closest(HIDDEN) === null;
    },
  },
});

// With them, React records who has made each element and how long it took: half of the time of a test.
Object.assign(console, { createTask: undefined, timeStamp: undefined });

const isNew = (name: string): boolean => !(name in globalThis) || ofWindow.includes(name) || name in timers;

const bound = ['addEventListener', 'removeEventListener', 'dispatchEvent', 'getComputedStyle', 'getSelection', 'open'];

/** The globals of a page, as they are beside those of Node. */
const globals = new Map<string, PropertyDescriptor>(
  Object.getOwnPropertyNames(window)
    .concat(bound, Object.keys(added))
    .filter(isNew)
    .map((name) => {
      const get = bound.includes(name) ? () => Reflect.get(window, name).bind(window) : () => Reflect.get(window, name);
      return [name, { get, set: (value) => Reflect.set(window, name, value), configurable: true, enumerable: false }];
    }),
);

/** What the globals of the process were before. */
let replaced: Map<string, PropertyDescriptor | undefined> | undefined;

export const browser = {
  window,
  media,
  /** The files that the page has saved since the last time. */
  takeDownloads: () => downloads.splice(0),
  /** Time stands still until the test moves it. */
  startClock: (): Clock => {
    clock = Object.assign(createClock(latest), { shouldClearNativeTimers: true });
    globalThis.Date = clock.Date;
    return clock;
  },
  /** The present time of the page, without one that of the last page. Each reading is at least a millisecond later. */
  now: (): Date => {
    latest = Math.max(latest + 1, clock?.now ?? 0);
    return new RealDate(latest);
  },
  stopClock: (): void => {
    // The next page is one of a new browser. What pages of this process have written is too old for it to know of.
    latest = Math.max(latest, clock?.now ?? 0) + SUMMARY_SECONDS * 1000;
    clock = undefined;
    globalThis.Date = RealDate;
  },
  open: (): void => {
    if (replaced !== undefined) return;
    // Components of Cloudscape as users have them: for development they check what they are given at each rendering.
    process.env['NODE_ENV'] = 'production';
    replaced = new Map([...globals.keys()].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
    Object.defineProperties(globalThis, Object.fromEntries(globals));
  },
  close: (): void => {
    for (const [name, before] of replaced ?? [])
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    replaced = undefined;
    process.env['NODE_ENV'] = 'test';
  },
};
