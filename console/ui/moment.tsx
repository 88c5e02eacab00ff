import { use, useSyncExternalStore } from 'react';
import { useStore } from '../api/store.ts';
import { OneLineContext } from './breakable-text.tsx';
import { momentText, secondMomentText, secondText, timeZone } from './time-format.ts';
import { plural } from './words.ts';

const DAY = 86_400;

/** The units of a distance, each with the seconds from which on it is used: months would be too coarse for 90 days. */
const units = [
  { unit: 'year', length: 365 * DAY, from: 2 * 365 * DAY, short: 'years' },
  { unit: 'month', length: 30 * DAY, from: 120 * DAY, short: 'months' },
  { unit: 'day', length: DAY, from: DAY, short: 'd' },
  { unit: 'hour', length: 3600, from: 3600, short: 'h' },
  { unit: 'minute', length: 60, from: 60, short: 'min' },
] as const;

const unitOf = (seconds: number) => units.find(({ from }) => Math.abs(seconds) >= from);

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** In seconds. What is to come is as far away as it was half a minute ago. */
function distanceOf(time: string, now: number): number {
  const distance = (Date.parse(time) - now) / 1000;
  return distance > 60 ? distance + 30 : distance;
}

/**
 * `3 minutes ago`, `in 2 days`; less than a minute is `just now`. What is to come is as far away as it was half a minute ago, so
 * that what was just made for 20 days ends `in 20 days`.
 */
export function distanceText(time: string, now = Date.now()): string {
  const seconds = distanceOf(time, now);
  const distanceUnit = unitOf(seconds);
  if (distanceUnit === undefined) return seconds > 0 ? 'in a moment' : 'just now';
  return relative.format(Math.trunc(seconds / distanceUnit.length), distanceUnit.unit);
}

/** `3 min`, `in 2 d`: the distance in a column. Less than a minute is `now`. */
export function shortDistanceText(time: string, now = Date.now()): string {
  const seconds = distanceOf(time, now);
  const distanceUnit = unitOf(seconds);
  if (distanceUnit === undefined) return 'now';
  return `${seconds > 0 ? 'in ' : ''}${Math.abs(Math.trunc(seconds / distanceUnit.length))} ${distanceUnit.short}`;
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
    for (const listener of listeners) listener();
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
  const distanceUnit = unitOf(seconds);
  return distanceUnit === undefined
    ? 'less than a minute'
    : plural(Math.trunc(seconds / distanceUnit.length), distanceUnit.unit);
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

/** `3 minutes ago`, in a row with one line `3 min`; kept up to date. */
function Distance({ time }: { time: string }) {
  useSyncExternalStore(subscribe, () => ticks);
  return <>{use(OneLineContext) ? shortDistanceText(time) : distanceText(time)}</>;
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
