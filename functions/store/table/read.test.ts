import type { Item } from '../../../shared/db/table.ts';
import { Contention } from '../../../shared/db/contention.ts';
import { fakeTable, putItem } from '../../../tests/support/table.ts';
import {
  queryCount,
  queryPage,
  queryUpTo,
  readAhead,
  readCollection,
  readFrom,
  readInParts,
  readItems,
} from './read.ts';
import { indexes, nameOfKey } from './keys.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
beforeAll(async () => {
  for (const sk of ['a', 'b1', 'b2', 'b3', 'c']) await putItem(table, { pk: 'p', sk, list_pk: 'l', list_sk: sk });
});

const key = (sk: string) => ({ pk: 'p', sk });
const names = (items: readonly Item[]) => items.map(({ sk }) => sk);
const partition = {
  partition: 'p',
  ConsistentRead: true,
};

describe('readItems', () => {
  test('omits missing items, and makes no call without keys', async () => {
    expect(names(await readItems(table, [key('a'), key('missing'), key('c')])).sort()).toEqual(['a', 'c']);
    expect(
      await readItems(
        fakeTable(() => expect('this').toBe('not called')),
        [],
      ),
    ).toEqual([]);
  });

  test('reads 100 keys in one call and 101 in two, each once, strongly consistent by default', async () => {
    const calls: { size: number; isConsistent: boolean }[] = [];
    const fake = fakeTable((_, { RequestItems: { t } }) => {
      calls.push({ size: t.Keys.length, isConsistent: t.ConsistentRead });
      return { Responses: { t: t.Keys } };
    });
    const keys = Array.from({ length: 101 }, (_, index) => key(String(index)));
    expect(await readItems(fake, keys.slice(0, 100))).toEqual(keys.slice(0, 100));
    expect(calls).toEqual([{ size: 100, isConsistent: true }]);
    expect(await readItems(fake, keys, false)).toEqual(keys);
    expect(calls.slice(1)).toEqual([
      { size: 100, isConsistent: false },
      { size: 1, isConsistent: false },
    ]);
  });

  test('reads a few batches first, later as many as the item size permits, each key once and in order', async () => {
    const keys = Array.from({ length: 2050 }, (_, index) => key(String(index)));
    const partsWith = async (json: string) => {
      const fake = fakeTable((_, { RequestItems: { t } }) => ({
        Responses: { t: t.Keys.map((requestedKey: object) => ({ ...requestedKey, json })) },
      }));
      const parts: Item[][] = [];
      for await (const part of readInParts(fake, keys)) parts.push(part);
      expect(names(parts.flat())).toEqual(names(keys));
      return parts.map(({ length }) => length);
    };
    expect(await partsWith('x'.repeat(600))).toEqual([400, 1650]);
    expect(await partsWith('x'.repeat(20_000))).toEqual([400, 800, 800, 50]);
    expect((await partsWith('x'.repeat(200_000))).slice(0, 3)).toEqual([400, 100, 100]);
  });

  describe('unprocessed keys', () => {
    /** Reads three keys from a table that processes one key of a call, if any. */
    async function readThree(processed: (call: number) => number) {
      let calls = 0;
      const fake = fakeTable((_, { RequestItems: { t } }) => {
        calls += 1;
        const many = processed(calls);
        const left = t.Keys.slice(many);
        const UnprocessedKeys = left.length === 0 ? {} : { t: { Keys: left } };
        return { Responses: { t: t.Keys.slice(0, many) }, UnprocessedKeys };
      });
      const outcome = await readItems(fake, ['a', 'b', 'c'].map(key)).catch((error: unknown) => error);
      return { outcome, calls };
    }

    test('are requested again until none are left', async () => {
      expect(await readThree(() => 1)).toEqual({ outcome: ['a', 'b', 'c'].map(key), calls: 3 });
    });

    test('are requested at most eight times, then it is Contention', async () => {
      const { outcome, calls } = await readThree(() => 0);
      expect(outcome).toBeInstanceOf(Contention);
      expect(calls).toBe(8);
      expect(await readThree((call) => (call === 8 ? 3 : 0))).toMatchObject({ calls: 8, outcome: { length: 3 } });
    });
  });
});

test('readAhead reads each key once, and knows missing items', async () => {
  let asked = 0;
  const fake = fakeTable((_, { RequestItems: { t } }) => {
    asked = t.Keys.length;
    return { Responses: { t: t.Keys.filter(({ sk }: Item) => sk === 'a') } };
  });
  const items = await readAhead(fake, [key('a'), key('a'), key('missing')]);
  expect(asked).toBe(2);
  expect([...items]).toEqual([
    [nameOfKey(key('a')), key('a')],
    [nameOfKey(key('missing')), undefined],
  ]);
});

