import { openTestEngine, type TestEngine } from '../../../tests/support/sqlite-engine.ts';

let engine: TestEngine['engine'];
let call: TestEngine['call'];
beforeEach(async () => ({ engine, call } = await openTestEngine()));
afterEach(() => engine.close());

const put = (...items: object[]) => Promise.all(items.map((Item) => call('PutItem', { Item })));
const sorts = (items: Record<string, unknown>[] = []) => items.map(({ sk }) => sk);

const query = (condition: string, values: object, more: object = {}) =>
  call('Query', { KeyConditionExpression: condition, ExpressionAttributeValues: values, ...more });

/** All pages of a query: their sort keys. */
async function pages(input: object): Promise<unknown[][]> {
  const all: unknown[][] = [];
  let ExclusiveStartKey: unknown;
  do {
    const page = await call('Query', { ...input, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) });
    all.push(sorts(page.Items));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return all;
}

test('a get returns the item with exactly this key, or a projection', async () => {
  await put({ pk: 'a', sk: 'x', m: { n: 1 }, o: 2 });
  expect(await call('GetItem', { Key: { pk: 'a', sk: 'x' } })).toEqual({
    Item: { pk: 'a', sk: 'x', m: { n: 1 }, o: 2 },
  });
  expect(await call('GetItem', { Key: { pk: 'A', sk: 'x' } })).toEqual({});
  const projection = { ProjectionExpression: '#m.n', ExpressionAttributeNames: { '#m': 'm' } };
  expect(await call('GetItem', { Key: { pk: 'a', sk: 'x' }, ...projection })).toEqual({ Item: { m: { n: 1 } } });
});

test.each([
  { pk: 'a' },
  { pk: 'a', sk: 1 },
  { pk: 'a', sk: 'x', other: 1 },
  { pk: 'a', other: 'x' },
  { pk: '', sk: 'x' },
])('the key %j is refused', async (Key) => {
  await expect(call('GetItem', { Key })).rejects.toMatchObject({ name: 'ValidationException' });
});

test("a query returns the partition's range in byte order, in both directions", async () => {
  const keys = ['~', 'a', 'B', 'ä', '\u{1f600}', '\uffee', '10', '9'];
  await put(...keys.map((sk) => ({ pk: 'p', sk })), { pk: 'q', sk: 'a' });
  const ordered = keys.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  expect(sorts((await query('pk = :p', { ':p': 'p' })).Items)).toEqual(ordered);
  expect(sorts((await query('pk = :p', { ':p': 'p' }, { ScanIndexForward: false })).Items)).toEqual(
    ordered.toReversed(),
  );
  const between = await query('pk = :p AND sk BETWEEN :a AND :b', { ':p': 'p', ':a': 'B', ':b': 'ä' });
  expect(sorts(between.Items)).toEqual(['B', 'a', '~', 'ä']);
  expect(sorts((await query('pk = :p AND sk > :a', { ':p': 'p', ':a': 'ä' })).Items)).toEqual(['\uffee', '\u{1f600}']);
  expect(sorts((await query('pk = :p AND begins_with(sk, :a)', { ':p': 'p', ':a': 'a' })).Items)).toEqual(['a']);
});

test('pages of any limit contain each item once, in both directions, also within a range', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  await put(...keys.map((sk) => ({ pk: 'p', sk })));
  const range = {
    KeyConditionExpression: 'pk = :p AND sk >= :b',
    ExpressionAttributeValues: { ':p': 'p', ':b': 'b' },
  };
  for (const Limit of [1, 2, 3, 10]) {
    expect((await pages({ ...range, Limit })).flat()).toEqual(['b', 'c', 'd', 'e']);
    expect((await pages({ ...range, Limit, ScanIndexForward: false })).flat()).toEqual(['e', 'd', 'c', 'b']);
  }
});

test('an index contains items with both of its attributes, and equal keys occur once across pages', async () => {
  const named = ['x', 'y', 'z'].flatMap((sk) => [
    { pk: 'a', sk, list_pk: 'l', list_sk: 'same' },
    { pk: 'b', sk, list_pk: 'l', list_sk: 'same' },
  ]);
  await put(
    ...named,
    { pk: 'c', sk: 'x', list_pk: 'l' },
    { pk: 'd', sk: 'x', list_sk: 'same' },
    { pk: 'e', sk: 'x', list_pk: 'l', list_sk: 'a' },
  );
  const input = {
    IndexName: 'by_name',
    KeyConditionExpression: 'list_pk = :l',
    ExpressionAttributeValues: { ':l': 'l' },
  };
  const all = (await pages({ ...input, Limit: 2 })).flat();
  expect(all).toEqual(['x', 'x', 'y', 'z', 'x', 'y', 'z']);
  expect(await call('Query', { ...input, Limit: 1 })).toMatchObject({
    LastEvaluatedKey: { pk: 'e', sk: 'x', list_pk: 'l', list_sk: 'a' },
  });
  await expect(call('Query', { ...input, ConsistentRead: true })).rejects.toMatchObject({
    name: 'ValidationException',
  });
  await expect(call('Query', { ...input, IndexName: 'other' })).rejects.toThrow('specified index');
});

