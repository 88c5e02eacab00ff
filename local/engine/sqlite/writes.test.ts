import { openTestEngine, type TestEngine } from '../../../tests/support/sqlite-engine.ts';

let engine: TestEngine['engine'];
let call: TestEngine['call'];
beforeEach(async () => ({ engine, call } = await openTestEngine()));
afterEach(() => engine.close());

const Key = { pk: 'a', sk: 'x' };
const read = async (key: object = Key) => (await call('GetItem', { Key: key })).Item;
const put = (more: object = {}, input: object = {}) => call('PutItem', { Item: { ...Key, ...more }, ...input });

/** The table is that of every action. */
const transact = (actions: Record<string, object>[], more: object = {}) =>
  call('TransactWriteItems', {
    TransactItems: actions.map((action) =>
      Object.fromEntries(Object.entries(action).map(([verb, input]) => [verb, { TableName: 't', ...input }])),
    ),
    ...more,
  });

const absent = { ConditionExpression: 'attribute_not_exists(pk)' };

test('a put replaces the whole item, and a delete of nothing has no effect', async () => {
  await put({ one: 1 });
  expect(await put({ other: 2 }, { ReturnValues: 'ALL_OLD' })).toEqual({ Attributes: { ...Key, one: 1 } });
  expect(await read()).toEqual({ ...Key, other: 2 });
  expect(await call('DeleteItem', { Key, ReturnValues: 'ALL_OLD' })).toEqual({ Attributes: { ...Key, other: 2 } });
  expect(await call('DeleteItem', { Key })).toEqual({});
  expect(await read()).toBeUndefined();
});

test('a write with a failed condition has no effect, and returns the present item on request', async () => {
  await put({ one: 1 });
  await expect(put({ two: 2 }, absent)).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
    Item: undefined,
  });
  const asked = { ...absent, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  for (const [operation, input] of [
    ['PutItem', { Item: Key }],
    ['DeleteItem', { Key }],
    ['UpdateItem', { Key, UpdateExpression: 'REMOVE one' }],
  ] as const)
    await expect(call(operation, { ...input, ...asked })).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { ...Key, one: 1 },
    });
  expect(await read()).toEqual({ ...Key, one: 1 });
});

test('an update makes a missing item, and changes a present one', async () => {
  const add = {
    Key,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': 1 },
    ReturnValues: 'ALL_NEW',
  };
  expect(await call('UpdateItem', add)).toEqual({ Attributes: { ...Key, n: 1 } });
  expect(await call('UpdateItem', add)).toEqual({ Attributes: { ...Key, n: 2 } });
  const ofKey = { Key, UpdateExpression: 'SET sk = :one', ExpressionAttributeValues: { ':one': 'y' } };
  await expect(call('UpdateItem', ofKey)).rejects.toThrow('part of the key');
});

test.each([
  ['without a sort key', { pk: 'a', sk: undefined }],
  ['with a number as its key', { pk: 1 }],
  ['with an empty key', { pk: '' }],
  ['with a key of more than 2,048 bytes', { pk: 'ä'.repeat(1025) }],
  ['with a sort key of more than 1,024 bytes', { sk: 'ä'.repeat(513) }],
  ['with a number as the key of an index', { list_pk: 1 }],
  ['with an empty key of an index', { list_sk: '' }],
  ['of more than 400 kB', { filling: 'x'.repeat(400 * 1024) }],
  ['with a set', { set: new Set(['a']) }],
])('an item %s is refused', async (_name, more) => {
  await expect(put(more)).rejects.toMatchObject({ name: 'ValidationException', status: 400 });
});

test('an item of exactly 400 kB is stored', async () => {
  const bytes = 400 * 1024 - Buffer.byteLength('pkaskxfilling');
  await put({ filling: 'x'.repeat(bytes) });
  await expect(put({ filling: 'x'.repeat(bytes + 1) })).rejects.toThrow('Item size');
});

