import { join } from 'node:path';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, type StartOptions, startServer } from '../support/server.ts';

export interface StartedServers {
  /** A folder of the present test's own. */
  home: () => string;
  /** Starts a server. Default of the data folder: `home`/data. */
  start: (options?: StartOptions & { dataDir?: string }) => Promise<RunningServer>;
  stop: (server: RunningServer, signal?: NodeJS.Signals) => Promise<number | string>;
}

/** For the tests of one file: what they start and leave behind ends with each of them. */
export function startedServers(): StartedServers {
  let home = '';
  const running = new Set<RunningServer>();
  beforeEach(async () => {
    home = await newDataDir();
  });
  afterEach(async () => {
    await Promise.all([...running].map((server) => server.stop('SIGKILL')));
    running.clear();
    await removeDataDir(home);
  });
  return {
    home: () => home,
    start: async ({ dataDir = join(home, 'data'), ...options } = {}) => {
      const server = await startServer(dataDir, options);
      running.add(server);
      return server;
    },
    stop: (server, signal) => {
      running.delete(server);
      return server.stop(signal);
    },
  };
}
