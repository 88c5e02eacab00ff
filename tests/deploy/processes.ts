import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Run by sh, which becomes the program. Its watcher reads from a pipe that only this process holds the other end of, so
 * that whatever ends this process ends the whole group too (as in local/engine/engine.ts).
 */
const supervised = '(read -r _ <&3; kill -KILL -$$) >/dev/null 2>&1 & exec "$@" 3<&-';

const LAST_WORDS_MS = 500;

export interface Group {
  /** All that it printed so far, on both channels. */
  said: () => string;
  /** Its standard input, if that is a pipe. */
  input: Writable | null;
  /** Resolves with the exit code, the signal, or why it could not be run. */
  ended: Promise<number | string>;
  /** SIGTERM, and after the grace SIGKILL, to it and all that it started. */
  stop: (graceMilliseconds: number) => Promise<void>;
  /** Ends it at once, as a crash does: no process of it can do anything more. */
  crash: () => Promise<void>;
}

/** Starts a program in a process group of its own. @param options `input`: its standard input is a pipe, otherwise empty. */
export function start(
  command: readonly string[],
  { input = false, ...options }: { cwd: string; env: NodeJS.ProcessEnv; input?: boolean },
): Group {
  const child = spawn('/bin/sh', ['-c', supervised, 'supervised', ...command], {
    ...options,
    detached: true,
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string, String);
  const closed = once(child, 'close').catch(() => undefined);
  const kill = (signal: NodeJS.Signals) => {
    try {
      // Its watcher is in the group until the end, so that the id cannot be another's.
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // All of it has ended.
    }
  };
  return {
    said: () => said,
    input: child.stdin,
    ended,
    crash: async () => {
      kill('SIGKILL');
      await ended;
    },
    stop: async (graceMilliseconds) => {
      child.kill('SIGTERM');
      await Promise.race([ended, delay(graceMilliseconds, undefined, { ref: false })]);
      kill('SIGKILL');
      await ended;
      // What it wrote last arrives after its end.
      await Promise.race([closed, delay(LAST_WORDS_MS, undefined, { ref: false })]);
      child.stdio[3]?.destroy();
    },
  };
}

/**
 * Runs a program to its end.
 *
 * @returns what it printed.
 * @throws Error with what it printed when it fails, or takes longer than the limit; then it is killed with all its children.
 */
export async function run(
  command: readonly string[],
  { limitMilliseconds, ...options }: { cwd: string; env: NodeJS.ProcessEnv; limitMilliseconds: number },
): Promise<string> {
  const group = start(command, options);
  const abort = new AbortController();
  const late = delay(limitMilliseconds, `not within ${limitMilliseconds / 1000} s`, { signal: abort.signal });
  const outcome = await Promise.race([group.ended, late.catch(String)]);
  abort.abort();
  // Also after a good end: nothing of it is left behind.
  await group.stop(0);
  if (outcome !== 0) throw new Error(`\`${command.join(' ')}\`: ${outcome}\n${group.said().slice(-4000)}`);
  return group.said();
}
