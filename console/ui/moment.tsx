import { useSyncExternalStore } from 'react';
import { useStore } from '../api/store.ts';
import { momentText, secondMomentText, secondText, timeZone } from './time-format.ts';
import { plural } from './words.ts';

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * `3 minutes ago`, `in 2 days`; less than a minute is `just now`. What is to come is as far away as it was half a minute ago, so
 * that what was just made for 20 days ends `in 20 days`.
 */
export function distanceText(time: string, now = Date.now()): string {
  const distance = (Date.parse(time) - now) / 1000;
  const seconds = distance > 60 ? distance + 30 : distance;
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  if (found === undefined) return seconds > 0 ? 'in a moment' : 'just now';
  const [unit, length] = found;
  return relative.format(Math.trunc(seconds / length), unit);
}

/** The maximum age of a text like `3 minutes ago`. */
const TICK_MS = 20_000;

const listeners = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of the page. It runs while the page shows any. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    ticks += 1;
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present time, in milliseconds since 1970, which is kept up to date. */
export function useNow(): number {
  useSyncExternalStore(subscribe, () => ticks);
  return Date.now();
}

/** `12 minutes`: how long ago a time in the past was. Less than a minute is `less than a minute`. */
export function sinceText(time: string, now: number): string {
  const seconds = (now - Date.parse(time)) / 1000;
  const found = units.find(([, size]) => seconds >= size);
  if (found === undefined) return 'less than a minute';
  const [unit, length] = found;
  return plural(Math.trunc(seconds / length), unit);
}

/** `12 minutes`, kept up to date. The tooltip has the exact time in UTC. */
export function Since({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {sinceText(time, useNow())}
    </time>
  );
}

/** `10:32:05`. @param time in milliseconds since 1970. */
export function Clock({ time }: { time: number }) {
  useStore(timeZone);
  const date = new Date(time);
  return <time dateTime={date.toISOString()}>{secondText(date)}</time>;
}

/** `3 minutes ago`, kept up to date. */
function Distance({ time }: { time: string }) {
  useSyncExternalStore(subscribe, () => ticks);
  return <>{distanceText(time)}</>;
}

/** Date and time, in the time zone that the user has chosen. */
function Exact({ time, textOf }: { time: string; textOf: (time: string) => string }) {
  useStore(timeZone);
  return <>{textOf(time)}</>;
}

/** A time in words. The tooltip has the exact time in UTC. */
export function Moment({ time, exact = false }: { time: string; exact?: boolean }) {
  return (
    <time dateTime={time} title={time}>
      {exact ? <Exact time={time} textOf={momentText} /> : <Distance time={time} />}
    </time>
  );
}

/** Date and time with seconds, to tell changes apart. */
export function SecondMoment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      <Exact time={time} textOf={secondMomentText} />
    </time>
  );
}
