import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { startEngine } from '../../local/engine/engine.ts';
import type { Engine } from '../../local/engine/engine-type.ts';
import { ensureTable } from '../../local/engine/table.ts';
import type { Table } from '../../shared/db/table.ts';
import { itemBytes } from './item-size.ts';
import { type Meter, meter } from './meter.ts';

/*
 * The stated costs are what the embedded engine charges, so it must charge as DynamoDB does. Rules:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html (sizes, rounding, transactions)
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations (indexes)
 */

let engine: Engine;
let table: Table;
let count: Meter;

beforeAll(async () => {
  engine = await startEngine({ environment: process.env });
  table = engine.open(`capacity-${randomUUID()}`);
  await ensureTable(table);
  count = meter(table);
});

afterAll(() => engine.stop());

const name = () => ({ TableName: table.name });

/** An item of exactly this size in bytes: names and values in UTF-8, as DynamoDB counts them. */
function itemOf(bytes: number, attributes: Record<string, string> = {}): Record<string, string> {
  const item = { pk: randomUUID(), sk: 'x', ...attributes, filling: '' };
  const used = Object.entries(item).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0);
  return { ...item, filling: 'x'.repeat(bytes - used) };
}

const keyOf = ({ pk, sk }: Record<string, string>) => ({ pk, sk });

async function stored(item: Record<string, string>): Promise<Record<string, string>> {
  await table.client.send(new PutCommand({ ...name(), Item: item }));
  return item;
}

async function unitsOf(work: () => Promise<unknown>): Promise<number> {
  const calls = await count.during(() => work().catch(() => undefined));
  expect(calls).toHaveLength(1);
  return calls[0]!.units;
}

const KIB = 1024;

test.each([
  [1, 'of one byte less than 1 KiB', KIB - 1],
  [1, 'of 1 KiB', KIB],
  [2, 'of one byte more', KIB + 1],
  [10, 'of 10 KiB', 10 * KIB],
])('a put costs %d units for an item %s', async (units, _, bytes) => {
  expect(await unitsOf(() => stored(itemOf(bytes)))).toBe(units);
});

test('an item with values of all types has its computed size', async () => {
  const values = {
    text: 'zwölf',
    flag: true,
    none: null,
    list: ['a', 1, null],
    map: { of: { bytes: Buffer.from('abc') } },
  };
  const numbers = { time: 1_700_000_000_123, port: 9104 };
  const item = { pk: randomUUID(), sk: 'x', ...values, ...numbers, filling: '' };
  const filled = (bytes: number) => ({ ...item, filling: 'x'.repeat(bytes - itemBytes(item)) });
  const unitsFor = (bytes: number) =>
    unitsOf(() => table.client.send(new PutCommand({ ...name(), Item: filled(bytes) })));
  expect([await unitsFor(KIB), await unitsFor(KIB + 1)]).toEqual([1, 2]);
});

