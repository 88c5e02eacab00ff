import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FIRST_COMPILER } from '../support/java.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const cache = here('../../node_modules/.cache/dynamodb-local');

const LEAST_JAVA = 17;
const START_TIMEOUT_MS = 300_000;

/** The missing requirement, in one line for the user. */
export class Unavailable extends Error {}

async function output(command: string, args: string[]): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args);
    return stdout + stderr;
  } catch (error) {
    throw new Unavailable(`\`${command} ${args.join(' ')}\` does not work: install it (${reasonOf(error)}).`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.trim().split('\n').join(' ') : String(error);
}

/** Java of a new enough version, with its compiler. */
async function checkJava(): Promise<void> {
  const version = await output('java', ['-version']);
  const major = Number(/version "(\d+)/.exec(version)?.[1]);
  if (!(major >= LEAST_JAVA))
    throw new Unavailable(`DynamoDB Local needs Java ${LEAST_JAVA} or newer, and this is ${version.split('\n')[0]}.`);
  const modules = await output('java', ['--list-modules']);
  if (!modules.includes('jdk.compiler'))
    throw new Unavailable('DynamoDB Local is started by a Java source file: install a JDK (a JRE has no compiler).');
}

/**
 * Fetches DynamoDB Local and all that it depends on, once for each state of the pom. Before several engines start at once.
 *
 * @returns the folder of the libraries.
 * @throws Unavailable without Maven, or when it cannot be fetched.
 */
export async function fetchDynamoDBLocal(): Promise<string> {
  const pom = here('pom.xml');
  const state = createHash('sha256')
    .update(await readFile(pom))
    .digest('hex')
    .slice(0, 16);
  const folder = join(cache, state);
  if (existsSync(folder)) return folder;
  await output('mvn', ['--version']);
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, 'partial-'));
  const goal = 'dependency:copy-dependencies';
  const options = ['-B', '-q', '-ntp', '-f', pom, '-DincludeScope=runtime', `-DoutputDirectory=${partial}`];
  try {
    await promisify(execFile)('mvn', [goal, ...options]);
    // All or nothing: a fetch that was cut off is not taken for a whole one.
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    const said = String((error as { stdout?: unknown }).stdout);
    const why = said.split('\n').find((line) => line.includes('ERROR')) ?? reasonOf(error);
    throw new Unavailable(`Maven cannot fetch DynamoDB Local: ${why.trim()}`, { cause: error });
  }
  return folder;
}

export interface DynamoDBLocal {
  endpoint: string;
  pid: number;
  stop: () => Promise<void>;
}

/**
 * Amazon's DynamoDB Local, in memory, on a free port of the loopback interface, without telemetry.
 *
 * @throws Unavailable without Java or Maven, or when it cannot be fetched or does not start.
 */
export async function startDynamoDBLocal(): Promise<DynamoDBLocal> {
  await checkJava();
  const folder = await fetchDynamoDBLocal();
  // The port is required and not used: Loopback.java picks a free one.
  const options = ['-inMemory', '-disableTelemetry', '-port', '8000'];
  const child = spawn('java', [FIRST_COMPILER, '-cp', join(folder, '*'), here('Loopback.java'), ...options], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], DDB_LOCAL_TELEMETRY: '0' },
  });
  const port = await portOf(child);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const listening = new Promise<number>((resolve) => {
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      const port = /^Listening on port (\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, START_TIMEOUT_MS, 'late')));
  const outcome = await Promise.race([listening, late, once(child, 'exit').then(() => 'ended' as const)]);
  clearTimeout(timer);
  if (typeof outcome === 'number') return outcome;
  child.kill('SIGKILL');
  throw new Unavailable(`DynamoDB Local does not start: ${said.trim().split('\n')[0] ?? outcome}`);
}
