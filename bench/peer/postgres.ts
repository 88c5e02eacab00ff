import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { killAtExit } from '../child-server.ts';

const run = promisify(execFile);

/** The role and the database of the benchmark. */
export const DATABASE = { user: 'bench', database: 'postgres' } as const;

/** Where Debian installs the programs of the server, by major version. They are not on the PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

const installer = fileURLToPath(new URL('install-postgresql.sh', import.meta.url));

/** The folder with `initdb` and `postgres`; the newest version of several. */
async function findPrograms(): Promise<string | undefined> {
  const versions = existsSync(DEBIAN_FOLDER) ? await readdir(DEBIAN_FOLDER) : [];
  const debian = versions
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  const folders = [...debian, ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))));
}

/** @throws Error if PostgreSQL cannot be installed. */
async function installedPrograms(): Promise<string> {
  const present = await findPrograms();
  if (present !== undefined) return present;
  process.stderr.write('PostgreSQL is missing: installing the package of Debian.\n');
  await run(installer, []);
  const installed = await findPrograms();
  if (installed === undefined) throw new Error(`${installer} did not install initdb and postgres`);
  return installed;
}

interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package adds. */
async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await run('id', [option, 'postgres'])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error('no user postgres');
  return { uid, gid };
}

export interface Postgres {
  /** The folder of the Unix socket. Only this user and the server's can enter it. */
  socketFolder: string;
  stop: () => Promise<void>;
}

const READY_TIMEOUT_MS = 30_000;

/** @returns `ready`, which resolves when the server accepts connections. */
function launch(program: string, folder: string, account: Account | undefined) {
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting]);
  const child = spawn(program, ['-D', join(folder, 'data'), ...settings], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  const exited = once(child, 'exit');
  let log = '';
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`PostgreSQL is not ready:\n${log}`)), READY_TIMEOUT_MS);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (!log.includes('ready to accept connections')) return;
      clearTimeout(timer);
      resolve();
    });
    void exited.then(() => {
      clearTimeout(timer);
      reject(new Error(`PostgreSQL ended:\n${log}`));
    });
  });
  return { child, exited, ready };
}

/**
 * A PostgreSQL server with its default settings and an empty database in a temporary folder. It listens on a Unix
 * socket only. Installs PostgreSQL if it is missing.
 */
export async function startPostgres(): Promise<Postgres> {
  const programs = await installedPrograms();
  const account = await unprivilegedAccount();
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if (account !== undefined) await chown(folder, account.uid, account.gid);
    // Everyone who can reach the socket is trusted: the mode of the folder decides who can.
    const options = ['-U', DATABASE.user, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
    await run(join(programs, 'initdb'), ['-D', join(folder, 'data'), ...options], { cwd: folder, ...account });
    const { child, exited, ready } = launch(join(programs, 'postgres'), folder, account);
    const forget = killAtExit(() => child.kill('SIGINT'));
    const stop = async () => {
      // Ends the sessions that are open; SIGTERM would wait for them.
      child.kill('SIGINT');
      await exited;
      forget();
      await remove();
    };
    await ready.catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { socketFolder: folder, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}
