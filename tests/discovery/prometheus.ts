import { access, mkdir, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../end-to-end/processes.ts';
import { type Group, start } from '../deploy/processes.ts';

/** Where Debian's package puts it. */
const PROGRAM = '/usr/bin/prometheus';

const START_LIMIT_MS = 20_000;
const STOP_GRACE_MS = 5000;

export interface ActiveTarget {
  scrapeUrl: string;
  health: string;
  lastError: string;
  labels: Record<string, string>;
  discoveredLabels: Record<string, string>;
}

export interface Prometheus {
  targets: () => Promise<{ active: ActiveTarget[]; dropped: ActiveTarget[] }>;
  /** The sum of a counter of its own, over all its labels. */
  counter: (name: string) => Promise<number>;
  said: () => string;
  stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Debian's Prometheus on the loopback interface, with nothing but this configuration.
 *
 * @throws Error when it is not installed or does not start; a test that needs it must fail then.
 */
export async function startPrometheus(folder: string, config: string): Promise<Prometheus> {
  await access(PROGRAM).catch(() => {
    throw new Error(`There is no ${PROGRAM}: apt-get install prometheus`);
  });
  const home = join(folder, 'prometheus');
  await mkdir(home);
  await writeFile(join(home, 'prometheus.yml'), config);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const group: Group = start(
    [
      PROGRAM,
      `--config.file=${join(home, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(home, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { cwd: home, env: { PATH: process.env['PATH'], HOME: home } },
  );
  let ended: number | string | undefined;
  void group.ended.then((how) => (ended = how));
  try {
    await eventually(async () => {
      if (ended !== undefined) throw new Error(`it ended: ${ended}`);
      return fetch(`${base}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    }, START_LIMIT_MS);
  } catch (error) {
    await group.stop(0);
    throw new Error(`Prometheus does not start.\n${group.said().slice(-4000)}`, { cause: error });
  }
  return {
    targets: async () => {
      const { data } = (await (await fetch(`${base}/api/v1/targets`)).json()) as any;
      return { active: data.activeTargets, dropped: data.droppedTargets };
    },
    counter: async (name) => {
      const lines = (await (await fetch(`${base}/metrics`)).text()).split('\n');
      const own = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    said: group.said,
    stop: () => group.stop(STOP_GRACE_MS),
  };
}
