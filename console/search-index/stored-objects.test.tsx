import * as databases from 'fake-indexeddb';
import type { StoredObject } from './indexed-object.ts';
import { removeStoredIndex } from './remove-stored-index.tsx';
import { StoredObjects } from './stored-objects.tsx';

// Other files of this process have no database of a browser.
const { default: _, ...globals } = databases;
beforeEach(() => {
  Object.assign(globalThis, globals, { indexedDB: new databases.IDBFactory() });
});
afterEach(() => {
  for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
});

const node = (id: string, name = id): StoredObject => ({
  kind: 'node',
  object: { node_id: id, node_name: name, custom_labels: {} },
});

const open = async (owner = 'session'): Promise<StoredObjects> => (await StoredObjects.open(owner))!;

const namesIn = async (stored: StoredObjects) => {
  const copy = await stored.read();
  return copy && [copy.cursor, ...copy.objects.map(({ object }) => object['node_name'])];
};

test('a reload of the session continues from its objects and their cursor', async () => {
  const stored = await open();
  expect(await namesIn(stored)).toBeUndefined();
  await stored.replace([node('a'), node('b')], 'c1');
  stored.close();
  expect(await namesIn(await open())).toEqual(['c1', 'a', 'b']);
});

test('a change replaces and removes objects, and moves the cursor', async () => {
  const stored = await open();
  await stored.replace([node('a'), node('b')], 'c1');
  await stored.write(
    new Map([
      ['a', node('a', 'renamed')],
      ['b', undefined],
      ['c', node('c')],
    ]),
    'c2',
  );
  expect(await namesIn(stored)).toEqual(['c2', 'renamed', 'c']);
});

test('a new reading leaves none of the former objects, however many there are', async () => {
  const stored = await open();
  await stored.replace([node('former')], 'c1');
  await stored.replace(
    Array.from({ length: 2001 }, (_, index) => node(String(index).padStart(4, '0'))),
    'c2',
  );
  const names = await namesIn(stored);
  expect([names?.length, names?.at(0), names?.at(1), names?.at(-1)]).toEqual([2002, 'c2', '0000', '2000']);
});

test('another session reads nothing, and once it has replaced the objects, the former one writes nothing', async () => {
  const former = await open('former');
  await former.replace([node('a')], 'c1');
  const next = await open('next');
  expect(await namesIn(next)).toBeUndefined();
  await next.replace([node('b')], 'c2');
  await former.write(new Map([['a', node('a')]]), 'c3');
  expect(await namesIn(next)).toEqual(['c2', 'b']);
  // It has closed itself.
  expect(await former.read()).toBeUndefined();
});

test('an unfinished write of an ended page is not read', async () => {
  const stored = await open();
  await stored.replace([node('a')], 'c1');
  const writing = stored.replace([node('b')], 'c2');
  stored.close();
  await writing.catch(() => undefined);
  expect(await namesIn(await open())).toBeUndefined();
});

test('a database that is closed takes nothing and gives nothing', async () => {
  const stored = await open();
  stored.close();
  await stored.replace([node('a')], 'c1');
  await stored.write(new Map(), 'c2');
  expect(await stored.read()).toBeUndefined();
  expect(await namesIn(await open())).toBeUndefined();
});

test('a removal by another tab closes the database, so that it does not wait', async () => {
  const stored = await open();
  await stored.replace([node('a')], 'c1');
  removeStoredIndex();
  expect(await namesIn(await open())).toBeUndefined();
  expect(await stored.read()).toBeUndefined();
});

test('a browser that refuses the database has no copy', async () => {
  Reflect.deleteProperty(globalThis, 'indexedDB');
  expect(await StoredObjects.open('session')).toBeUndefined();
  removeStoredIndex();
});
