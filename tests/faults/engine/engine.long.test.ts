/** The embedded engine when its process is killed, the power is lost, or a call of the system fails. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inFull, testSeed } from '../../../shared/testing/extent.ts';
import { Random } from '../../consistency/random.ts';
import { onLinux } from '../../support/on-linux.ts';
import { databaseAfter } from './database-after.ts';
import { losePower, readTrace } from './power.ts';

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'engine-faults-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const database = () => join(folder, 'a.sqlite');

/** The lines that a writer has printed, without an unfinished one. */
function linesOf(child: ChildProcess): () => string[] {
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () =>
    text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(1, -1);
}

test(`kill -9 at any moment loses no acknowledged write, and leaves no partial transaction (TEST_SEED=${testSeed})`, async () => {
  const random = new Random(testSeed);
  const acknowledged: string[] = [];
  for (let round = 0; round < inFull(20, 3); round += 1) {
    const child = spawn(process.execPath, [WRITER, database(), String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = linesOf(child);
    await once(child.stdout, 'data');
    await delay(100 + random.below(500));
    child.kill('SIGKILL');
    await once(child, 'close');
    acknowledged.push(...lines());
    expect(await databaseAfter(database(), acknowledged)).toEqual({ integrity: 'ok', lost: [], halves: [] });
  }
  expect(acknowledged.length).toBeGreaterThan(100);
  // The control: a write that was not made is found missing.
  expect((await databaseAfter(database(), ['0-999999'])).lost).toEqual(['0-999999']);
}, 300_000);

/** Runs a writer to its end under strace. @returns the file of the trace. */
async function traced(count: number, control: boolean): Promise<string> {
  const trace = join(folder, 'trace');
  const calls = 'openat,close,pwrite64,write,ftruncate,fsync,fdatasync,unlink,rename';
  const strace = ['-f', '-xx', '-s', '1000000', '-e', `trace=${calls}`, '-e', 'signal=none', '-o', trace];
  const args = [process.execPath, WRITER, database(), '0', String(count), ...(control ? ['control'] : [])];
  await run('strace', [...strace, ...args], { maxBuffer: 1 << 26 });
  return trace;
}

describe('loss of power', () => {
  /** Losses at moments spread over the writes: all that was not synced is lost, or a random part of it. */
  async function losses(control: boolean): Promise<{ lost: number; damaged: number; acknowledged: number }> {
    const trace = readTrace(await readFile(await traced(inFull(600, 150), control), 'utf8'), database());
    const random = new Random(testSeed);
    let [lost, damaged] = [0, 0];
    const rounds = inFull(60, 9);
    for (let round = 0; round < rounds; round += 1) {
      const file = join(folder, `after ${round}`);
      const keep = [0, 0.5, 0.95][round % 3]!;
      const acknowledged = await losePower(trace, {
        at: (round + 0.5) / rounds,
        keep,
        random,
        to: file,
        from: database(),
      });
      const after = await databaseAfter(file, acknowledged);
      lost += after.lost.length;
      if (after.integrity !== 'ok' || after.halves.length > 0) damaged += 1;
    }
    return { lost, damaged, acknowledged: trace.acknowledgements };
  }

  onLinux('at any moment loses no acknowledged write and damages nothing', async () => {
    const { lost, damaged, acknowledged } = await losses(false);
    expect([lost, damaged]).toEqual([0, 0]);
    expect(acknowledged).toBeGreaterThan(100);
  });

  onLinux('is simulated so that writes which are acknowledged before their sync are lost', async () => {
    expect((await losses(true)).lost).toBeGreaterThan(0);
  });
});

describe('a failing system call on database files', () => {
  const WRITES = '20';
  const errors: Readonly<Record<string, readonly string[]>> = {
    ...{ openat: ['EIO', 'ENOSPC', 'EMFILE'], pwrite64: ['EIO', 'ENOSPC'], ftruncate: ['EIO', 'ENOSPC'] },
    ...{ fdatasync: ['EIO', 'ENOSPC'], fsync: ['EIO', 'ENOSPC'], mmap: ['ENOMEM'], fcntl: ['EIO'] },
  };

  /** Runs a writer under strace. @param more options of strace. @returns its lines, also of a writer that failed. */
  async function write(file: string, more: readonly string[]): Promise<string[]> {
    const ofDatabase = ['', '-wal', '-shm', '-journal'].flatMap((end) => ['-P', `${file}${end}`]);
    const args = ['-f', ...ofDatabase, '-P', folder, ...more, process.execPath, WRITER, file, '0', WRITES];
    const { stdout } = await run('strace', args, { maxBuffer: 1 << 26 }).catch(
      (failed: unknown) => failed as { stdout: string },
    );
    return stdout.trim().split('\n');
  }

  /** How many times a writer calls each of the system's functions. */
  async function countCalls(): Promise<Map<string, number>> {
    const trace = join(folder, 'calls');
    await write(join(folder, 'counted'), ['-o', trace]);
    const counts = new Map<string, number>();
    for (const [, name = ''] of (await readFile(trace, 'utf8')).matchAll(/^\d+ +(\w+)\(/gm))
      counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  }

  /** Locks are taken and given back around each statement: every tenth call of `fcntl` stands for the others. */
  const occurrences = (call: string, count: number) =>
    Array.from({ length: count }, (_, index) => index + 1).filter((when) =>
      inFull(call !== 'fcntl' || when % 10 === 0, when === 2 || when === count - 1),
    );

  onLinux(
    'whichever it is, loses no acknowledged write and leaves no part of a transaction',
    async () => {
      const injections = [...(await countCalls())].flatMap(([call, count]) =>
        (errors[call] ?? ['EIO']).flatMap((error) =>
          occurrences(call, count).map((when) => ({
            call,
            error,
            when,
            file: join(folder, `${call} ${error} ${when}`),
          })),
        ),
      );
      const refused = new Set<string>();
      for (const { call, error, when, file } of injections) {
        const inject = ['-o', '/dev/null', '-e', `inject=${call}:error=${error}:when=${when}`];
        const lines = await write(file, inject);
        const acknowledged = lines.filter((line) => /^0-\d+$/.test(line));
        if (acknowledged.length < Number(WRITES)) refused.add(call);
        const after = await databaseAfter(file, acknowledged);
        expect([call, error, when, after]).toEqual([call, error, when, { integrity: 'ok', lost: [], halves: [] }]);
      }
      // The control: the errors reach the engine.
      expect([...refused]).toEqual(expect.arrayContaining(['openat', 'pwrite64', 'fdatasync']));
    },
    900_000,
  );
});
