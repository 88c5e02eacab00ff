import { MAX_REPLY_BYTES } from '../../../shared/core/reply-size.ts';
import type { Table } from '../../../shared/db/table.ts';
import { addAll, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable, putItem, startTable } from '../../../tests/support/table.ts';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { type Entity, idOf, itemOf, jsonOf, keyOf, listedJson, orderOf } from '../entities/entity.ts';
import type { ObjectKind } from '../table/keys.ts';
import { allPages, firstById, hasType, listById, listByIndex, listByReference, listedById } from './pages.ts';
import { readRelated } from './related-values.ts';

let table: Table;
let stop: () => Promise<void>;
const nodes = ['a', 'b', 'b2', 'c'].map((node_name) =>
  node({ node_name, ...(node_name === 'c' ? { node_type: 'container' } : {}) }),
);
const place = nodes[0]!;
beforeAll(async () => {
  ({ table, stop } = await startTable());
  await addAll(table, ...nodes);
  await addAll(table, service([place], { service_name: 's' }), pmmAgent(place));
});
afterAll(() => stop());

const names = (objects: readonly Entity[]) => objects.map(orderOf);
const all = () => true;
const position = (entity: Entity): [string, string] => [orderOf(entity), idOf(entity)];

describe('by index', () => {
  const list = (
    size: number,
    more: { prefix?: string; type?: string; after?: [string, string]; filter?: typeof all } = {},
  ) => {
    const { prefix = '', type, after, filter = all } = more;
    return listByIndex(table, { kind: 'node', type, range: prefix, filter }, { size, after });
  };

  test('lists objects in pages by name; a page that ends with the last object is the last page', async () => {
    const first = await list(3);
    expect([names(first.objects), first.next]).toEqual([['a', 'b', 'b2'], position(nodes[2]!)]);
    const second = await list(1, { after: first.next! });
    expect([names(second.objects), second.next]).toEqual([['c'], undefined]);
  });

  test('reads for a reply only what the reply contains, of every kind and of an object stored before JSON', async () => {
    const listed = async (kind: ObjectKind) => {
      const [forReply, whole] = await Promise.all(
        [true, false].map((isForReply) =>
          listByIndex(
            table,
            { kind, type: undefined, range: '', filter: all, isForReply },
            { size: 9, after: undefined },
          ),
        ),
      );
      const shown = (entity: Entity): unknown => JSON.parse(listedJson(entity));
      expect(forReply!.objects.map(shown)).toEqual(whole!.objects.map(shown));
      return forReply!.objects.map(({ object }) => 'last_change' in object);
    };
    const removing = node({ node_name: 'd', removing: true, last_change: 'x' });
    await putItem(table, itemOf(removing));
    expect(await listed('node')).not.toContain(true);
    expect([await listed('service'), await listed('agent')]).toEqual([[false], [false]]);
    const { json: _json, ...item } = itemOf(removing);
    await putItem(table, { ...item, ...removing.object });
    expect(await listed('node')).toContain(true);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: keyOf(removing) }));
  });

  test('lists objects by prefix and by type', async () => {
    expect(names((await list(9, { prefix: 'b' })).objects)).toEqual(['b', 'b2']);
    expect(names((await list(9, { type: 'generic' })).objects)).toEqual(['a', 'b', 'b2']);
    expect(names((await list(9, { type: 'container', prefix: 'b' })).objects)).toEqual([]);
    const [first] = (await list(1, { type: 'generic' })).objects;
    expect(names((await list(9, { type: 'generic', after: position(first!) })).objects)).toEqual(['b', 'b2']);
  });

  test('excluded objects make the page shorter; the next one continues after them', async () => {
    const page = await list(2, { filter: () => false });
    expect(page).toEqual({ objects: [], next: position(nodes[1]!) });
  });
});

test('reads all pages to the end', async () => {
  const items = nodes.map((entity) => itemOf(entity));
  const starts: unknown[] = [];
  const paged = fakeTable((_, { ExclusiveStartKey: start }) => {
    starts.push(start?.list_sk);
    const item = items[starts.length - 1];
    return { Items: [item], ...(starts.length === items.length ? {} : { LastEvaluatedKey: item }) };
  });
  const pageNames: string[][] = [];
  for await (const page of allPages(paged, 'node')) pageNames.push(names(page));
  expect(pageNames).toEqual([['a'], ['b'], ['b2'], ['c']]);
  expect(starts).toEqual([undefined, 'a', 'b', 'b2']);
});

test.each([
  [2, 2],
  [3, 4],
  [undefined, 4],
])('a list by id that needs %s objects reads whole pages: %d of 4 objects', async (most, expected) => {
  const items = nodes.map((entity) => itemOf(entity));
  const paged = fakeTable((_, { ExclusiveStartKey: start }) =>
    start === undefined ? { Items: items.slice(0, 2), LastEvaluatedKey: items[1] } : { Items: items.slice(2) },
  );
  expect((await listedById(paged, 'node', most)).size).toBe(expected);
});

