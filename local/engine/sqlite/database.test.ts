import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDbError } from '../../../shared/db/table-errors.ts';
import { Database } from './database.ts';

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-'));
  database = new Database(join(folder, 'a.sqlite'));
  database.exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY) STRICT');
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const add = (number: number) => database.run('INSERT INTO numbers VALUES (?)', number);
const numbers = () => database.all('SELECT number FROM numbers ORDER BY number').map(([number]) => number);

test('a transaction makes all of its writes, or none', () => {
  database.transaction(() => [1, 2].map(add));
  expect(() => database.transaction(() => [3, 1].map(add))).toThrow(DynamoDbError);
  expect(numbers()).toEqual([1, 2]);
});

test('rows are read up to the requested number', () => {
  database.transaction(() => [1, 2, 3].map(add));
  const taken: unknown[] = [];
  database.each('SELECT number FROM numbers ORDER BY number', [], ([number]) => taken.push(number) < 2);
  expect(taken).toEqual([1, 2]);
  expect(database.get('SELECT number FROM numbers WHERE number = ?', 4)).toBeUndefined();
});

test('a write is durable after a sync, which serves all waiting writes', async () => {
  expect(database.isDurable).toBe(true);
  database.transaction(() => add(1));
  expect(database.isDurable).toBe(false);
  const first = database.durable();
  database.transaction(() => add(2));
  const second = [database.durable(), database.durable()];
  await first;
  // The sync may have begun before the second write.
  expect(database.isDurable).toBe(false);
  await Promise.all(second);
  expect(database.isDurable).toBe(true);
});

test('in memory every write is durable', async () => {
  const inMemory = new Database();
  inMemory.exec('CREATE TABLE numbers (number INTEGER) STRICT');
  inMemory.transaction(() => inMemory.run('INSERT INTO numbers VALUES (1)'));
  expect(inMemory.isDurable).toBe(true);
  await inMemory.close();
});

test('an SQLite error is an engine error with its text', () => {
  expect(() => database.all('SELECT * FROM missing')).toThrow(
    expect.objectContaining({ name: 'InternalServerError', status: 500, message: 'no such table: missing' }),
  );
});

test('the data is stored after the file is closed and opened again', async () => {
  database.transaction(() => add(7));
  await database.close();
  database = new Database(join(folder, 'a.sqlite'));
  expect(numbers()).toEqual([7]);
});
