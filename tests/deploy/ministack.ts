import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import { type Group, start } from './processes.ts';
import { Unavailable } from './python-program.ts';

/** Starts the emulator in its Python. */
const START = fileURLToPath(new URL('start-ministack.py', import.meta.url));

const START_LIMIT_MS = 300_000;
const STOP_GRACE_MS = 3000;

async function isHealthy(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(1000) })).ok;
  } catch {
    return false;
  }
}

async function whenHealthy(endpoint: string, group: Group): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  let ended: number | string | undefined;
  void group.ended.then((how) => (ended = how));
  while (!(await isHealthy(endpoint))) {
    if (ended === undefined && performance.now() < until) {
      await delay(50);
      continue;
    }
    await group.stop(0);
    throw new Unavailable('MiniStack does not start.', group.said() || ended);
  }
}

export interface MiniStack {
  endpoint: string;
  /** What it printed, functions included. */
  said: () => string;
  stop: () => Promise<void>;
}

/**
 * An AWS of our own: MiniStack on a free port of the loopback interface, empty, in a process group and a folder of its own.
 *
 * @param program where it is installed.
 * @param environment more variables, which its functions get too.
 * @throws Unavailable when it does not start.
 */
export async function startMiniStack(program: string, environment: Record<string, string> = {}): Promise<MiniStack> {
  const [port, folder] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'ministack-'))]);
  const endpoint = `http://127.0.0.1:${port}`;
  const group = start([join(dirname(program), 'python3'), START], {
    cwd: folder,
    env: {
      // Functions run on the Node of the tests, whatever their runtime says.
      PATH: [dirname(process.execPath), dirname(program), process.env['PATH']].join(':'),
      HOME: folder,
      TMPDIR: folder,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      SFTP_ENABLED: '0',
      IOT_MTLS_ENABLED: '0',
      ...environment,
    },
  });
  const stop = async () => {
    await group.stop(STOP_GRACE_MS);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await whenHealthy(endpoint, group);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, said: group.said, stop };
}
