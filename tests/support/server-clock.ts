import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of Debian's package faketime, on x86 and ARM. */
const LIBRARIES = ['x86_64', 'aarch64'].map((arch) => `/usr/lib/${arch}-linux-gnu/faketime/libfaketimeMT.so.1`);

/** The clock of a server, which a test sets while the server runs. */
export interface ServerClock {
  /** For the start of the server. */
  environment: Record<string, string>;
  /** @param seconds by which the server is ahead of this machine. */
  set: (seconds: number) => Promise<void>;
}

/**
 * @param folder for the file with the time.
 * @throws Error without libfaketime.
 */
export async function serverClockIn(folder: string): Promise<ServerClock> {
  const library = LIBRARIES.find((file) => existsSync(file));
  if (library === undefined) throw new Error(`libfaketime is missing: apt-get install faketime`);
  const file = join(folder, 'clock');
  const set = async (seconds: number) => {
    // At once: an empty file would be a clock that goes back.
    await writeFile(`${file}.next`, seconds < 0 ? `${seconds}s` : `+${seconds}s`);
    await rename(`${file}.next`, file);
  };
  await set(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // As on a machine: nothing sets the clock that only counts how much time has passed.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
