import { connection } from '../api/connection.ts';
import { storedPreference } from './preference.ts';

export const refreshIntervals = ['30s', '10s', 'off'] as const;

export type RefreshInterval = (typeof refreshIntervals)[number];

const milliseconds: Readonly<Record<RefreshInterval, number | undefined>> = {
  off: undefined,
  '10s': 10_000,
  '30s': 30_000,
};

/** How often the page refreshes itself. */
export const refreshInterval = storedPreference('auto-refresh', refreshIntervals);

/** States follow from the time since the last report, so they change without a change of an object. */
export const STATES_MS = 30_000;

/** The states of objects that take one request each. */
export const COSTLY_STATES_MS = 120_000;

/** Timers and requests take time: a value this much younger is old enough. */
const SLACK_MS = 5000;

/** A value on the page that can be loaded again without notice. */
export interface LiveValue {
  /**
   * In milliseconds: an older value is loaded again even if no object has changed. Undefined for a value that stays as it
   * is: it is loaded again only if it could not be loaded.
   */
  maxAge: number | undefined;
  /** `loadedAt`: milliseconds since 1970. `isPending`: it is being loaded. `isLost`: the server could not answer. */
  status: () => { loadedAt: number | undefined; isPending: boolean; isLost: boolean };
  refresh: () => void;
}

const values = new Set<LiveValue>();
let timer: ReturnType<typeof setInterval> | undefined;
let isRunning = false;
/** Asks whether an object has changed since the last time; undefined while nobody is logged in. */
let hasChanged: (() => Promise<boolean>) | undefined;

function refresh(isDue: (age: number, maxAge: number) => boolean): void {
  for (const { maxAge, status, refresh: load } of values) {
    const { loadedAt, isPending, isLost } = status();
    const age = loadedAt === undefined ? Infinity : Date.now() - loadedAt;
    if (!isPending && (isLost || (maxAge !== undefined && isDue(age, maxAge)))) load();
  }
}

/** Whether the page shows anything that may have to be loaded again. */
const isLive = () => [...values].some(({ maxAge, status }) => maxAge !== undefined || status().isLost);

/** One request if nothing has changed and all states are recent. A hidden page asks for nothing. */
async function run(): Promise<void> {
  if (isRunning || hasChanged === undefined || document.hidden || !isLive()) return;
  isRunning = true;
  try {
    const changed = await hasChanged();
    refresh((age, maxAge) => changed || age >= maxAge - SLACK_MS);
  } catch {
    // The page says that the server cannot be reached, or the next values that are loaded say what is wrong.
  } finally {
    isRunning = false;
  }
}

function schedule(): void {
  clearInterval(timer);
  const interval = milliseconds[refreshInterval.get()];
  timer = interval === undefined || hasChanged === undefined ? undefined : setInterval(() => void run(), interval);
}

/** What was not refreshed while the page was hidden, once it is visible again. */
function onVisible(): void {
  if (!document.hidden && milliseconds[refreshInterval.get()] !== undefined) void run();
}

/** Loads the values of the page again by itself, as often as the user has chosen. */
export const autoRefresh = {
  /** Registers a value for as long as it is shown. */
  add: (value: LiveValue) => {
    values.add(value);
    return () => {
      values.delete(value);
    };
  },
  /**
   * Begins, for as long as somebody is logged in.
   *
   * @param check whether an object has changed since it was last called.
   */
  start: (check: () => Promise<boolean>) => {
    hasChanged = check;
    schedule();
    const stopFollowing = refreshInterval.subscribe(schedule);
    document.addEventListener('visibilitychange', onVisible);
    // The first answer after an interruption: everything on the page may have changed.
    const stopListening = connection.subscribe(() => {
      if (connection.lostAt() === undefined) refresh(() => true);
    });
    return () => {
      hasChanged = undefined;
      schedule();
      stopListening();
      stopFollowing();
      document.removeEventListener('visibilitychange', onVisible);
    };
  },
};
