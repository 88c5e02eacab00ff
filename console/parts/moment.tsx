const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export function momentText(time: string | Date): string {
  return absolute.format(new Date(time));
}

/** `3 minutes ago`, `in 2 days`; less than a minute is `just now`. */
export function distanceText(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  if (found === undefined) return seconds > 0 ? 'in a moment' : 'just now';
  const [unit, length] = found;
  return relative.format(Math.trunc(seconds / length), unit);
}

/** A moment as people speak of it; the exact one in UTC is behind it. */
export function Moment({ time, exact = false }: { time: string; exact?: boolean }) {
  return (
    <time dateTime={time} title={time}>
      {exact ? momentText(time) : distanceText(time)}
    </time>
  );
}
