import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../shared/core/log.ts';
import { errorCode, StartFailure } from './failure.ts';
import { runEvery, type Schedule } from './schedule.ts';
import { writeWhole } from './write-whole.ts';

/** In the data folder: the latest time of the service, as ISO 8601. */
export const LATEST_TIME_FILE = 'latest-time';

/** A smaller step back is a usual correction: the time stands still until the clock of the machine has caught up. */
const TOLERANCE_MS = 60_000;

const RECORD_MINUTES = 1;

/** Both in milliseconds: since 1970, and since any moment. */
export interface MachineClocks {
  wall: () => number;
  monotonic: () => number;
}

const machine: MachineClocks = { wall: Date.now, monotonic: () => performance.now() };

/**
 * A clock whose time never decreases: otherwise ended keys, tokens and sessions would be valid again. While the clock of the
 * machine is behind, the time continues from the latest one.
 *
 * @param from the latest time before; 0: none.
 * @param onStepBack called once for each step back, with its milliseconds.
 */
export function forwardClock(
  from: number,
  onStepBack: (milliseconds: number) => void,
  { wall, monotonic }: MachineClocks = machine,
): () => Date {
  let latest = from;
  let at = monotonic();
  let isBehind = false;
  return () => {
    const now = wall();
    const before = at;
    at = monotonic();
    const wasBehind = isBehind;
    isBehind = latest - now > TOLERANCE_MS;
    if (isBehind && !wasBehind) onStepBack(latest - now);
    latest = isBehind ? latest + at - before : Math.max(latest, now);
    return new Date(latest);
  };
}

async function readLatestTime(file: string): Promise<number> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw new StartFailure(`Cannot read ${file} (${errorCode(error)}). Correct its owner and its mode.`, {
      cause: error,
    });
  }
  const time = Date.parse(text.trim());
  if (!Number.isNaN(time)) return time;
  throw new StartFailure(`${file} contains no time. Remove it if the clock of this machine is right.`);
}

export interface LocalClock {
  clock: () => Date;
  /** Records the latest time every minute. */
  start: () => Schedule;
}

/**
 * The clock of the local server. Its latest time is recorded in the data folder, every minute and at the stop, so that
 * it does not go back between two starts either.
 *
 * @throws StartFailure when the record cannot be read
 */
export async function openClock(dataDir: string, log: Log, clocks: MachineClocks = machine): Promise<LocalClock> {
  const file = join(dataDir, LATEST_TIME_FILE);
  const warn = (milliseconds: number) =>
    log({
      level: 'error',
      message:
        'the clock of this machine went back; the service continues from its latest time, so that nothing that has ended is valid again',
      seconds: Math.round(milliseconds / 1000),
      remedy: `correct the clock; if the latest time was wrong, stop the server and remove ${file}`,
    });
  const clock = forwardClock(await readLatestTime(file), warn, clocks);
  clock(); // logs a step back at the start
  const record = () => writeWhole(file, `${clock().toISOString()}\n`, 0o600);
  return {
    clock,
    start: () => {
      const { stop } = runEvery(RECORD_MINUTES, record, { log, message: 'the latest time was not recorded' });
      // A full disk does not hold up the stop.
      return {
        stop: () =>
          stop()
            .then(record)
            .catch(() => undefined),
      };
    },
  };
}
