import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/db/table.ts';
import type { Engine } from './engine-type.ts';
import { startEngine } from './engine.ts';
import { DynamoDbError } from '../../shared/db/table-errors.ts';
import { type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { watchStorage } from './storage.ts';
import { ensureTable } from './table.ts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine({ environment: process.env })));
afterAll(() => engine.stop());

let folder: string;
let table: Table;
let clock: ManualClock;
let commands: string[];
/** Before the reply of the engine is used. */
let afterCall: () => Promise<void>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'));
  const bare = engine.open(`inventory-${randomUUID()}`);
  await ensureTable(bare);
  commands = [];
  // Beneath the layer that is tested.
  bare.client.use((next) => async (call) => {
    commands.push(call.operation);
    const output = await next(call);
    await afterCall();
    return output;
  });
  afterCall = () => Promise.resolve();
  clock = manualClock();
  table = watchStorage({ ...bare, monotonic: clock }, folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const check = async () => table.check?.();
const read = () => table.client.send(new GetCommand({ TableName: table.name, Key: { pk: 'a', sk: 'a' } }));

const write = () => table.client.send(new PutCommand({ TableName: table.name, Item: { pk: 'a', sk: 'a' } }));

test('many simultaneous checks write the table once, and a second later once more', async () => {
  await Promise.all(Array.from({ length: 50 }, check));
  expect(commands).toEqual(['PutItem']);
  clock.advance(1100);
  await Promise.all(Array.from({ length: 50 }, check));
  expect(commands).toEqual(['PutItem', 'PutItem']);
});

test.each(['inventory.sqlite', 'inventory.sqlite-wal'])(
  'without %s, or with another file in its place, writes and later reads do not reach the engine until the file is back',
  async (name) => {
    const file = join(folder, name);
    await writeFile(file, 'x');
    await write();
    await rename(file, `${file}.moved`);
    commands = [];
    await expect(write()).rejects.toThrow('removed or replaced');
    await expect(read()).rejects.toThrow('removed or replaced');
    await writeFile(file, 'x');
    await expect(read()).rejects.toThrow('removed or replaced');
    expect(commands).toEqual([]);
    await rename(`${file}.moved`, file);
    await read();
  },
);

test('a write during which the file is removed is not acknowledged', async () => {
  const file = join(folder, 'inventory.sqlite');
  await writeFile(file, 'x');
  await write();
  afterCall = () => rm(file);
  await expect(write()).rejects.toThrow('removed or replaced');
});

test('a fault ends with a successful check, and the next one is noticed at once', async () => {
  const full = () =>
    Promise.reject(new DynamoDbError('InternalServerError', { message: 'database or disk is full', status: 500 }));
  for (let times = 0; times < 2; times += 1) {
    afterCall = full;
    await expect(write()).rejects.toThrow('The disk of the data folder is full.');
    afterCall = () => Promise.resolve();
    commands = [];
    await check();
    // As much as the largest transaction.
    expect(commands).toHaveLength(11);
  }
});