describe('by reference', () => {
  const references = nodes.slice(0, 2).map((entity) => ({ order: orderOf(entity), id: idOf(entity) }));

  test('lists objects in the order of the references; the page ends where they end', async () => {
    const reach = references[1]!;
    const reversed = [...references].reverse();
    const page = await listByReference(table, { kind: 'node', filter: all }, { references: reversed, reach });
    expect([names(page.objects), page.next]).toEqual([
      ['b', 'a'],
      [reach.order, reach.id],
    ]);
    const last = await listByReference(table, { kind: 'node', filter: all }, { references, reach: undefined });
    expect(last.next).toBeUndefined();
  });

  test('leaves out removed and unmatched objects; the next page continues after them', async () => {
    const gone = { order: 'z', id: 'gone' };
    const filter = (entity: Entity) => orderOf(entity) !== 'a';
    const page = await listByReference(
      table,
      { kind: 'node', filter },
      { references: [...references, gone], reach: gone },
    );
    expect([names(page.objects), page.next]).toEqual([['b'], ['z', 'gone']]);
  });

  test('a page ends before the object that does not fit a reply', async () => {
    const large = ['x', 'y', 'z'].map((node_name) => node({ node_name, model: 'x'.repeat(2_000_000) }));
    const fake = fakeTable(() => ({ Responses: { t: large.map((entity) => itemOf(entity)) } }));
    const list = {
      references: large.map((entity) => ({ order: orderOf(entity), id: idOf(entity) })),
      reach: undefined,
    };
    const page = await listByReference(fake, { kind: 'node', filter: all }, list);
    expect([names(page.objects), page.next]).toEqual([['x', 'y'], position(large[1]!)]);
  });
});

describe('many large objects', () => {
  const large = node({ custom_labels: { text: 'x'.repeat(60_000) } });
  const { pk } = itemOf(large);
  const ids = Array.from({ length: 1000 }, (_, number) => String(number));
  const reads: number[] = [];
  const fake = fakeTable((_, { RequestItems: { t } }) => {
    reads.push(t.Keys.length);
    const item = (key: { pk: string }) => ({ ...itemOf(large), ...key });
    return { Responses: { t: t.Keys.map(item) } };
  });
  beforeEach(() => reads.splice(0));

  test('a page by reference reads only some more than fit a reply', async () => {
    const references = ids.map((id) => ({ order: id, id }));
    const { objects, next } = await listByReference(
      fake,
      { kind: 'node', filter: all },
      { references, reach: undefined },
    );
    expect([objects.length > 50, next?.[1]]).toEqual([true, idOf(objects.at(-1)!)]);
    expect(reads.reduce((sum, count) => sum + count, 0)).toBe(400);
  });

  test.each([
    ['exactly fill a reply', 0, 401],
    ['exceed a reply', 1, 400],
  ])('objects by id are read in parts until they exceed a reply: those that %s', async (_, more, expected) => {
    const sized = (bytes: number) => node({ model: 'x'.repeat(bytes) });
    const first = sized(1 + more + MAX_REPLY_BYTES - jsonOf(sized(1)).length);
    const read: string[] = [];
    const filling = fakeTable((_command, { RequestItems: { t } }) => {
      const keys: { pk: string }[] = t.Keys;
      read.push(...keys.map(({ pk }) => pk));
      return { Responses: { t: keys.filter((key) => key.pk === keyOf(first).pk).map(() => itemOf(first)) } };
    });
    const found = await firstById(filling, 'node', [idOf(first), ...ids.slice(0, 400)], all);
    expect([[...found.keys()], read.length]).toEqual([[idOf(first)], expected]);
  });

  test('holds no labels of related objects, or of listed objects that others refer to', async () => {
    const wanted = ids.map((id) => service([large], { node_ids: [id] }));
    const related = await readRelated(fake, wanted, ['region']);
    expect([related.size, JSON.stringify([...related.values()]).length < 600 * ids.length]).toEqual([1000, true]);
    const list = fakeTable(() => ({
      Items: Array.from({ length: 15 }, (_, id) => ({ ...itemOf(large), pk: `${String(pk).slice(0, 5)}${id}` })),
    }));
    const listed = await listedById(list, 'node');
    expect([listed.size, JSON.stringify([...listed.values()]).length < 600 * 15]).toEqual([15, true]);
  });
});

describe('by id', () => {
  const ids = nodes.map(idOf).reverse();
  const list = (
    size: number,
    more: { prefix?: string; after?: [string, string]; filter?: (entity: Entity) => boolean } = {},
  ) => {
    const { prefix = '', after, filter = all } = more;
    return listById(table, { kind: 'node', prefix, filter }, [...ids, ids[0]!, 'missing'], { size, after });
  };

  test('lists each object once, in pages by name', async () => {
    const first = await list(3);
    expect([names(first.objects), first.next]).toEqual([['a', 'b', 'b2'], position(nodes[2]!)]);
    const second = await list(3, { after: first.next! });
    expect([names(second.objects), second.next]).toEqual([['c'], undefined]);
    expect((await list(4)).next).toBeUndefined();
  });

  test('lists the objects that match the prefix and the filter', async () => {
    expect(names((await list(9, { prefix: 'b' })).objects)).toEqual(['b', 'b2']);
    expect(names((await list(9, { filter: (entity) => orderOf(entity) > 'b' })).objects)).toEqual(['b2', 'c']);
  });
});

test('tells whether objects of a type exist', async () => {
  expect(await hasType(table, 'node', 'container')).toBe(true);
  expect(await hasType(table, 'node', 'remote')).toBe(false);
  expect(await hasType(table, 'service', 'mysql')).toBe(true);
  const limits: unknown[] = [];
  const many = fakeTable((_, { Limit }) => {
    limits.push(Limit);
    return { Count: Limit, LastEvaluatedKey: {} };
  });
  expect([await hasType(many, 'node', 'generic'), limits]).toEqual([true, [1]]);
});
