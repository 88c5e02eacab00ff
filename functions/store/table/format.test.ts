import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { claimTableFormat, TableFormatError } from './format.ts';
import { formatKey } from './keys.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

async function format() {
  const { client, name } = inventory.table;
  return (await client.send(new GetCommand({ TableName: name, Key: formatKey }))).Item?.['format'];
}

test('a table gets a format, keeps it, and gets that of a newer version; an older version is refused with one sentence, and the format stays', async () => {
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
