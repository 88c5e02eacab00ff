import type { Log } from './log.ts';

/** So long one line is enough for a fault that every request meets. */
const QUIET_MS = 60_000;

/**
 * A log that does not fill up while a fault lasts: of the errors that name the same `fault`, one in a minute is an error,
 * and the next one after that says how many came in between (`repeated`). Those are written as information.
 */
export function countRepeats(log: Log, now: () => number = () => performance.now()): Log {
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
