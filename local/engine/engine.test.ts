import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemAt, putItem } from '../../tests/support/table.ts';
import { type EngineServer, serveEngine } from '../../tests/support/engine-http.ts';
import { StartFailure } from '../process/failure.ts';
import type { Engine } from './engine-type.ts';
import { startEngine } from './engine.ts';
import { ensureTable } from './table.ts';

let home: string;
let started: Engine[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'engine-test-'));
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((engine) => engine.stop()));
  await rm(home, { recursive: true, force: true });
});

async function start(dataDir?: string, environment: NodeJS.ProcessEnv = {}): Promise<Engine> {
  const engine = await startEngine({ dataDir, environment });
  started.push(engine);
  return engine;
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(StartFailure);
  const { message } = error as StartFailure;
  expect(message).not.toContain('\n');
  return message;
}

const key = (pk: string) => ({ pk, sk: 'x' });
const addTable = (engine: Engine) => ensureTable(engine.open('things'));
const put = (engine: Engine, pk: string) => putItem(engine.open('things'), key(pk));
const has = async (engine: Engine, pk: string) => (await itemAt(engine.open('things'), key(pk))) !== undefined;

describe('an embedded engine', () => {
  test('serves its tables until it is stopped, also repeatedly', async () => {
    const engine = await start();
    await addTable(engine);
    await put(engine, 'a');
    expect(await has(engine, 'a')).toBe(true);
    await engine.stop();
    await engine.stop();
    await expect(has(engine, 'a')).rejects.toMatchObject({ cause: { message: 'the engine is closed' } });
  });

  test('listens on no port, so that no browser page reaches it', async () => {
    const listening = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length;
    const before = listening();
    const engine = await start(home);
    await addTable(engine);
    expect(listening()).toBe(before);
  });

  test('keeps its data across a stop, in files that only their owner can read', async () => {
    const dataDir = join(home, 'not', 'there yet');
    const first = await start(dataDir);
    await addTable(first);
    await put(first, 'a');
    const modes = ['inventory.sqlite', 'inventory.sqlite-wal', 'inventory.sqlite-shm'].map(
      async (name) => (await stat(join(dataDir, name))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o600]);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    await first.stop();
    const second = await start(dataDir);
    expect(await has(second, 'a')).toBe(true);
  });

  test('in memory has separate tables', async () => {
    const [first, other] = [await start(), await start()];
    await addTable(first);
    await addTable(other);
    await put(first, 'a');
    expect([await has(first, 'a'), await has(other, 'a')]).toEqual([true, false]);
  });

  test('that finds another kind of file is refused, with the file', async () => {
    await writeFile(join(home, 'inventory.sqlite'), 'not a database '.repeat(100));
    expect(await refusal(start(home))).toContain(join(home, 'inventory.sqlite'));
  });
});

describe('DYNAMODB_ENDPOINT', () => {
  let server: EngineServer | undefined;
  afterEach(() => server?.stop());

  test('is used instead of an embedded engine, and a stop does not affect it', async () => {
    const theirs = await start();
    server = await serveEngine(theirs);
    const engine = await start(join(home, 'unused'), { DYNAMODB_ENDPOINT: `${server.endpoint}/` });
    expect(engine.embedded).toBeUndefined();
    await addTable(engine);
    await put(engine, 'a');
    await engine.stop();
    expect(await has(theirs, 'a')).toBe(true);
    await expect(stat(join(home, 'unused'))).rejects.toThrow('ENOENT');
  });

  test('that is no URL is refused with the variable', async () => {
    for (const endpoint of ['localhost:8000', 'ftp://127.0.0.1', ' '])
      expect(await refusal(start(undefined, { DYNAMODB_ENDPOINT: endpoint }))).toContain('DYNAMODB_ENDPOINT');
  });
});

describe('the data folder', () => {
  test('is released when its server stops', async () => {
    const first = await start(home);
    await addTable(first);
    await first.stop();
    await start(home);
  });

  test('belongs to exactly one of many simultaneous servers', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => start(home)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  test('is released when the engine does not start', async () => {
    const file = join(home, 'inventory.sqlite');
    await writeFile(file, 'not a database '.repeat(100));
    await refusal(start(home));
    await rm(file);
    await start(home);
  });

  test('that cannot be made, or is a file, is refused with DATA_DIR', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    const nowhere = join(home, 'link to nowhere');
    await symlink(join(home, 'nowhere'), nowhere);
    for (const dataDir of [file, join(file, 'below', 'it'), nowhere, join(nowhere, 'below'), '/proc/nowhere/below']) {
      const message = await refusal(start(dataDir));
      expect(message).toContain(dataDir);
      expect(message).toContain('DATA_DIR');
    }
  });
});