test('a start outside of the range, or with other attributes than its keys, is refused', async () => {
  const start = (key: object) => ({ ExclusiveStartKey: key });
  const of = (key: object) =>
    query('pk = :p AND sk BETWEEN :a AND :b', { ':p': 'p', ':a': 'b', ':b': 'd' }, start(key));
  for (const key of [
    { pk: 'q', sk: 'c' },
    { pk: 'p', sk: 'a' },
    { pk: 'p', sk: 'e' },
  ])
    await expect(of(key)).rejects.toThrow('outside query boundaries');
  await expect(of({ pk: 'p' })).rejects.toThrow('starting key is invalid');
  await expect(of({ pk: 'p', sk: 'd', odd: 'x' })).rejects.toThrow('starting key is invalid');
  await expect(call('Scan', start({ pk: 'p', sk: 'd', odd: 'x' }))).rejects.toThrow('starting key is invalid');
  expect(await of({ pk: 'p', sk: 'd' })).toMatchObject({ Count: 0 });
});

test('dropped items of a filter count towards the limit, and a count has no items', async () => {
  await put(...['a', 'b', 'c'].map((sk) => ({ pk: 'p', sk, odd: sk !== 'b' })));
  const filter = { FilterExpression: 'odd = :yes' };
  const page = await query('pk = :p', { ':p': 'p', ':yes': true }, { ...filter, Limit: 2 });
  expect([sorts(page.Items), page.Count, page.LastEvaluatedKey]).toEqual([['a'], 1, { pk: 'p', sk: 'b' }]);
  expect(await query('pk = :p', { ':p': 'p', ':yes': true }, { ...filter, Select: 'COUNT' })).toEqual({ Count: 2 });
  await expect(query('pk = :p', { ':p': 'p' }, { FilterExpression: 'sk <> :p' })).rejects.toThrow('non-primary key');
  await expect(query('pk = :p', { ':p': 'p' }, { Limit: 0 })).rejects.toMatchObject({ name: 'ValidationException' });
});

test('a page ends with the item that exceeds 1 MB, before the filter', async () => {
  const filling = 'x'.repeat(300 * 1024);
  await put(...['a', 'b', 'c', 'd', 'e'].map((sk) => ({ pk: 'p', sk, filling })));
  const all = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'p' } };
  expect(await pages(all)).toEqual([['a', 'b', 'c', 'd'], ['e']]);
  const nothing = { ...all, FilterExpression: 'attribute_not_exists(filling)' };
  expect(await pages(nothing)).toEqual([[], []]);
});

test('a scan returns all items in pages, in one segment', async () => {
  await put(...['a', 'b', 'c'].flatMap((pk) => ['x', 'y'].map((sk) => ({ pk, sk }))));
  const first = await call('Scan', { Limit: 4 });
  const second = await call('Scan', { ExclusiveStartKey: first.LastEvaluatedKey });
  expect([...(first.Items ?? []), ...(second.Items ?? [])]).toHaveLength(6);
  expect(second.LastEvaluatedKey).toBeUndefined();
  expect(await call('Scan', { Segment: 1 })).toEqual({ Items: [], Count: 0 });
});

test('a batch returns existing items, and above 16 MB leaves keys', async () => {
  await put({ pk: 'a', sk: 'x' });
  const get = (Keys: object[]) => call('BatchGetItem', { RequestItems: { t: { Keys } } });
  expect(
    await get([
      { pk: 'a', sk: 'x' },
      { pk: 'b', sk: 'x' },
    ]),
  ).toEqual({ Responses: { t: [{ pk: 'a', sk: 'x' }] }, UnprocessedKeys: {} });
  const filling = 'x'.repeat(399 * 1024);
  const keys = Array.from({ length: 50 }, (_, number) => ({ pk: 'large', sk: String(number) }));
  for (const key of keys) await put({ ...key, filling });
  const { Responses, UnprocessedKeys } = await get(keys);
  expect(Responses?.['t']).toHaveLength(42);
  expect(UnprocessedKeys?.['t']?.Keys).toEqual(keys.slice(42));
  await expect(get([keys[0]!, keys[0]!])).rejects.toThrow('duplicates');
  await expect(get([])).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(get(Array.from({ length: 101 }, (_, number) => ({ pk: 'p', sk: String(number) })))).rejects.toThrow(
    'Too many items',
  );
});

test('the caller may change a read item without effect on the next read', async () => {
  await put({ pk: 'a', sk: 'x', list: [1] });
  const { Item } = await call('GetItem', { Key: { pk: 'a', sk: 'x' } });
  (Item!['list'] as number[]).push(2);
  expect((await call('GetItem', { Key: { pk: 'a', sk: 'x' } })).Item?.['list']).toEqual([1]);
});

test('a missing table and an unknown operation are refused by name', async () => {
  await expect(call('GetItem', { TableName: 'other', Key: { pk: 'a', sk: 'x' } })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
  await expect(call('DeleteTable', {})).rejects.toMatchObject({ name: 'UnknownOperationException' });
  await expect(call('CreateTable', { KeySchema: [] })).rejects.toMatchObject({ name: 'ResourceInUseException' });
});
