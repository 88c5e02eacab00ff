import { storedPreference } from './preference.ts';

export const timeZones = ['local', 'utc'] as const;

/** The time zone of the times in the console. */
export const timeZone = storedPreference('time-zone', timeZones);

const styles = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  secondMoment: { dateStyle: 'medium', timeStyle: 'medium' },
  clock: { hour: '2-digit', minute: '2-digit' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const;

/** `Nov 23, 2026, 15:04`, with `UTC` if the user has chosen it. */
function format(style: keyof typeof styles, time: string | Date): string {
  const isUtc = timeZone.get() === 'utc';
  const zone = isUtc ? { timeZone: 'UTC' } : {};
  const text = new Intl.DateTimeFormat('en', { ...styles[style], ...zone, hourCycle: 'h23' }).format(new Date(time));
  return isUtc ? `${text} UTC` : text;
}

/** Date and time of day. */
export const momentText = (time: string | Date): string => format('moment', time);

/** Date and time of day with seconds. */
export const secondMomentText = (time: string | Date): string => format('secondMoment', time);

/** The time of day. */
export const clockText = (time: string | Date): string => format('clock', time);

/** The time of day with seconds. */
export const secondText = (time: string | Date): string => format('second', time);
