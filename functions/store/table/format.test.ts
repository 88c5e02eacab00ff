import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { startEngine } from '../../../local/engine/engine.ts';
import { ensureTable } from '../../../local/engine/table.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import { claimTableFormat, formatCheckedFirst, TableFormatError } from './format.ts';
import { formatKey, summaryKey, TABLE_FORMAT } from './keys.ts';
import { readItem } from './read.ts';
import { useInventory } from '../../../tests/support/fixtures.ts';
import { functionEnvironment } from '../../../tests/support/function-environment.ts';

const inventory = useInventory();

async function format() {
  const { client, name } = inventory.table;
  return (await client.send(new GetCommand({ TableName: name, Key: formatKey }))).Item?.['format'];
}

test('a table gets a format and keeps it or gets a newer one, and an older version is refused with one sentence', async () => {
  const { table } = inventory;
  for (const version of [1, 1, 2, 10]) {
    await claimTableFormat(table, version);
    expect(await format()).toBe(version);
  }
  for (const version of [1, 9]) {
    const refused = claimTableFormat(table, version);
    await expect(refused).rejects.toThrow(TableFormatError);
    await expect(refused).rejects.toThrow(`The table has format 10, and this version reads formats up to ${version}.`);
    expect(await format()).toBe(10);
  }
});

test('another failure is not a refusal', async () => {
  const failure = new Error('no table');
  const client = { send: () => Promise.reject(failure) } as never;
  await expect(claimTableFormat({ name: 'x', client })).rejects.toBe(failure);
});

describe('a process', () => {
  const operations: string[] = [];

  /** A table as a process opens it; its calls are recorded. */
  async function opened() {
    const engine = await startEngine({ environment: process.env });
    const table = engine.open(`format-${randomUUID()}`);
    await ensureTable(table);
    table.client.use((next) => (call) => {
      operations.push(call.operation);
      return next(call);
    });
    return { engine, table: formatCheckedFirst(table) };
  }

  beforeEach(() => operations.splice(0));

  test('checks the format with one read before its first call, and never again', async () => {
    const { engine, table } = await opened();
    await Promise.all([1, 2, 3].map(() => readItem(table, summaryKey)));
    await readItem(table, summaryKey);
    expect(operations).toEqual(Array.from({ length: 5 }, () => 'GetItem'));
    await engine.stop();
  });

  test('cannot read or write a table with a newer format, until that is mended', async () => {
    const { engine, table } = await opened();
    const old = { ...table, client: engine.open(table.name).client };
    await claimTableFormat(old, TABLE_FORMAT + 1);
    await expect(readItem(table, summaryKey)).rejects.toThrow(TableFormatError);
    const write = () => writeItem(table, { put: { ...summaryKey, seen: true } });
    await expect(write()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await readItem(old, summaryKey)).toBeUndefined();
    await writeItem(old, { put: { ...formatKey, format: TABLE_FORMAT } });
    await write();
    expect(await readItem(table, summaryKey)).toMatchObject({ seen: true });
    await engine.stop();
  });

  test('checks again with the next call when the format cannot be read', async () => {
    const { engine, table } = await opened();
    const old = { ...table, client: engine.open(table.name).client };
    await claimTableFormat(old, TABLE_FORMAT + 1);
    let isRefused = true;
    const layered = engine.open(table.name);
    layered.client.use((next) => (call) => {
      const isFormat = JSON.stringify(call.input).includes(formatKey.pk);
      return isFormat && isRefused ? Promise.reject(new Error('AccessDeniedException')) : next(call);
    });
    const checkedTable = formatCheckedFirst(layered);
    expect(await readItem(checkedTable, summaryKey)).toBeUndefined();
    isRefused = false;
    await expect(readItem(checkedTable, summaryKey)).rejects.toThrow(TableFormatError);
    await engine.stop();
  });

  test('of a cloud function checks it', async () => {
    const { table } = inventory;
    await claimTableFormat(table, TABLE_FORMAT + 10);
    const savedEnv = { ...process.env };
    Object.assign(process.env, await functionEnvironment(inventory));
    // Another instance of the module: it keeps the dependencies of its process.
    const path = '../../runtime/dependencies.ts?of-this-test';
    const { createDependencies } = (await import(path)) as { createDependencies: () => Dependencies };
    const opened = createDependencies().table;
    process.env = savedEnv;
    await expect(readItem(opened, summaryKey)).rejects.toThrow('and this version reads formats up to');
    opened.client.destroy();
  });
});
