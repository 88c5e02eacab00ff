import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const START = fileURLToPath(new URL('../../local/start.mjs', import.meta.url));

export interface RunningServer {
  pid: number;
  port: number;
  base: string;
  dataDir: string;
  /** All that it has printed so far, stdout and stderr. */
  output: () => string;
  stdout: () => string;
  stderr: () => string;
  /** The lines of stderr, without those about slow calls: a busy machine has them, and clients repeat such a request. */
  errors: () => string[];
  /** Resolves to the exit code or signal when it has ended, and nothing it has started can print any more. */
  ended: Promise<number | string>;
  /** Ends it with a signal (default: SIGTERM) and waits; resolves to the exit code or signal. */
  stop: (signal?: NodeJS.Signals) => Promise<number | string>;
}

const SLOW_CALL = /"fault":"(?:deadline|table_unanswered)"/;

/** What a start that failed left behind. */
export interface FailedStart extends Error {
  exitCode: number | string;
  stdout: string;
  stderr: string;
}

export interface StartOptions {
  environment?: Record<string, string | undefined>;
  args?: string[];
  /** The working directory; default: that of this process. */
  cwd?: string;
  /** The program that starts it, for example npm; default: the server itself. */
  program?: readonly [string, ...string[]];
}

/**
 * The environment of this process, without the settings that its owner may have made for a server of their own;
 * TEST_ENGINE is the engine for all of them (`npm run test:dynamodb-local`).
 */
export function serverEnvironment(dataDir: string, more: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const names = [
    'HOST',
    'ADMIN_PASSWORD',
    'LOG_LEVEL',
    'AUTHORIZER_CACHE_SECONDS',
    'TLS_NAMES',
    'TLS_CERT_FILE',
    'TLS_KEY_FILE',
  ];
  const cleared = Object.fromEntries(names.map((name) => [name, undefined]));
  // A server locks its data folder with SQLite, which the tests themselves do without there.
  const engine = { DYNAMODB_ENDPOINT: process.env['TEST_ENGINE'], NODE_OPTIONS: undefined };
  return { ...process.env, ...cleared, ...engine, DATA_DIR: dataDir, PORT: '0', ...more };
}

/**
 * The real server as a process of its own, on a free port of the loopback interface: `npm start`, by default without npm.
 *
 * @throws FailedStart when it ends instead of becoming ready.
 */
export async function startServer(
  dataDir: string,
  { environment = {}, args = [], cwd = process.cwd(), program = [process.execPath, START] }: StartOptions = {},
): Promise<RunningServer> {
  const [command, ...words] = program;
  const child = spawn(command, [...words, ...args], {
    cwd,
    env: serverEnvironment(dataDir, environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '', output: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      printed.output += text;
    });
  // Not `exit`, after which there may be more to read of what it printed.
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', () => /curl -k.*\n/.test(printed.stdout) && resolve()),
  );
  const exitCode = await Promise.race([ready, ended]);
  if (exitCode !== undefined) throw Object.assign(new Error(printed.output.trim()), { exitCode, ...printed });
  const base = /Base URL +(\S+)/.exec(printed.stdout)?.[1] ?? '';
  const port = Number(/:(\d+)$/.exec(base)?.[1]);
  return {
    pid: child.pid!,
    port,
    base,
    dataDir,
    output: () => printed.output,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    errors: () => printed.stderr.split('\n').filter((line) => line !== '' && !SLOW_CALL.test(line)),
    ended,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