test('of a refused write the meter counts the stored item, and each transaction item twice', async () => {
  const present = await stored(itemOf(KIB + 1));
  const absent = {
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const refused = async (work: () => Promise<unknown>) => {
    const [call] = await count.during(() => work().catch(() => undefined));
    return [call!.units, call!.refusedUnits];
  };
  const update = { ...name(), Key: keyOf(present), UpdateExpression: 'SET filling = sk', ...absent };
  expect(await refused(() => table.client.send(new UpdateCommand(update)))).toEqual([0, 2]);
  const TransactItems = [present, itemOf(3 * KIB)].map((Item) => ({ Put: { ...name(), Item, ...absent } }));
  expect(await refused(() => table.client.send(new TransactWriteCommand({ TransactItems })))).toEqual([0, 10]);
});

test.each([
  [1, true, 4 * KIB],
  [2, true, 4 * KIB + 1],
  [0.5, false, 4 * KIB],
  [1, false, 4 * KIB + 1],
])('a get costs %d units (consistent: %s) for %d bytes', async (units, ConsistentRead, bytes) => {
  const Key = keyOf(await stored(itemOf(bytes)));
  expect(await unitsOf(() => table.client.send(new GetCommand({ ...name(), Key, ConsistentRead })))).toBe(units);
});

test('a get of a missing item costs as much as the smallest item', async () => {
  const Key = { pk: randomUUID(), sk: 'x' };
  expect(await unitsOf(() => table.client.send(new GetCommand({ ...name(), Key, ConsistentRead: true })))).toBe(1);
});

test('a batch of gets rounds up each item by itself', async () => {
  const items = await Promise.all([300, 300, 5 * KIB].map((bytes) => stored(itemOf(bytes))));
  const RequestItems = { [table.name]: { Keys: items.map(keyOf), ConsistentRead: true } };
  expect(await unitsOf(() => table.client.send(new BatchGetCommand({ RequestItems })))).toBe(4);
});

test('a query rounds up the sum, on an index too', async () => {
  const list = randomUUID();
  for (let index = 0; index < 30; index += 1)
    await stored(itemOf(300, { list_pk: list, list_sk: String(index).padStart(3, '0') }));
  const query = (Limit: number) => () =>
    table.client.send(
      new QueryCommand({
        ...name(),
        IndexName: 'by_name',
        KeyConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ':list': list },
        Limit,
      }),
    );
  // 300, 3,900, 4,200 and 9,000 bytes in units of half of 4,096 bytes.
  expect(await unitsOf(query(1))).toBe(0.5);
  expect(await unitsOf(query(13))).toBe(0.5);
  expect(await unitsOf(query(14))).toBe(1);
  expect(await unitsOf(query(30))).toBe(1.5);
});

test('an update costs the larger of the former and the new item', async () => {
  const item = await stored(itemOf(3 * KIB));
  const update = () =>
    table.client.send(
      new UpdateCommand({
        ...name(),
        Key: keyOf(item),
        UpdateExpression: 'SET filling = :less',
        ExpressionAttributeValues: { ':less': 'x' },
      }),
    );
  expect(await unitsOf(update)).toBe(3);
  expect(await unitsOf(update)).toBe(1);
});

test('a delete costs the item, or one unit for none', async () => {
  const item = await stored(itemOf(3 * KIB));
  const remove = () => table.client.send(new DeleteCommand({ ...name(), Key: keyOf(item) }));
  expect(await unitsOf(remove)).toBe(3);
  expect(await unitsOf(remove)).toBe(1);
});

test('a transaction costs twice the units of each item, also of a check', async () => {
  const [checked, updated, deleted] = await Promise.all([300, 300, 3 * KIB].map((bytes) => stored(itemOf(bytes))));
  const put = itemOf(2 * KIB);
  const present = 'attribute_exists(pk)';
  const TransactItems = [
    { ConditionCheck: { ...name(), Key: keyOf(checked!), ConditionExpression: present } },
    {
      Update: {
        ...name(),
        Key: keyOf(updated!),
        UpdateExpression: 'ADD many :one',
        ExpressionAttributeValues: { ':one': 1 },
      },
    },
    { Delete: { ...name(), Key: keyOf(deleted!) } },
    { Put: { ...name(), Item: put } },
  ];
  expect(await unitsOf(() => table.client.send(new TransactWriteCommand({ TransactItems })))).toBe(2 * (1 + 1 + 3 + 2));
});

test('an index entry costs its own write, once also in a transaction', async () => {
  const indexed = { list_pk: randomUUID(), list_sk: 'a', type_pk: randomUUID() };
  const item = itemOf(300, indexed);
  expect(await unitsOf(() => stored(item))).toBe(3);
  expect(await unitsOf(() => stored({ ...item, filling: 'y' }))).toBe(3);
  expect(await unitsOf(() => table.client.send(new DeleteCommand({ ...name(), Key: keyOf(item) })))).toBe(3);
  const TransactItems = [{ Put: { ...name(), Item: itemOf(300, indexed) } }];
  expect(await unitsOf(() => table.client.send(new TransactWriteCommand({ TransactItems })))).toBe(4);
});

test('a moved index entry costs two writes: a deletion and a put', async () => {
  const item = await stored(itemOf(300, { list_pk: randomUUID(), list_sk: 'a' }));
  expect(await unitsOf(() => stored({ ...item, list_sk: 'b' }))).toBe(3);
});
