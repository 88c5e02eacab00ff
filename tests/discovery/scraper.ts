import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { eventually } from '../end-to-end/processes.ts';
import { type Group, start } from '../deploy/processes.ts';

const START_LIMIT_MS = 300_000;
const STOP_GRACE_MS = 60_000;

export interface ActiveTarget {
  scrapeUrl: string;
  health: string;
  lastError: string;
  labels: Record<string, string>;
  discoveredLabels: Record<string, string>;
}

/** A program that discovers targets and scrapes them, as Debian's package brings it. */
export interface Program {
  /** Where the package puts it. */
  path: string;
  debianPackage: string;
  /** The arguments for a home of its own, with its configuration in `file`, and a port on the loopback interface. */
  arguments: (home: string, file: string, port: number) => readonly string[];
  readyPath: string;
}

export const prometheus: Program = {
  path: '/usr/bin/prometheus',
  debianPackage: 'prometheus',
  arguments: (home, file, port) => [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(home, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ],
  readyPath: '/-/ready',
};

export interface Scraper {
  /** Its address. */
  base: string;
  targets: () => Promise<{ active: ActiveTarget[]; dropped: ActiveTarget[] }>;
  /** The sum of a counter of its own, over all its labels. */
  counter: (name: string) => Promise<number>;
  /** The samples of an expression, in Prometheus. */
  query: (expression: string) => Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  said: () => string;
  stop: () => Promise<void>;
}

/**
 * The program on the loopback interface, with nothing but this configuration.
 *
 * @throws Error when it is not installed or does not start; a test that needs it must fail then.
 */
export async function startScraper(program: Program, folder: string, config: string): Promise<Scraper> {
  await access(program.path).catch(() => {
    throw new Error(`There is no ${program.path}: apt-get install ${program.debianPackage}`);
  });
  const home = join(folder, 'scraper');
  await mkdir(home);
  const file = join(home, 'config.yml');
  await writeFile(file, config);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const group: Group = start([program.path, ...program.arguments(home, file, port)], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
  });
  let ended: number | string | undefined;
  void group.ended.then((how) => (ended = how));
  try {
    await eventually(async () => {
      if (ended !== undefined) throw new Error(`it ended: ${ended}`);
      return fetch(`${base}${program.readyPath}`).then(
        ({ ok }) => ok,
        () => false,
      );
    }, START_LIMIT_MS);
  } catch (error) {
    await group.stop(0);
    throw new Error(`${program.path} does not start.\n${group.said().slice(-4000)}`, { cause: error });
  }
  return {
    base,
    targets: async () => {
      const { data } = (await (await fetch(`${base}/api/v1/targets`)).json()) as any;
      return { active: data.activeTargets, dropped: data.droppedTargets };
    },
    counter: async (name) => {
      const lines = (await (await fetch(`${base}/metrics`)).text()).split('\n');
      const ownLines = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return ownLines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    query: async (expression) => {
      const reply = await fetch(`${base}/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`);
      const { status, data, error } = (await reply.json()) as any;
      if (status !== 'success') throw new Error(`${expression}: ${error}`);
      return data.result;
    },
    said: group.said,
    stop: () => group.stop(STOP_GRACE_MS),
  };
}
