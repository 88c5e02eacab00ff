import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { apiKeyItemKey } from '../../../functions/store/table/keys.ts';
import { hashApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import type { Item } from '../../../shared/db/item.ts';
import { type RecordedFolder, recordedVersions, unpackDataFolder } from '../../../tests/support/data-folder.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { StartFailure } from '../../process/failure.ts';
import { SqliteEngine } from '../sqlite/engine.ts';
import { recordFormat } from '../folder-format.ts';
import { conversionLine } from '../embedded-engine.ts';
import { convertFormat1, type LeftOut } from './convert.ts';

const TABLE = 'monitoring-inventory';

let folder: string;
let file: string;
let recorded: RecordedFolder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convert-'));
  file = join(folder, 'inventory.sqlite');
  recorded = await unpackDataFolder('8ebed6a4', folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The folders have a session: its secret, its place in the list, and the mark of the password. */
const itemsIn = ({ sessions, others }: LeftOut) => others + 3 * sessions;

const convert = (claim = () => recordFormat(folder)) => convertFormat1(file, claim);

/** Changes the database as any other program could. */
function alter(sql: string, ...values: string[]): void {
  const database = new DatabaseSync(file);
  database.prepare(sql).run(...values);
  database.close();
}

async function itemsAfter(): Promise<Item[]> {
  const engine = new SqliteEngine(file);
  const { Items = [] } = await engine.call({ operation: 'Scan', input: { TableName: TABLE } });
  await engine.close();
  return Items;
}

const secretOf = (items: readonly Item[], name: keyof RecordedFolder['keys']) =>
  items.find(({ pk }) => pk === apiKeyItemKey(hashApiKeySecret(recorded.keys[name])).pk);

function oldItems(): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS items FROM "${TABLE}"`).get();
  database.close();
  return Number(row?.['items']);
}

test.each(recordedVersions)(
  'the database of %s keeps all items except those that the service did not write',
  async (version) => {
    recorded = await unpackDataFolder(version, folder);
    const before = oldItems();
    const leftOut = (await convert())!;
    const items = await itemsAfter();
    expect(items).toHaveLength(before - itemsIn(leftOut));
    expect(['admin', 'viewer'].map((name) => secretOf(items, name as never)?.['role'])).toEqual(['Admin', 'Viewer']);
    for (const name of ['removed', 'raised', 'copied'] as const) expect(secretOf(items, name)).toBeUndefined();
    expect(items.filter((item) => 'seal' in item)).toEqual([]);
    // `removed`, `raised` and `copied` were put into the database; the session is of a version that did not seal it.
    expect(leftOut).toEqual({ sessions: 1, others: 3 });
    expect(conversionLine('db', leftOut)).toMatch(
      /The sessions of the earlier version \(1\) have ended: log in again\. 3 items/,
    );
  },
);

test('the old database is kept beside the new one, and both are readable by their owner only', async () => {
  const before = oldItems();
  await convert();
  expect((await readdir(folder)).sort()).toEqual([
    'format',
    'inventory.sqlite',
    'inventory.sqlite.format-1',
    'seal.key',
  ]);
  for (const name of ['inventory.sqlite', 'inventory.sqlite.format-1'])
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  file = join(folder, 'inventory.sqlite.format-1');
  expect(oldItems()).toBe(before);
});

test('a converted database is not converted again, also after an older version tried to open it', async () => {
  await convert();
  const items = await itemsAfter();
  expect(await convert()).toBeUndefined();
  alter('CREATE TABLE _tables (table_name TEXT, key_schema TEXT, gsi_definitions TEXT)');
  expect(await convert()).toBeUndefined();
  expect(await itemsAfter()).toEqual(items);
});

test('an item with another seal, or without one, is omitted, whatever it grants', async () => {
  const pks = ['S:ACCOUNT#admin', 'S:API_KEYS', 'S:ENROLMENT_TOKENS'];
  const before = (await convert())!;
  await rm(file);
  await unpackDataFolder('8ebed6a4', folder);
  for (const pk of pks)
    alter(
      `UPDATE "${TABLE}" SET item_json = replace(item_json, '"seal":{"S":"', '"seal":{"S":"x') WHERE pk = ? AND item_json LIKE '%"seal"%'`,
      pk,
    );
  expect((await convert())!.others).toBeGreaterThan(before.others + pks.length);
  const items = await itemsAfter();
  expect(items.filter(({ pk }) => pk === 'ACCOUNT#admin')).toEqual([]);
  // A secret whose key is in no list could not be removed.
  expect(secretOf(items, 'admin')).toBeUndefined();
});

test('without a seal.key all items are kept, as before', async () => {
  await rm(join(folder, 'seal.key'));
  const before = oldItems();
  expect(await convert()).toEqual({ sessions: 0, others: 0 });
  const items = await itemsAfter();
  expect(items).toHaveLength(before);
  expect(secretOf(items, 'raised')?.['role']).toBe('Admin');
});

test('a damaged seal.key is refused with the file, and the old database stays', async () => {
  await writeFile(join(folder, 'seal.key'), 'x');
  const before = oldItems();
  await expect(convert()).rejects.toThrow(StartFailure);
  await expect(convert()).rejects.toThrow(join(folder, 'seal.key'));
  expect(oldItems()).toBe(before);
});

test('while an older engine uses the database, the conversion waits and then refuses', async () => {
  const other = new DatabaseSync(file);
  other.exec(`PRAGMA journal_mode = WAL; BEGIN; SELECT count(*) FROM "${TABLE}"`);
  other.exec(`DELETE FROM "${TABLE}" WHERE pk = 'x'`);
  const monotonic = manualClock();
  const start = () => convertFormat1(file, () => recordFormat(folder), { monotonic });
  await expect(monotonic.passUntil(start())).rejects.toThrow(`Another process has opened ${file}`);
  const waiting = start();
  await monotonic.untilWaiting(100);
  other.close();
  expect((await monotonic.passUntil(waiting))!.others).toBeGreaterThan(0);
});

test("the old database's log is converted too", async () => {
  const before = oldItems();
  // Copied while it is open: after a kill the log is left over.
  const open = new DatabaseSync(file);
  open.exec(
    `PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; DELETE FROM "${TABLE}" WHERE pk = 'S:NODE_NAME#node 0 ä'`,
  );
  const [main, log] = [await readFile(file), await readFile(`${file}-wal`)];
  open.close();
  await writeFile(file, main);
  await writeFile(`${file}-wal`, log);
  const leftOut = (await convert())!;
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(await itemsAfter()).toHaveLength(before - 1 - itemsIn(leftOut));
});

test('a conversion that fails at its end keeps the old database, and the next one succeeds', async () => {
  const before = oldItems();
  await expect(convert(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  expect(oldItems()).toBe(before);
  const leftOut = (await convert())!;
  expect(await itemsAfter()).toHaveLength(before - itemsIn(leftOut));
});
