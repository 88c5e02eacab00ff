import { spawn } from 'node:child_process';
import type { World } from './world.ts';

interface ProcessOptions {
  /** `$1` in the command. */
  argument?: string;
  /** Its standard input; default: that of this program. */
  input?: string;
  /** Ends the command. */
  signal?: AbortSignal;
}

/** Runs a command in a shell, as it was typed. @returns its exit code; null after a signal. */
export function runShell(
  command: string,
  { env }: World,
  { argument, input, signal }: ProcessOptions,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const args = ['-c', command, 'sh', ...(argument === undefined ? [] : [argument])];
    const child = spawn('/bin/sh', args, {
      stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    // A command that does not read its input closes it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    const stop = () => child.kill();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    child.once('error', reject);
    child.once('exit', (code) => {
      signal?.removeEventListener('abort', stop);
      resolve(code);
    });
  });
}