test('a transaction makes all of its writes, or none with each reason', async () => {
  await put({ one: 1 });
  const other = { pk: 'b', sk: 'x' };
  const actions = [
    { Put: { Item: other } },
    { ConditionCheck: { Key, ...absent, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
    { Update: { Key: { pk: 'c', sk: 'x' }, UpdateExpression: 'SET a = missing' } },
    { Delete: { Key: { pk: 'd', sk: 'x' } } },
  ];
  await expect(transact(actions)).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message: expect.stringContaining('[None, ConditionalCheckFailed, ValidationError, None]'),
    CancellationReasons: [
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: { ...Key, one: 1 } },
      { Code: 'ValidationError', Message: expect.stringContaining('does not exist') },
      { Code: 'None' },
    ],
  });
  expect(await read(other)).toBeUndefined();
  await transact([{ Put: { Item: other } }, { Delete: { Key } }]);
  expect([await read(other), await read()]).toEqual([other, undefined]);
});

test('a transaction with two actions on one item, with none or with more than 100, is refused', async () => {
  await expect(transact([{ Put: { Item: Key } }, { ConditionCheck: { Key, ...absent } }])).rejects.toThrow(
    'multiple operations on one item',
  );
  await expect(transact([])).rejects.toMatchObject({ name: 'ValidationException' });
  const many = Array.from({ length: 101 }, (_, number) => ({ Put: { Item: { pk: 'p', sk: String(number) } } }));
  await expect(transact(many)).rejects.toMatchObject({ name: 'ValidationException' });
  await transact(many.slice(1));
});

test('a transaction of more than 4 MB is refused', async () => {
  const filling = 'x'.repeat(399 * 1024);
  const actions = Array.from({ length: 11 }, (_, number) => ({
    Put: { Item: { pk: 'p', sk: String(number), filling } },
  }));
  await expect(transact(actions)).rejects.toThrow('4 MB');
  await transact(actions.slice(1));
});

test('a transaction with an earlier token has no effect, and is refused with other content', async () => {
  const add = (n: number) =>
    transact([{ Update: { Key, UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': n } } }], {
      ClientRequestToken: 'token',
    });
  await add(1);
  await add(1);
  expect(await read()).toEqual({ ...Key, n: 1 });
  await expect(add(2)).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
  // A transaction that failed is not kept.
  const once = () => transact([{ Put: { Item: Key, ...absent } }], { ClientRequestToken: 'other' });
  await expect(once()).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  await call('DeleteItem', { Key });
  await once();
});

test('a batch writes up to 25 items, each once', async () => {
  const write = (requests: object[]) => call('BatchWriteItem', { RequestItems: { t: requests } });
  await put();
  const items = Array.from({ length: 24 }, (_, number) => ({ pk: 'p', sk: String(number) }));
  const puts = items.map((Item) => ({ PutRequest: { Item } }));
  expect(await write([...puts, { DeleteRequest: { Key } }])).toEqual({ UnprocessedItems: {} });
  expect([await read(), await read(items[23])]).toEqual([undefined, items[23]]);
  await expect(write([...puts, ...puts.slice(0, 1)])).rejects.toThrow('duplicates');
  await expect(
    write([...puts, { DeleteRequest: { Key } }, { DeleteRequest: { Key: { pk: 'b', sk: 'x' } } }]),
  ).rejects.toThrow('Too many items');
  await expect(write([])).rejects.toMatchObject({ name: 'ValidationException' });
});

test('expired items are deleted, oldest first, up to a given number', async () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const seconds = now.getTime() / 1000;
  await Promise.all(
    [-30, -20, -10, 0, 10].map((ttl) => call('PutItem', { Item: { pk: 'p', sk: String(ttl), ttl: seconds + ttl } })),
  );
  await put({ ttl: 'never' });
  const left = async () => ((await call('Scan', {})).Items ?? []).map(({ sk }) => sk);
  expect(await engine.deleteExpired(now, 2)).toBe(true);
  expect(await left()).toEqual(['x', '-10', '0', '10']);
  expect(await engine.deleteExpired(now, 2)).toBe(false);
  expect(await left()).toEqual(['x', '0', '10']);
});
