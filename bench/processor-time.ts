import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';

/** Of a process and the processes that it waited for. */
export interface ProcessTime {
  /** Of all threads, in milliseconds. */
  processor: number;
  /** In milliseconds. */
  wall: number;
}

export interface TimedProgram {
  argv: readonly [string, ...string[]];
  /** Its whole environment. */
  env: Record<string, string>;
  cwd: string;
  /** The exit code of a run that did its work; default: 0. */
  code?: number;
}

/** Node does not tell the times of a process that ended. The shell does, to the millisecond. */
const script = `TIMEFORMAT='[%3U, %3S, %3R]'; time "$@" >/dev/null 2>&1`;

/**
 * Runs a program and measures it. Its output is not kept.
 *
 * @throws Error if it ends with another code.
 */
export async function timeOf({ argv, env, cwd, code = 0 }: TimedProgram): Promise<ProcessTime> {
  const shell = spawn('bash', ['-c', script, 'bash', ...argv], { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const closed: Promise<unknown[]> = once(shell, 'close');
  const printed = await text(shell.stderr);
  const [ended] = await closed;
  if (ended !== code) throw new Error(`${argv.join(' ')} ended with ${String(ended)}`);
  const [user, system, real] = z.parse(z.tuple([z.number(), z.number(), z.number()]), JSON.parse(printed));
  return { processor: (user + system) * 1000, wall: real * 1000 };
}
