import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount, putAccount } from '../../functions/store/credentials/accounts.ts';
import type { Table } from '../../shared/db/table.ts';
import { startEngine } from './engine.ts';
import type { Engine } from './engine-type.ts';
import { StartFailure } from '../process/failure.ts';
import { SEAL_KEY_FILE, sealTable } from './seal-key.ts';
import { ensureTable } from './table.ts';

let engine: Engine;
let folder: string;
beforeAll(async () => {
  engine = await startEngine({ environment: process.env });
  await ensureTable(open());
});
afterAll(() => engine.stop());
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'seal-key-test-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (): Table => engine.open('inventory');
const keyFile = () => join(folder, SEAL_KEY_FILE);

async function sealed(): Promise<Table> {
  const table = open();
  await sealTable(table, folder, () => undefined);
  return table;
}

const account = {
  name: 'admin',
  role: 'Admin' as const,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  password_hash: 'x',
};

test('items from before the first key are sealed with it, and no later ones', async () => {
  await putAccount(open(), account);
  expect(await findAccount(await sealed(), 'admin')).toEqual(account);
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  const key = await readFile(keyFile(), 'utf8');
  expect(await findAccount(await sealed(), 'admin')).toEqual(account);
  expect(await readFile(keyFile(), 'utf8')).toBe(key);
  await putAccount(open(), { ...account, password_hash: 'y' });
  expect(await findAccount(await sealed(), 'admin')).toBeUndefined();
});

/** The second one lacks the last byte. */
const damagedKeys = ['x', Buffer.alloc(31).toString('base64url')];

test.each(damagedKeys)('a damaged key is refused and left as it is, naming the file: %s', async (text) => {
  await writeFile(keyFile(), text);
  const failure = await sealed().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartFailure);
  expect(String(failure)).toContain(keyFile());
  expect(await readFile(keyFile(), 'utf8')).toBe(text);
});

test('a key that cannot be read is refused', async () => {
  // A folder instead of the file, because root can read a file with any mode.
  await mkdir(keyFile());
  const message = `Cannot read ${keyFile()} (EISDIR). Correct its owner and its mode.`;
  await expect(sealed()).rejects.toMatchObject({ name: 'StartFailure', message });
});
