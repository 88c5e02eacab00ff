import { type MonotonicClock, processClock } from './monotonic-clock.ts';
import type { Log } from './log.ts';

/** The interval in which a fault that every request meets is logged once as an error. */
const QUIET_MS = 60_000;

/**
 * A log that does not fill up while a fault lasts. Of the errors with the same `fault`, one in each interval is logged
 * as an error, and the next one contains the number in between (`repeated`). The others are logged with the level
 * `info`.
 */
export function countRepeats(log: Log, { now }: Pick<MonotonicClock, 'now'> = processClock): Log {
  const written = new Map<string, { at: number; repeated: number }>();
  return (entry) => {
    if (entry.level !== 'error' || entry['fault'] === undefined) {
      log(entry);
      return;
    }
    const name = `${String(entry['fault'])} ${entry.message}`;
    const last = written.get(name);
    if (last !== undefined && now() - last.at < QUIET_MS) {
      last.repeated += 1;
      log({ ...entry, level: 'info' });
      return;
    }
    written.set(name, { at: now(), repeated: 0 });
    log(last === undefined || last.repeated === 0 ? entry : { ...entry, repeated: last.repeated });
  };
}
