import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { nodeFetch } from '../../clients/typescript/src/node.ts';
import type { Rank } from '../../shared/auth/roles.ts';
import { buildCommandLinePackage } from '../../tools/package-cli.ts';
import { makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { programs } from './programs.ts';

export interface ProgramResult {
  code: number | NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface ProgramOptions {
  /** The role of its key; default: Editor. null: no key. */
  role?: Rank | null;
  /** Its arguments. */
  args?: readonly string[];
  /** Variables of its own. */
  env?: Readonly<Record<string, string>>;
  /** Its working folder; default: the folder of the story. */
  cwd?: string;
  /** Its standard input. */
  input?: string;
}

/** A started server, and the machine on which the programs of a story run. */
export interface Story {
  server: RunningServer;
  /** A temporary folder. */
  folder: string;
  /** Of the programs, without a key. */
  environment: Readonly<Record<'PATH' | 'HOME' | 'INVENTORY_URL' | 'INVENTORY_CA', string>>;
  /** With the key of an Admin, for the checks of the test. */
  admin: Client;
  /** Starts a program of `programs/`. The address and the key are in its environment. */
  start: (program: string, options?: ProgramOptions) => ChildProcessWithoutNullStreams;
  /** Runs a program of `programs/` to its end. */
  run: (program: string, options?: ProgramOptions) => Promise<ProgramResult>;
  stop: () => Promise<void>;
}

/** Installs the package of the command line, as `inventory`. @returns the folder of the command. */
async function installCommandLine(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await buildCommandLinePackage(join(folder, 'command-line'));
  await mkdir(bin);
  await symlink(join(folder, 'command-line', 'inventory.cjs'), join(bin, 'inventory'));
  return bin;
}

/** @throws Error if the program ends with an unexpected code, with its messages. */
export function assertCode({ code, out, err }: ProgramResult, expected: ProgramResult['code'] = 0): string {
  if (code !== expected) throw new Error(`ended with ${code} instead of ${expected}:\n${out}\n${err}`);
  return out;
}

/** Starts a server, and installs the command line for the programs that use it. */
export async function startStory({ hasCommandLine = true } = {}): Promise<Story> {
  const folder = await mkdtemp(join(tmpdir(), 'story-'));
  const [server, bin] = await Promise.all([
    startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } }),
    hasCommandLine ? installCommandLine(folder) : folder,
  ]);
  const { keys } = await makeKeys(server);
  const certificate = join(folder, 'data', 'tls-cert.pem');
  const environment = {
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    INVENTORY_URL: server.base,
    INVENTORY_CA: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const fetch = nodeFetch({ ca: await readFile(certificate, 'utf8') });
  const running = new Set<ChildProcessWithoutNullStreams>();
  const start: Story['start'] = (program, { role = 'Editor', args = [], env = {}, cwd = folder } = {}) => {
    const child = spawn(program.endsWith('.ts') ? process.execPath : 'bash', [join(programs, program), ...args], {
      cwd,
      env: { ...environment, ...(role === null ? {} : { INVENTORY_KEY: keys[role] }), ...env },
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };
  return {
    server,
    folder,
    environment,
    admin: createClient({ url: server.base, key: keys.Admin, fetch, attempts: 20 }),
    start,
    run: async (program, options = {}) => {
      const child = start(program, options);
      const ended = new Promise<ProgramResult['code']>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, signal) => resolve(code ?? signal));
      });
      child.stdin.end(options.input ?? '');
      const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, out, err };
    },
    stop: async () => {
      // Of a test that failed.
      for (const child of running) child.kill('SIGKILL');
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
