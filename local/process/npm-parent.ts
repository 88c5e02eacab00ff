import { readFile } from 'node:fs/promises';
import { pause } from '../../shared/core/monotonic-clock.ts';

/** Interval of the checks. */
const POLL_MS = 500;

/** The parent of a process, from `/proc/<pid>/stat`; undefined when the process has ended, or without /proc. */
async function parentOf(pid: number): Promise<number | undefined> {
  try {
    // `pid (name) state ppid`; the name may contain any character, including parentheses.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]);
  } catch {
    return undefined;
  }
}

/** Whether the process is a shell that runs one command, as npm starts them. */
async function isCommandShell(pid: number): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.split('\0')[1] === '-c';
}

/**
 * Resolves when the npm that started this process (`npm start`) has ended; never when npm did not start it. npm passes
 * a signal on to the shell of the script, but not every shell passes it on to the script, and a kill -9 reaches npm
 * only.
 */
export async function npmEnded(environment: NodeJS.ProcessEnv): Promise<void> {
  if (environment['npm_lifecycle_event'] !== 'start') return new Promise(() => undefined);
  const parent = process.ppid;
  // npm itself, or the shell in between. Some shells replace themselves by their last command; then the parent is npm.
  const npm = (await isCommandShell(parent)) ? await parentOf(parent) : undefined;
  while (process.ppid === parent && (npm === undefined || (await parentOf(parent)) === npm))
    await pause({}, POLL_MS, { ref: false });
}
