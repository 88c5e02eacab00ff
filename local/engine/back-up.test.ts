import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from '../../shared/db/table.ts';
import { itemAt, putItem } from '../../tests/support/table.ts';
import { StartFailure } from '../process/failure.ts';
import { backUp } from './back-up.ts';
import type { Engine } from './engine-type.ts';
import { startEngine } from './engine.ts';
import { ensureTable } from './table.ts';

let home: string;
let engine: Engine;
let table: Table;
const dataDir = () => join(home, 'data');
const target = () => join(home, 'backup');

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'back-up-'));
  engine = await startEngine({ dataDir: dataDir(), environment: {} });
  table = engine.open('t');
  await ensureTable(table);
});
afterEach(async () => {
  await engine.stop();
  await rm(home, { recursive: true, force: true });
});

test('a backup of a running server is a data folder of one moment, which a server can use', async () => {
  await writeFile(join(dataDir(), 'tls-key.pem'), 'key', { mode: 0o600 });
  let written = 0;
  const backup = { isOver: false };
  const writer = (async () => {
    // Transactions of one number in two items, the number always higher.
    while (written < 20 || !backup.isOver) {
      written += 1;
      await table.client.send({
        constructor: { name: 'TransactWriteItems' },
        schema: [0, 0, 'TransactWriteItems'],
        input: { TransactItems: ['a', 'b'].map((pk) => ({ Put: { TableName: 't', Item: { pk, sk: 'x', written } } })) },
      } as never);
    }
  })();
  while (written < 5) await new Promise((resolve) => setImmediate(resolve));
  const before = written - 1;
  await backUp(dataDir(), target());
  backup.isOver = true;
  await writer;
  expect((await readdir(home)).sort()).toEqual(['backup', 'data']);
  expect((await readdir(target())).sort()).toEqual(['inventory.sqlite', 'tls-key.pem']);
  expect(await readFile(join(target(), 'tls-key.pem'), 'utf8')).toBe('key');
  expect((await stat(join(target(), 'tls-key.pem'))).mode & 0o777).toBe(0o600);
  const copy = await startEngine({ dataDir: target(), environment: {} });
  const [a, b] = [
    await itemAt(copy.open('t'), { pk: 'a', sk: 'x' }),
    await itemAt(copy.open('t'), { pk: 'b', sk: 'x' }),
  ];
  expect(a?.['written']).toBe(b?.['written']);
  expect(Number(a?.['written'])).toBeGreaterThanOrEqual(before);
  await copy.stop();
});

test('a backup of a stopped server has all of its writes', async () => {
  await putItem(table, { pk: 'a', sk: 'x', kept: true });
  await engine.stop();
  await backUp(dataDir(), target());
  engine = await startEngine({ dataDir: target(), environment: {} });
  expect(await itemAt(engine.open('t'), { pk: 'a', sk: 'x' })).toMatchObject({ kept: true });
});

test('an existing folder is unchanged, and a folder without a database is refused', async () => {
  await mkdir(target());
  await expect(backUp(dataDir(), target())).rejects.toThrow(`${target()} exists`);
  expect(await readdir(target())).toEqual([]);
  await expect(backUp(home, join(home, 'other'))).rejects.toThrow('contains no database');
  await expect(backUp(home, join(home, 'other'))).rejects.toThrow(StartFailure);
  expect((await readdir(home)).sort()).toEqual(['backup', 'data']);
});
