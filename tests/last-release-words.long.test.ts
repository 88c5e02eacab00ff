import { readFile } from 'node:fs/promises';
import { endpoints } from '../functions/api/endpoints.ts';
import { agentStatuses } from '../functions/domain/agent/types.ts';
import { items as shapes } from '../functions/store/table/items.ts';
import { TABLE_FORMAT } from '../functions/store/table/keys.ts';
import type { Item } from '../shared/db/table.ts';
import { releasedFormat } from './deploy/last-release.ts';
import { addOfType, everyType } from './support/object-of-type.ts';
import { shapeOf } from './support/item-shapes.ts';
import { call, everyKindOfItem } from './support/every-kind-of-item.ts';
import { startInventory } from './support/inventory.ts';
import { ReleasedFunctions } from './support/released.ts';
import {
  allPlacesOf,
  itemsWith,
  recordReaders,
  setItems,
  storedItems,
  type WordPlace,
} from './support/stored-words.ts';

// Each word that a stored item can contain, as the schemas of this version name them, read by this version and by the last
// release.

const LIMIT_MS = 600_000;

// The functions of the last release have the time of this machine.
const inventory = await startInventory({ clock: () => new Date() });
const released = await ReleasedFunctions.start(inventory);
const old = await released.requests(inventory);
const ids = await everyKindOfItem(inventory);
const items = await storedItems(inventory.table);

/** Each event is read alone: most are of what only this version does. */
const isEvent = ({ pk }: Item) => String(pk).startsWith('AUDIT#');
const others = items.filter((item) => !isEvent(item));
const around = ({ item }: WordPlace) => (isEvent(item) ? [...others, item] : others);

afterAll(async () => {
  await released.stop();
  await inventory.stop();
});

const objects = ['nodes', 'services', 'agents'].flatMap((list) => [`/v1/${list}`, `/v1/${list}?include=state`]);
const computed = ['/v1/groups', '/v1/clusters', '/v1/discovery/prometheus', '/v1/summary', '/v1/metrics', '/v1/export'];
const records = ['/v1/changes', '/v1/audit', '/v1/removed'];

/** What reads the items of a group. */
const readsOf: Readonly<Record<string, readonly string[]>> = {
  objects: [...objects, ...computed],
  heartbeats: [...objects, ...computed],
  history: [...records, '/v1/summary'],
  audit: ['/v1/audit'],
  keys: ['/v1/api-keys', '/v1/enrolment-tokens', '/v1/summary'],
  users: ['/v1/sessions', '/v1/users', '/v1/role-bindings'],
  jobs: ['/v1/summary', '/v1/metrics', ...ids.pathsOf('/v1/reconcile/{plan_id}')],
  silences: ['/v1/silences', '/v1/summary'],
  filters: ['/v1/saved-filters'],
};

const reads = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ id, path }) =>
    ids.pathsOf(path).map((objectPath) => ({ id, path: objectPath, isOfObject: path.includes('{') })),
  );

const isReleased = (asked: string) =>
  reads.some(({ id, path }) => released.ids.includes(id) && path === asked.split('?')[0]);

const gets = reads.filter(({ isOfObject }) => isOfObject).map(({ path }) => path);

function pathsFor({ item }: WordPlace): string[] {
  const group = shapeOf(item as typeof item & { pk: string; sk: string })?.group ?? '';
  const isOfObjects = ['objects', 'heartbeats', 'history'].includes(group);
  return [...(readsOf[group] ?? []), ...(isOfObjects ? gets : [])];
}

/** The kind of the item, the field in it, and the word. */
function nameOf({ item, path }: WordPlace, word: string): string {
  const kind = Object.entries(shapes).find(([, shape]) => shape === shapeOf(item as never))?.[0];
  return `${kind}.${path.findLast((part) => /^[a-z_]+$/.test(part))}: ${word}`;
}

