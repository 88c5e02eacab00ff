import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isWrite, type Table } from '../../shared/db/table.ts';
import type { Log } from '../../shared/core/log.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';
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

const machine: MachineClocks = { wall: () => timeOfDay().getTime(), monotonic: processClock.now };

/** A clock that separates writes by their times. */
export interface ForwardClock {
  now: () => Date;
  /**
   * A write has ended: the next time is later than those before. Two writes of one object in the same millisecond would
   * have no order. Only writes do this: with a millisecond for each reading, a busy server would be ahead of the machine.
   */
  written: () => void;
}

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
): ForwardClock {
  let latest = from;
  let least = from;
  let at = monotonic();
  let isBehind = false;
  return {
    now: () => {
      const now = wall();
      const before = at;
      at = monotonic();
      const wasBehind = isBehind;
      isBehind = latest - now > TOLERANCE_MS;
      if (isBehind && !wasBehind) onStepBack(latest - now);
      latest = Math.max(isBehind ? latest + at - before : now, latest, least);
      return new Date(latest);
    },
    written: () => (least = latest + 1),
  };
}

/** Tells the clock of each write of the table, also of one that may have failed. */
export function separateWrites({ client }: Table, { written }: Pick<ForwardClock, 'written'>): void {
  client.use((next) => (call) => (isWrite(call.operation) ? next(call).finally(written) : next(call)));
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

export interface LocalClock extends ForwardClock {
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
  clock.now(); // logs a step back at the start
  const record = () => writeWhole(file, `${clock.now().toISOString()}\n`, 0o600);
  return {
    ...clock,
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
