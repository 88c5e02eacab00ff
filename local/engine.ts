import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, StartFailure } from './failure.ts';

const startTimeoutMilliseconds = 5000;
/** For an engine that is not ours: it may have been started at the same moment. */
const answerTimeoutMilliseconds = 1000;
const stopTimeoutMilliseconds = 2000;
/** A server that has just been told to stop, or been killed, needs a moment to end. */
const lockTimeoutMilliseconds = 500;
const pollMilliseconds = 3;
/** How often a free port may be taken by someone else between finding it and using it. */
const portAttempts = 5;

export interface Engine {
  /** Base URL for the DynamoDB client, without a slash at the end. */
  readonly endpoint: string;
  /** Process id; absent when the engine is not ours. */
  readonly pid?: number;
  /** Resolves when the engine ends without having been stopped; never for an engine that is not ours. */
  readonly exited: Promise<void>;
  /** Stops the engine and gives the data folder free. May be called again. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Folder of the database file, made with mode 0700 when missing; without it the data lives in memory. */
  readonly dataDir?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * A DynamoDB engine for this machine, ready to take requests: the one at DYNAMODB_ENDPOINT, or a dynoxide of our own on a free
 * loopback port (from DYNOXIDE_BIN, the optional npm package or the PATH), which never outlives this process, not even its SIGKILL.
 *
 * @throws StartFailure when there is no engine, it does not start, or the data folder cannot be used or is in use
 */
export async function startEngine({ dataDir, environment }: EngineOptions): Promise<Engine> {
  if (environment['DYNAMODB_ENDPOINT']) return engineAt(environment['DYNAMODB_ENDPOINT']);

  const binary = await findBinary(environment);
  const folder = dataDir === undefined ? undefined : await takeFolder(resolve(dataDir));
  try {
    return await launch(binary, folder, environment);
  } catch (error) {
    await folder?.release();
    throw error;
  }
}

// ---- an engine that is not ours

async function engineAt(endpoint: string): Promise<Engine> {
  const url = URL.parse(endpoint);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new StartFailure('DYNAMODB_ENDPOINT must be an http or https URL, for example http://127.0.0.1:8000.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, ''); // IPv6 comes in brackets
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const deadline = performance.now() + answerTimeoutMilliseconds;
  while (!(await accepts(host, port))) {
    if (performance.now() > deadline) {
      throw new StartFailure(
        `Nothing answers at DYNAMODB_ENDPOINT ${url.origin}: start that engine first, or unset DYNAMODB_ENDPOINT to use the embedded one.`,
      );
    }
    await delay(pollMilliseconds);
  }
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    exited: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

// ---- where the binary is

async function findBinary(environment: NodeJS.ProcessEnv): Promise<string> {
  const named = environment['DYNOXIDE_BIN'];
  if (named) {
    if (await isExecutable(named)) return resolve(named);
    throw new StartFailure(
      `DYNOXIDE_BIN is ${named}, which is not an executable file: correct it, or unset it to use the embedded engine.`,
    );
  }
  const name = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  const searched = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of [packageFolder(), ...searched]) {
    if (folder !== undefined && (await isExecutable(join(folder, name)))) return resolve(folder, name);
  }
  throw new StartFailure(`No DynamoDB engine found for ${process.platform}-${process.arch}: ${howToGetIt()}`);
}

/** The folder of the npm package with the binary for this platform; package.json lists the one for Linux on x64. */
function packageFolder(): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    return dirname(require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`));
  } catch {
    return undefined;
  }
}

function howToGetIt(): string {
  const other = 'set DYNOXIDE_BIN to its binary, or set DYNAMODB_ENDPOINT to a running DynamoDB Local.';
  if (process.platform === 'linux' && process.arch === 'x64') {
    return `run \`npm ci\` with optional packages (without --omit=optional), ${other}`;
  }
  if (process.platform === 'win32') return `run this in WSL, or set DYNAMODB_ENDPOINT to a running DynamoDB Local.`;
  return `run \`cargo install dynoxide-rs\`, or ${other}`;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

// ---- the data folder, for one server at a time

/**
 * Makes the folder, and those above it, with mode 0700; leaves one that is there as it is.
 *
 * @throws StartFailure when it cannot be made, read or written
 */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK); // with `/.` a file is not a folder
  } catch (error) {
    throw StartFailure.dataFolder(folder, error);
  }
}