/** What a table of docs/versioning.md says that the last release cannot read. */
async function documented(): Promise<string[]> {
  const text = await readFile('docs/versioning.md', 'utf8');
  const [, section = ''] = text.split('\n## Words that 0.1.0 cannot read\n');
  return [...section.split('\n## ')[0]!.matchAll(/^\| `([\w.]+)` \| (.*) \|$/gm)].flatMap(([, field, words]) =>
    [...words!.matchAll(/`([^`]+)`/g)].map(([, word]) => `${field}: ${word}`),
  );
}

/** Of types, whole objects are added, with their changes: the fields of an object depend on its type. */
const isType = ({ name }: WordPlace) => /: json\.\w+_type$|^CHANGE#.*: kind$/.test(name);

/** A Gateway is stored as a Relay. */
const isStored = ({ name }: WordPlace, word: string) => !(/^KEY#.*: role$/.test(name) && word === 'Gateway');

/** What fails in this version, and whether a read of the last release fails. */
async function readByBoth(paths: readonly string[]): Promise<{ failed: string[]; isUnreadable: boolean }> {
  const failed: string[] = [];
  let isUnreadable = false;
  for (const path of paths) {
    const present = await call(inventory, 'GET', path);
    if (present.status >= 500) failed.push(`${path}: ${present.text}`);
    isUnreadable ||= isReleased(path) && (await old('GET', path)).status >= 500;
  }
  return { failed, isUnreadable };
}

const readerOf = recordReaders();

let markers = 0;

/** Whether its enumeration reads the place. Statuses in reports are read without a schema, which would be slow. */
async function isRead(place: WordPlace): Promise<boolean> {
  const marker = `marker-${(markers += 1)}`;
  await setItems(inventory.table, itemsWith(around(place), place, marker));
  for (const path of pathsFor(place)) await call(inventory, 'GET', path);
  return (/process#.*agents/.test(place.path.join()) ? agentStatuses : readerOf(marker)) === place.words;
}

/** A place for each kind of item, path and enumeration that a read meets. */
async function readPlaces(): Promise<WordPlace[]> {
  const places: WordPlace[] = [];
  for (const candidates of allPlacesOf(items))
    for (const place of candidates)
      if (!isType(place) && (await isRead(place))) {
        places.push(place);
        break;
      }
  return places;
}

const unreadable = new Set<string>();

const places = await readPlaces();

test('the places of words are found by their readers', () => {
  const kinds = new Set(places.map((place) => nameOf(place, '')));
  const some = ['accessEvent.event', 'change.action', 'key.role', 'heartbeat.agents', 'removal.objects', 'summary.job'];
  expect(some.filter((name) => !kinds.has(`${name}: `))).toEqual([]);
});

test.each(places)(
  '$name: this version reads each word that can be stored',
  async (place) => {
    for (const word of place.words.filter((candidate) => isStored(place, candidate))) {
      await setItems(inventory.table, itemsWith(around(place), place, word));
      const { failed, isUnreadable } = await readByBoth(pathsFor(place));
      expect([word, failed]).toEqual([word, []]);
      if (isUnreadable) unreadable.add(nameOf(place, word));
    }
  },
  LIMIT_MS,
);

const paths = [...readsOf['objects']!, ...records];

test.each(everyType)('$kind $type is read in both directions, or the last release has no such type', async (type) => {
  const add = (ask: typeof old) => (path: string, body: object) => ask('POST', path, { body });
  await setItems(inventory.table, others);
  expect(await addOfType(add(inventory.request), type)).toBe(201);
  const written = await readByBoth(paths);
  expect(written.failed).toEqual([]);
  if (written.isUnreadable) unreadable.add(`${type.kind}.${type.kind}_type: ${type.type}`);
  await setItems(inventory.table, others);
  if ((await addOfType(add(old), type)) !== 201) return;
  expect(await readByBoth(paths)).toEqual({ failed: [], isUnreadable: false });
});

test('the last release reads each word; if its format is an older one, docs/versioning.md lists the others', async () => {
  const expected = (await releasedFormat()) < TABLE_FORMAT ? await documented() : [];
  expect([...unreadable].sort()).toEqual(expected.sort());
});