test('readFrom reads an item, and a companion in the same call', async () => {
  const read = readFrom(table);
  expect(await read(key('a'))).toMatchObject(key('a'));
  expect(await read(key('missing'))).toBeUndefined();
  const taken: unknown[] = [];
  const take = (item: unknown) => taken.push(item);
  expect(await read(key('a'), { key: key('c'), take })).toMatchObject(key('a'));
  expect(await read(key('missing'), { key: key('none'), take })).toBeUndefined();
  expect(taken).toEqual([expect.objectContaining(key('c')), undefined]);
  let isConsistent: unknown;
  await readFrom(
    fakeTable((_, input) => {
      isConsistent = input.ConsistentRead;
      return {};
    }),
  )(key('a'));
  expect(isConsistent).toBe(true);
});

describe('a page of a query', () => {
  test('states whether more items exist, and the last evaluated key', async () => {
    expect(await queryPage(table, { ...partition, Limit: 2 })).toMatchObject({ more: true, reached: 'b1' });
    expect(await queryPage(table, partition)).toMatchObject({ more: false, reached: undefined });
  });

  test('with exactly the remaining number is the last one, with one less it is not', async () => {
    const five = await queryUpTo(table, { ...partition, size: 5 });
    expect([names(five.items), five.more]).toEqual([['a', 'b1', 'b2', 'b3', 'c'], false]);
    const four = await queryUpTo(table, { ...partition, size: 4 });
    expect([names(four.items), four.more]).toEqual([['a', 'b1', 'b2', 'b3'], true]);
    const none = await queryUpTo(table, { ...partition, size: 0 });
    expect([names(none.items), none.more]).toEqual([[], true]);
  });

  test('is incomplete when the query ended early, also with fewer items than requested', async () => {
    const early = fakeTable(() => ({ Items: [key('a')], LastEvaluatedKey: key('a') }));
    expect(await queryUpTo(early, { ...partition, size: 5 })).toEqual({ items: [key('a')], more: true });
  });
});

describe('a key prefix', () => {
  const page = (prefix: string, size: number) =>
    queryUpTo(table, { partition: 'p', sort: prefix, size, ConsistentRead: true });

  test('selects the keys that start with it in order, and an empty one all', async () => {
    expect(await page('b', 2)).toMatchObject({ items: [key('b1'), key('b2')], more: true });
    expect(await page('b', 3)).toMatchObject({ items: [key('b1'), key('b2'), key('b3')], more: false });
    expect(names((await page('', 9)).items)).toEqual(['a', 'b1', 'b2', 'b3', 'c']);
  });

  test('includes the greatest key with it, and distinguishes upper and lower case', async () => {
    const greatest = `z${'\u{10ffff}'.repeat(255)}`;
    for (const sk of ['z', greatest, 'Z']) await putItem(table, { pk: 'wide', sk });
    expect(names(await readCollection(table, 'wide', 'z'))).toEqual(['z', greatest]);
  });
});

test('readCollection reads the query to its end, strongly consistent', async () => {
  const pages = [
    { Items: [key('a')], LastEvaluatedKey: key('a') },
    { Items: [], LastEvaluatedKey: key('b') },
    { Items: [key('c')] },
  ];
  const inputs: any[] = [];
  const fake = fakeTable((_, input) => {
    inputs.push(input);
    return pages[inputs.length - 1];
  });
  expect(await readCollection(fake, 'p')).toEqual([key('a'), key('c')]);
  expect(inputs.map(({ ExclusiveStartKey: start, ConsistentRead }) => [start, ConsistentRead])).toEqual([
    [undefined, true],
    [key('a'), true],
    [key('b'), true],
  ]);
});

test('queryCount counts up to the limit', async () => {
  const count = (most: number) => queryCount(table, { index: indexes.byName, partition: 'l' }, most);
  expect([await count(1), await count(4), await count(5), await count(9)]).toEqual([1, 4, 5, 5]);
  const limits: number[] = [];
  const fake = fakeTable((_, { Limit }) => {
    limits.push(Limit);
    return { Count: 2, LastEvaluatedKey: key('x') };
  });
  expect(await queryCount(fake, { index: indexes.byName, partition: 'b' }, 4)).toBe(4);
  expect(limits).toEqual([4, 2]);
});
