import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface EndedProcess {
  /** The exit code, or the signal. */
  code: number | string;
  out: string;
  err: string;
}

export interface RunningProcess {
  child: ChildProcess;
  ended: Promise<EndedProcess>;
}

/** Starts a program with nothing in its environment but these variables. */
export function start(
  program: string,
  argv: readonly string[],
  { env, input = '', cwd }: { env: Record<string, string | undefined>; input?: string; cwd?: string },
): RunningProcess {
  const child = spawn(program, argv, {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  // A program that ends does not read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: (code ?? signal) as number | string,
    out,
    err,
  }));
  return { child, ended };
}
