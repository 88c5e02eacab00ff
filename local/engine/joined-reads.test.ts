import { manualClock } from '../../tests/support/manual-clock.ts';
import { randomUUID } from 'node:crypto';
import { inTime } from '../../shared/core/deadline.ts';
import fc from '../../shared/testing/fast-check.ts';
import { BatchGetCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/db/table.ts';
import type { Engine } from './engine-type.ts';
import { startEngine } from './engine.ts';
import { joinReads } from './joined-reads.ts';
import type { Output } from '../../shared/db/client.ts';
import { DynamoDbError } from '../../shared/db/table-errors.ts';
import { ensureTable } from './table.ts';

let engine: Engine;
let table: Table;
let calls: string[];
/** Changes a reply of the engine. */
let replyOf = (output: Output) => output;
beforeAll(async () => {
  engine = await startEngine({ environment: process.env });
  table = engine.open(`inventory-${randomUUID()}`);
  await ensureTable(table);
  for (const name of ['a', 'b', 'c']) await put(name, 1);
  // Beneath the layer that is tested.
  table.client.use((next) => async (call) => {
    calls.push(call.operation);
    return replyOf(await next(call));
  });
  joinReads(table);
});
afterAll(() => engine.stop());
beforeEach(() => (calls = []));

const keyOf = (name: string) => ({ pk: name, sk: 'x' });
const put = (name: string, value: number) =>
  table.client.send(new PutCommand({ TableName: table.name, Item: { ...keyOf(name), value } }));
const getting = (name: string) => new GetCommand({ TableName: table.name, Key: keyOf(name), ConsistentRead: true });
const get = async (name: string) => (await table.client.send(getting(name))).Item;
const batchGet = async (names: readonly string[]) => {
  const RequestItems = { [table.name]: { Keys: names.map(keyOf), ConsistentRead: true } };
  const { Responses } = await table.client.send(new BatchGetCommand({ RequestItems }));
  return Responses?.[table.name];
};

test('simultaneous reads are one call of the engine, and each has the items that it asked for', async () => {
  const [a, again, missing, both] = await Promise.all([get('a'), get('a'), get('nothing'), batchGet(['b', 'c'])]);
  expect(calls).toEqual(['BatchGetItem']);
  expect(a).toEqual({ ...keyOf('a'), value: 1 });
  expect(again).toEqual(a);
  expect(missing).toBeUndefined();
  expect(both).toEqual([
    { ...keyOf('b'), value: 1 },
    { ...keyOf('c'), value: 1 },
  ]);
});

test('a request does not see changes that another request makes to its copy of the item', async () => {
  const [first, second] = await Promise.all([get('a'), get('a')]);
  Object.assign(first ?? {}, { value: 'changed' });
  expect(second).toEqual({ ...keyOf('a'), value: 1 });
});

test('reads return what the same reads return one by one, also after writes', async () => {
  const name = fc.constantFrom('r', 's', 't');
  const step = fc.oneof(
    fc.record({ write: name }),
    fc.record({ read: fc.array(fc.uniqueArray(name, { minLength: 1 }), { minLength: 1 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step), async (steps) => {
      const values = new Map<string, number>();
      for (const one of ['r', 's', 't']) values.set(one, Number((await get(one))?.['value'] ?? 0));
      for (const one of steps)
        if ('write' in one) {
          const value = (values.get(one.write) ?? 0) + 1;
          await put(one.write, value);
          values.set(one.write, value);
        } else {
          const all = await Promise.all(one.read.map(batchGet));
          const found = all.map((items) => new Map(items?.map(({ pk, value }) => [pk, value])));
          expect(found).toEqual(
            one.read.map((names) => new Map(names.flatMap((n) => (values.get(n) ? [[n, values.get(n)]] : [])))),
          );
        }
    }),
    { numRuns: 30 },
  );
});

test('a read that the engine refuses does not fail the others', async () => {
  const [refused, read] = await Promise.allSettled([get('x'.repeat(3000)), get('a')]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'ValidationException' } });
  expect(read).toMatchObject({ status: 'fulfilled', value: { value: 1 } });
  expect(calls).toEqual(['BatchGetItem', 'GetItem', 'GetItem']);
});

test('a read that the engine leaves out of its reply is made alone', async () => {
  const asItIs = replyOf;
  replyOf = (output) => {
    replyOf = asItIs;
    return { ...output, Responses: {}, UnprocessedKeys: { [table.name]: { Keys: [keyOf('a')] } } };
  };
  expect(await get('a')).toEqual({ ...keyOf('a'), value: 1 });
  expect(calls).toEqual(['BatchGetItem', 'GetItem']);
});

test('after a failure of the engine itself, no read is repeated alone', async () => {
  const asItIs = replyOf;
  replyOf = () => {
    throw new DynamoDbError('InternalServerError', { message: 'disk I/O error', status: 500 });
  };
  const reads = await Promise.allSettled([get('a'), get('b')]);
  replyOf = asItIs;
  expect(reads).toMatchObject(Array(2).fill({ status: 'rejected', reason: { kind: 'unavailable' } }));
  expect(calls).toEqual(['BatchGetItem']);
});

test('a request beyond its deadline does not stop the reads of others', async () => {
  const past = Promise.withResolvers<undefined>();
  const reading = Promise.withResolvers<unknown>();
  const monotonic = manualClock();
  void inTime({ monotonic }, 1, () => {
    monotonic.advance(1);
    reading.resolve(Promise.all([get('a'), get('b')]));
    past.resolve(undefined);
    return past.promise;
  }).catch(() => undefined);
  await past.promise;
  // In the same turn of the event loop: the batch was begun by the late request.
  await expect(Promise.all([get('a'), reading.promise])).resolves.toMatchObject([
    { value: 1 },
    [{ value: 1 }, { value: 1 }],
  ]);
});

test('other reads are made alone: eventually consistent ones, parts of items, several tables', async () => {
  const Key = keyOf('a');
  await Promise.all([
    table.client.send(new GetCommand({ TableName: table.name, Key })),
    table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true, ProjectionExpression: 'pk' })),
    table.client.send(new BatchGetCommand({ RequestItems: { [table.name]: { Keys: [Key] } } })),
  ]);
  expect(calls).toEqual(['GetItem', 'GetItem', 'BatchGetItem']);
});
