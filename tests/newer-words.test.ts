import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { openEnums } from '../functions/domain/fields/open-enum.ts';
import { cleanUpOnSchedule } from '../functions/triggers/scheduled-cleanup/handler.ts';
import { publishStatesOnSchedule } from '../functions/triggers/state-events/handler.ts';
import { hashApiKeySecret } from '../shared/auth/api-key-text.ts';
import { writeItem } from '../shared/db/item-writes.ts';
import { apiKeyItemKey } from '../functions/store/table/keys.ts';
import { endpoints } from '../functions/api/endpoints.ts';
import { type Inventory, startInventory } from './support/inventory.ts';
import { call, everyKindOfItem, type StoredIds } from './support/every-kind-of-item.ts';
import { itemsWith, placesOf, setItems, storedItems, withNewerFields } from './support/stored-words.ts';
import type { Item } from '../shared/db/table.ts';

// During an update, and after a return to this version, the table has words that only a newer version knows.

const NEWER = 'newer_word';

const inventory: Inventory = await startInventory();
const ids: StoredIds = await everyKindOfItem(inventory);
const items: readonly Item[] = await storedItems(inventory.table);
const places = [...new Map(placesOf(items).map((place) => [place.name, place])).values()];

afterAll(() => inventory.stop());

/** Variants of lists that read more. */
const more: Record<string, readonly string[]> = {
  listNodes: ['include=state', 'selector=team=words', 'state=live', 'region=r', 'fields=node_name'],
  listServices: ['include=state', 'selector=team=words', 'state=live', `node_id=${ids.node_id}`, 'region=r'],
  listAgents: [
    'include=state',
    'selector=team=words',
    'status=running',
    `node_id=${ids.node_id}`,
    `service_id=${ids.service_id}`,
    'cluster=words',
  ],
  countGroups: [
    'kind=node&group_by=region',
    'kind=service&group_by=cluster',
    'kind=agent&group_by=node',
    'kind=agent&group_by=status',
  ],
  listChanges: ['kinds=node,service,agent,state'],
  listClusters: ['include=region'],
  listApiKeys: ['include_expired=true', 'exclude_hosts=true'],
  listAudit: ['event=node.added', 'event=api_key.added', 'event=call.refused', `object_id=${ids.node_id}`],
  discoverTargets: ['selector=team=words', `node=${ids.node_id}`, 'shard=1/2'],
  getSummary: ['max_age=0'],
  getObjectAsOf: ['time=2026-01-02T00:00:00Z'],
};

const reads: readonly string[] = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ id, path }) => {
    const paths = ids.pathsOf(path);
    return paths.flatMap((objectPath) => [objectPath, ...(more[id] ?? []).map((query) => `${objectPath}?${query}`)]);
  });

const pmmReads = [
  ...['nodes', 'services', 'agents'].map((kind) => ['GET', `/v1/inventory/${kind}`] as const),
  ...ids.pathsOf('/v1/inventory/nodes/{node_id}').map((path) => ['GET', path] as const),
  ...ids.pathsOf('/v1/inventory/services/{service_id}').map((path) => ['GET', path] as const),
  ...ids.pathsOf('/v1/inventory/agents/{agent_id}').map((path) => ['GET', path] as const),
  ...['Nodes', 'Services', 'Agents'].map((kind) => ['POST', `/v1/inventory/${kind}/List`] as const),
  ['POST', '/v1/inventory/services:getTypes'],
  ['GET', '/v1/management/nodes'],
  ['GET', '/v1/management/services'],
  ['GET', '/v1/management/agents?node_id=' + ids.node_id],
  ['GET', '/graph/api/auth/keys'],
  ['GET', '/graph/api/serviceaccounts/search'],
] as const;

/** Path and status of each failing service call, and the failures of its jobs. */
async function failures(name: string, read: boolean): Promise<string[]> {
  inventory.logged.length = 0;
  const failed: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status } = await call(inventory, method, path, body);
    if (status >= 500) failed.push(`${method} ${path}: ${status}`);
  };
  if (read) {
    for (const path of reads) await ask('GET', path);
    for (const [method, path] of pmmReads) await ask(method, path, method === 'GET' ? undefined : {});
  } else for (const [method, path, body] of ids.writes) await ask(method, path, body);
  const jobs = [
    () => cleanUpOnSchedule(inventory.dependencies)(),
    () => publishStatesOnSchedule(inventory.dependencies)(),
  ];
  for (const job of jobs) await job().catch((error: unknown) => failed.push(String(error)));
  if (failed.length === 0) return [];
  const cause = inventory.logged.find(({ level, status }) => level === 'error' && Number(status) >= 500);
  return [`${name}: ${failed.join(', ')} ${JSON.stringify(cause).slice(0, 1200)}`];
}

test('every enumeration of stored items is in the table of this test', () => {
  const present = new Set(placesOf(items).map(({ words }) => words));
  expect(openEnums().filter(({ words }) => !present.has(words))).toEqual([]);
});

test('the store reads words by open enumerations, except the place of a job, which restarts', () => {
  const files = globSync('functions/store/**/*.ts');
  const closed = files.filter((file) => readFileSync(file, 'utf8').includes('z.enum('));
  expect(closed.sort()).toEqual(
    [
      'inventory/cleanup',
      'inventory/search-once',
      'summary/count',
      'summary/property-counts',
      'summary/rows',
      'summary/tally-parts',
      'summary/tally',
    ].map((name) => `functions/store/${name}.ts`),
  );
});

test.each(places)('$name: a newer word instead of $word fails no read', async (place) => {
  await setItems(inventory.table, itemsWith(items, place, NEWER));
  expect(await failures(place.name, true)).toEqual([]);
});

test.each(places)('$name: a newer word instead of $word fails no change', async (place) => {
  await setItems(inventory.table, itemsWith(items, place, NEWER));
  expect(await failures(place.name, false)).toEqual([]);
});

test.each(['reads', 'changes'])('attributes and fields that only a newer version writes fail no %s', async (kind) => {
  await setItems(inventory.table, items.map(withNewerFields));
  expect(await failures('all', kind === 'reads')).toEqual([]);
});

test('a key with a role that only a newer version knows gets 401', async () => {
  const { body: key } = await call(inventory, 'POST', '/v1/api-keys', { name: 'newer role', role: 'Admin' });
  const statusOf = async () =>
    (await inventory.request('GET', '/v1/nodes', { as: null, headers: { Authorization: `Bearer ${key.key}` } })).status;
  expect(await statusOf()).toBe(200);
  const { pk, sk } = apiKeyItemKey(hashApiKeySecret(key.key));
  await writeItem(inventory.table, { update: { pk, sk }, set: { role: NEWER } });
  expect(await statusOf()).toBe(401);
});

test('no request accepts a word that its enumeration lacks', () => {
  const isOpen = new Set<unknown>(openEnums().map(({ schema }) => schema));
  const open: string[] = [];
  for (const { id, params, query, body } of endpoints)
    for (const schema of [params, query, body])
      z.toJSONSchema(schema, {
        ...{ io: 'input', unrepresentable: 'any' },
        override: ({ zodSchema, path }) => void (isOpen.has(zodSchema) && open.push(`${id} ${path.join('.')}`)),
      });
  expect(open).toEqual([]);
});
