import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestEngine } from '../../../tests/support/sqlite-engine.ts';
import { Database } from './database.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'sqlite-engine-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const Item = { pk: 'a', sk: 'x', bytes: Buffer.from('abc') };

test('a file that is closed and opened again has its tables and items', async () => {
  const file = join(folder, 'a.sqlite');
  const first = await openTestEngine(file);
  await first.call('PutItem', { Item });
  await first.engine.close();
  const second = await openTestEngine(file);
  expect(await second.call('GetItem', { Key: { pk: 'a', sk: 'x' } })).toEqual({ Item });
  expect(await second.call('DescribeTable', {})).toEqual({ Table: { TableName: 't', TableStatus: 'ACTIVE' } });
  await second.engine.close();
});

test('a closed engine refuses calls, and closing may be repeated', async () => {
  const { engine, call } = await openTestEngine();
  const waiting = call('PutItem', { Item });
  await engine.close();
  await engine.close();
  await expect(waiting).rejects.toThrow('the engine is closed');
  await expect(call('GetItem', { Key: { pk: 'a', sk: 'x' } })).rejects.toMatchObject({ status: 500 });
});

test('writes and later reads are answered once the disk has them', async () => {
  const { engine, call } = await openTestEngine(join(folder, 'a.sqlite'));
  let sync: (() => void) | undefined;
  const synced = new Promise<void>((resolve) => (sync = resolve));
  const durable = jest.spyOn(Database.prototype, 'durable').mockImplementation(() => synced);
  const answered: string[] = [];
  const write = call('PutItem', { Item }).then(() => answered.push('write'));
  const read = call('GetItem', { Key: { pk: 'a', sk: 'x' } }).then(() => answered.push('read'));
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  expect(answered).toEqual([]);
  sync?.();
  await Promise.all([write, read]);
  expect(answered).toEqual(['write', 'read']);
  durable.mockRestore();
  await engine.close();
});