/** Not with `recursive`: Node then never returns where a parent exists but can hold nothing (/proc, a link to nowhere). */
async function makeFolder(folder: string): Promise<void> {
  if (!existsSync(dirname(folder))) await makeFolder(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

interface TakenFolder {
  readonly databaseFile: string;
  release(): Promise<void>;
}

/**
 * The lock is a transaction held open on an empty SQLite file: the operating system gives it free when its holder dies, however
 * it dies, so that no stale lock exists and no recorded process id has to be believed. The id is kept for the message only.
 */
async function takeFolder(folder: string): Promise<TakenFolder> {
  const pidFile = join(folder, 'server.pid');
  let lock: DatabaseSync;
  await makeDataFolder(folder);
  try {
    lock = new DatabaseSync(join(folder, 'server.lock'));
  } catch (error) {
    throw StartFailure.dataFolder(folder, error);
  }
  const release = async () => {
    await rm(pidFile, { force: true });
    lock.close();
  };
  try {
    const deadline = performance.now() + lockTimeoutMilliseconds;
    while (!begins(lock)) {
      if (performance.now() > deadline) {
        const holder = await readFile(pidFile, 'utf8').catch(() => '');
        throw new StartFailure(
          `The data folder ${folder} is in use by another server (process ${holder.trim() || 'unknown'}): stop that one, or set DATA_DIR to another folder.`,
        );
      }
      await delay(pollMilliseconds);
    }
  } catch (error) {
    lock.close();
    throw error instanceof StartFailure ? error : StartFailure.dataFolder(folder, error);
  }
  try {
    await writeFile(pidFile, `${process.pid}\n`);
    const databaseFile = join(folder, 'inventory.sqlite');
    await waitUntilClosed(databaseFile);
    return { databaseFile, release };
  } catch (error) {
    await release();
    throw error instanceof StartFailure ? error : StartFailure.dataFolder(folder, error);
  }
}

function begins(lock: DatabaseSync): boolean {
  try {
    // In memory: a journal file would stay behind after a kill.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** After a kill of the last server its engine lives on for some milliseconds; dynoxide itself does not lock its file. */
async function waitUntilClosed(databaseFile: string): Promise<void> {
  const deadline = performance.now() + stopTimeoutMilliseconds;
  while (isOpenElsewhere(databaseFile)) {
    if (performance.now() > deadline) {
      throw new StartFailure(
        `Another process has ${databaseFile} open: stop it, or set DATA_DIR to another folder than its.`,
      );
    }
    await delay(pollMilliseconds);
  }
}

/** Exclusive mode on a file with a write-ahead log is refused while any other process has it open (sqlite.org/wal.html). */
function isOpenElsewhere(databaseFile: string): boolean {
  if (!existsSync(databaseFile)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(databaseFile);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    return isBusy(error); // anything else is for the engine to report
  } finally {
    database?.close();
  }
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5;
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === sqliteBusy;
}

// ---- the process

/**
 * Run by sh, which becomes the engine. Its watcher reads from a pipe (descriptor 3) that nobody writes to and whose other end
 * only this process holds: it ends when this process ends, by whatever signal, and then the watcher kills the process group of
 * the engine, itself included. The group cannot have been reused, as the watcher is still in it. Works alike on Linux and macOS,
 * unlike PR_SET_PDEATHSIG; SIGKILL is safe, as the engine loses nothing acknowledged by it.
 */
const supervised = 'umask 077; (read -r _ <&3; kill -KILL -$$) >/dev/null 2>&1 & exec "$@" 3<&-';

async function launch(
  binary: string,
  folder: TakenFolder | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Engine> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const engine = spawnEngine(binary, port, folder?.databaseFile, environment);
    const failure = await engine.whyNotReady();
    if (failure === undefined) {
      let stopped: Promise<void> | undefined;
      return {
        endpoint: `http://127.0.0.1:${port}`,
        ...(engine.pid === undefined ? {} : { pid: engine.pid }),
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

function spawnEngine(
  binary: string,
  port: number,
  databaseFile: string | undefined,
  environment: NodeJS.ProcessEnv,
): EngineProcess {
  const database = databaseFile === undefined ? [] : ['--db-path', databaseFile];
  const child = spawn(
    '/bin/sh',
    ['-c', supervised, 'engine', binary, '--host', '127.0.0.1', '--port', String(port), ...database],
    {
      // A session of its own: Ctrl-C at the terminal reaches this process alone, which stops the engine when nothing needs it any more.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // Nothing else of the environment: ADMIN_PASSWORD is none of its business.
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
    child.once('error', (error) => resolveEnd(error.message)); // sh itself cannot be run
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
        if (await accepts('127.0.0.1', port)) {
          // Whoever won a race for the port accepts too; only ours says so. A build with other words gets a moment to fail.
          accepting ??= now;
          if (/listening on/i.test(lastWords) || now - accepting > 300) return undefined;
        }
        if (now - started > startTimeoutMilliseconds) {
          return `it does not listen on port ${port} within ${startTimeoutMilliseconds / 1000} s. ${lastWords}`;
        }
        await delay(pollMilliseconds);
      }
      const how = await ended;
      await Promise.race([closed, delay(200, undefined, { ref: false })]); // what it wrote last arrives after its end
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

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has an address with a port.');
  return address.port;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolveAccepts) => {
    const socket = connect({ host, port, timeout: 1000 });
    const answer = (accepted: boolean) => {
      socket.destroy();
      resolveAccepts(accepted);
    };
    socket.once('connect', () => answer(true));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}
