import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { accepts } from './accepts.ts';
import { takeDataFolder, type TakenFolder } from './data-folder.ts';
import { findEngineBinary } from './engine-binary.ts';
import { engineAt } from './external-engine.ts';
import { errorCode, StartFailure } from '../process/failure.ts';
import type { Engine } from './engine-type.ts';

/** A busy machine needs some seconds. An engine that cannot start ends, which is noticed at once. */
const startTimeoutMilliseconds = 30_000;
const stopTimeoutMilliseconds = 2000;
const pollMilliseconds = 3;
/** How often another process may take a free port before the engine uses it. */
const portAttempts = 5;

export interface EngineOptions {
  /** Folder of the database file, created with mode 0700 if missing; undefined: the data is in memory. */
  readonly dataDir?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Starts a DynamoDB engine and resolves when it is ready: the external one at DYNAMODB_ENDPOINT, or a dynoxide process
 * on a free port of a random loopback address (from DYNOXIDE_BIN, the optional npm package or the PATH). The dynoxide
 * process ends with this process, even after SIGKILL.
 *
 * @throws StartFailure when no engine is found, it does not start, or the data folder is in use or cannot be used
 */
export async function startEngine({ dataDir, environment }: EngineOptions): Promise<Engine> {
  if (environment['DYNAMODB_ENDPOINT']) return engineAt(environment['DYNAMODB_ENDPOINT']);

  const binary = await findEngineBinary(environment);
  const folder = dataDir === undefined ? undefined : await takeDataFolder(resolve(dataDir));
  try {
    return await launch(binary, folder, environment);
  } catch (error) {
    await folder?.release();
    throw error;
  }
}

/**
 * A script for sh, which becomes the engine by exec. Its watcher reads from a pipe (descriptor 3) that is never
 * written, and whose other end only this process holds. The read ends when this process ends, by any signal, and then
 * the watcher kills the process group of the engine, including itself. The group id cannot have been reused, because
 * the watcher is still in the group. Works on Linux and macOS, unlike PR_SET_PDEATHSIG. SIGKILL is safe: the engine
 * loses no acknowledged write. SIGXFSZ (25) is ignored, so that a write beyond a limit of the file size fails, as on a
 * full disk, instead of ending the engine.
 */
const supervised = 'umask 077; trap "" 25; (read -r _ <&3; kill -KILL -$$) >/dev/null 2>&1 & exec "$@" 3<&-';

async function launch(
  binary: string,
  folder: TakenFolder | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Engine> {
  for (let attempt = 1; ; attempt += 1) {
    const place = await freePlace();
    const engine = spawnEngine(binary, place, folder?.databaseFile, environment);
    const failure = await engine.whyNotReady();
    if (failure === undefined) {
      let stopped: Promise<void> | undefined;
      return {
        endpoint: `http://${place.host}:${place.port}`,
        ...(engine.pid === undefined ? {} : { pid: engine.pid }),
        isOurs: true,
        exited: engine.exited,
        stop: () => (stopped ??= engine.stop().then(() => folder?.release())),
      };
    }
    await engine.stop();
    const lostRace = /in use/i.test(failure);
    if (!lostRace || attempt === portAttempts) {
      const file = folder ? ` on ${folder.databaseFile}` : '';
      throw new StartFailure(`The database engine ${binary} did not start${file}: ${failure}`);
    }
  }
}

interface EngineProcess {
  readonly pid: number | undefined;
  readonly exited: Promise<void>;
  whyNotReady(): Promise<string | undefined>;
  stop(): Promise<void>;
}

interface EngineAddress {
  host: string;
  port: number;
}

function spawnEngine(
  binary: string,
  { host, port }: EngineAddress,
  databaseFile: string | undefined,
  environment: NodeJS.ProcessEnv,
): EngineProcess {
  const database = databaseFile === undefined ? [] : ['--db-path', databaseFile];
  const child = spawn(
    '/bin/sh',
    ['-c', supervised, 'engine', binary, '--host', host, '--port', String(port), ...database],
    {
      // A separate session: Ctrl-C at the terminal reaches this process alone, which stops the engine last.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // The engine gets no other variables of the environment, such as ADMIN_PASSWORD.
      env: { PATH: environment['PATH'] },
    },
  );
  const lifeline = child.stdio[3];
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-1000);
  });

  let stopping = false;
  const ended = new Promise<string>((resolveEnd) => {
    child.once('error', (error) => resolveEnd(error.message)); // sh cannot be run
    child.once('exit', (code, signal) => resolveEnd(signal ?? `exit code ${code ?? 'unknown'}`));
  });
  const closed = new Promise<void>((resolveClosed) => child.once('close', () => resolveClosed()));
  const exited = new Promise<void>((resolveExited) => {
    void ended.then(() => {
      lifeline?.destroy();
      if (!stopping) resolveExited();
    });
  });

  return {
    pid: child.pid,
    exited,

    async whyNotReady() {
      const started = performance.now();
      let accepting: number | undefined;
      while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        const now = performance.now();
        if (await accepts(host, port)) {
          // Another process that took the port accepts connections too; only our engine prints this message. A build
          // with another message gets some time to fail.
          accepting ??= now;
          if (/listening on/i.test(lastWords) || now - accepting > 300) return undefined;
        }
        if (now - started > startTimeoutMilliseconds) {
          return `it does not listen on port ${port} within ${startTimeoutMilliseconds / 1000} s. ${lastWords}`;
        }
        await delay(pollMilliseconds);
      }
      const how = await ended;
      await Promise.race([closed, delay(200, undefined, { ref: false })]); // its last output arrives after its end
      return `${how}. ${lastWords}`;
    },

    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      await Promise.race([ended, delay(stopTimeoutMilliseconds, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const LOOPBACK = '127.0.0.1';

/**
 * A random loopback address, which cannot be guessed: the engine serves every client that reaches it, including pages
 * in browsers. On Linux all of 127.0.0.0/8 belongs to the host; elsewhere only 127.0.0.1 does.
 */
async function freePlace(): Promise<EngineAddress> {
  const host = `127.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  try {
    return { host, port: await freePort(host) };
  } catch (error) {
    if (errorCode(error) !== 'EADDRNOTAVAIL') throw error;
    return { host: LOOPBACK, port: await freePort(LOOPBACK) };
  }
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has an address with a port.');
  return address.port;
}
