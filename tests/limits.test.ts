/** Limits of what callers share hold for simultaneous calls, and no team uses them up for others. */
import { randomUUID } from 'node:crypto';
import {
  MAX_COMMON_FILTERS,
  MAX_OWN_FILTERS,
  MAX_PINS,
  MAX_TEAM_FILTERS,
} from '../functions/domain/records/saved-filter.ts';
import { MAX_SILENCES, MAX_TEAM_SILENCES } from '../functions/domain/records/silence.ts';
import { hostBounds } from '../functions/domain/access/host-bounds.ts';
import { MAX_ROLE_BINDINGS } from '../functions/domain/access/role-binding.ts';
import { MAX_API_KEYS, MAX_TEAM_KEYS } from '../functions/store/credentials/key-counters.ts';
import { apiKeyCounterKey, apiKeyItemKey, apiKeyNameKey } from '../functions/store/table/keys.ts';
import { apiKey } from './support/credentials.ts';
import { clusterToken } from './support/identity-providers.ts';
import { type Inventory, startInventory } from './support/inventory.ts';
import { logInProgram } from './support/program-logins.ts';
import { addNode } from './support/add.ts';
import { putItem } from './support/table.ts';
import { addLimitedKey, type LimitedKey, requestsWith } from './support/teams.ts';
import { readCollection } from '../functions/store/table/read.ts';
import { filtersOfKey } from '../functions/store/credentials/own-filters.ts';
import { savedFiltersOf } from '../functions/store/table/keys.ts';

let inventory: Inventory;
beforeEach(async () => {
  inventory = await startInventory();
  for (const team of ['a', 'c']) await addNode(inventory, { custom_labels: { team } });
});
afterEach(() => inventory.stop());

const admin = () => requestsWith(inventory, inventory.keys.Admin);

type Request = LimitedKey['request'];

const addFilter = (request: Request, more: object = {}) =>
  request('POST', '/v1/saved-filters', {
    name: randomUUID(),
    list: 'nodes',
    parameters: { region: 'r' },
    shared: false,
    ...more,
  });
const addSilence = (request: Request, selector: string) =>
  request('POST', '/v1/silences', { selector, reason: 'a test', time_to_live: '1h' });
const addKey = (request: Request, more: object = {}) =>
  request('POST', '/v1/api-keys', { name: randomUUID(), role: 'Viewer', ...more });
const addBinding = (request: Request) =>
  request('POST', '/v1/role-bindings', {
    name: randomUUID(),
    ...{ provider: 'cluster', claims: { sub: [randomUUID()] }, role: 'Viewer' },
  });

/** The numbers of successful and of other replies to simultaneous calls. */
async function outcomes(count: number, call: (number: number) => Promise<{ status: number }>) {
  const statuses = (await Promise.all(Array.from({ length: count }, (_, number) => call(number)))).map(
    ({ status }) => status,
  );
  return {
    done: statuses.filter((status) => status < 300).length,
    refused: new Set(statuses.filter((status) => status >= 300)),
  };
}

/** Fills a limit but for `left`, and makes simultaneous calls. */
async function atTheEnd(most: number, call: (number: number) => Promise<{ status: number }>) {
  const left = 3;
  for (let number = 0; number < most - left; number += 1) expect((await call(number)).status).toBeLessThan(300);
  expect(await outcomes(12, (number) => call(most + number))).toEqual({ done: left, refused: new Set([429]) });
}

test('simultaneous calls do not exceed the number of own filters', () =>
  atTheEnd(MAX_OWN_FILTERS, () => addFilter(admin())));

test('simultaneous calls do not exceed the number of shared filters', () =>
  atTheEnd(MAX_COMMON_FILTERS, () => addFilter(admin(), { shared: true })));

test('simultaneous calls do not exceed the number of silences', () =>
  atTheEnd(MAX_SILENCES, (number) => addSilence(admin(), `team=a,c!=${number}`)));

test('simultaneous calls do not exceed the number of role bindings', () =>
  atTheEnd(MAX_ROLE_BINDINGS, () => addBinding(admin())));

test('simultaneous calls of a host do not exceed the number of agents on its node, and an Editor may exceed it', async () => {
  const { body: token } = await admin()('POST', '/v1/enrolment-tokens', { name: 'host' });
  const sourceIp = '10.7.7.7';
  const node = { node_type: 'generic', node_name: 'host', address: sourceIp };
  const enrolment = { as: null, sourceIp, body: { token: token.token, node } };
  const { body: host } = await inventory.request('POST', '/v1/enrolment', enrolment);
  const agent = { agent_type: 'external_exporter', runs_on_node_id: host.node.node_id, listen_port: 9187 };
  const ofHost = requestsWith(inventory, host.api_key.key);
  await atTheEnd(hostBounds.agents, () => ofHost('POST', '/v1/agents', agent));
  expect((await admin()('POST', '/v1/agents', agent)).status).toBe(201);
});

test('simultaneous changes do not exceed the numbers of pins, of own filters and of shared filters', async () => {
  const filters: string[] = [];
  for (let number = 0; number < 20; number += 1) filters.push((await addFilter(admin())).body.saved_filter_id);
  const change = (id: string, body: object) => admin()('PATCH', `/v1/saved-filters/${id}`, body);
  const pins = await outcomes(filters.length, (number) => change(filters[number]!, { pinned: true }));
  expect(pins).toEqual({ done: MAX_PINS, refused: new Set([429]) });
  for (let number = 0; number < MAX_COMMON_FILTERS - 3; number += 1) await addFilter(admin(), { shared: true });
  const shared = await outcomes(filters.length, (number) => change(filters[number]!, { shared: true }));
  expect(shared).toEqual({ done: 3, refused: new Set([429]) });
});

test('a team has a share of the silences, also for simultaneous calls, and replaces its own at the limit', async () => {
  const { request } = await addLimitedKey(inventory, ['a', 'b']);
  await atTheEnd(MAX_TEAM_SILENCES, (number) => addSilence(request, `team=a,c!=${number}`));
  expect((await addSilence(request, 'team=a,c!=0')).status).toBe(201);
  expect((await addSilence(admin(), 'node_type=generic')).status).toBe(201);
  const { request: other } = await addLimitedKey(inventory, ['c']);
  expect((await addSilence(other, 'team=c')).status).toBe(201);
});

test('a team has a share of the shared filters, also for several of its keys', async () => {
  const { request, id } = await addLimitedKey(inventory, ['a', 'b']);
  const { body: part } = await addKey(request, { role: 'Editor', owners: ['a'] });
  expect(id).not.toBe(part.key_id);
  const keys = [request, requestsWith(inventory, part.key)];
  for (let number = 0; number < MAX_TEAM_FILTERS; number += 1)
    expect((await addFilter(keys[number % 2]!, { shared: true })).status).toBe(201);
  expect((await addFilter(request, { shared: true })).status).toBe(429);
  const { body: ownFilter } = await addFilter(request);
  expect((await request('PATCH', `/v1/saved-filters/${ownFilter.saved_filter_id}`, { shared: true })).status).toBe(429);
  expect((await addFilter(admin(), { shared: true })).status).toBe(201);
  const { body } = await request('GET', '/v1/saved-filters');
  expect(body.saved_filters).toHaveLength(MAX_TEAM_FILTERS + 2);
});

test('a team has a share of the API keys, also for simultaneous calls', async () => {
  const { request } = await addLimitedKey(inventory, ['a']);
  const left = 3;
  for (let number = 0; number < MAX_TEAM_KEYS - left; number += 1) {
    const key = apiKey({ name: `k${number}`, owners: ['a'], role: 'Viewer' });
    await putItem(inventory.table, { ...apiKeyItemKey(key.key_id), ...key });
    await putItem(inventory.table, { ...apiKeyNameKey(key.name), key_hash: key.key_id, key_id: key.key_id });
  }
  await putItem(inventory.table, { ...apiKeyCounterKey, api_keys: MAX_API_KEYS - 100, permanent_admins: 2 });
  // The key of the team itself is one of them.
  expect(await outcomes(8, () => addKey(request))).toEqual({ done: left - 1, refused: new Set([429]) });
  expect((await addKey((await addLimitedKey(inventory, ['b'])).request)).status).toBe(201);
});

const itemsOf = (keyId: string) => readCollection(inventory.table, savedFiltersOf(filtersOfKey(keyId)));
const endOf = (time: string) => Date.parse(time) / 1000;

/** Adds a private filter with a pin. */
async function pinned(request: Request): Promise<void> {
  const { body } = await addFilter(request);
  expect((await request('PATCH', `/v1/saved-filters/${body.saved_filter_id}`, { pinned: true })).status).toBe(200);
}

test("private filters and pins of a program's key end with it", async () => {
  await addBinding(admin());
  const claims = { purpose: 'reads' };
  const rules = { provider: 'cluster', claims: { purpose: ['reads'] }, role: 'Viewer' };
  await admin()('POST', '/v1/role-bindings', { name: 'reads', ...rules });
  const { body } = await logInProgram(inventory, await clusterToken(claims), 'cluster');
  await pinned(requestsWith(inventory, body.key));
  const ends = (await itemsOf(body.session_id)).map(({ ttl }) => ttl);
  expect(ends).toEqual([endOf(body.expires_at), endOf(body.expires_at)]);
});

test('private filters of a key end with it, also in the overlap of a rotation and after a new life', async () => {
  const { body: key } = await addKey(admin(), { time_to_live: '1h' });
  await pinned(requestsWith(inventory, key.key));
  inventory.clock.now = new Date(Date.parse(key.expires_at) - 600_000);
  const { body: next } = await admin()('POST', `/v1/api-keys/${key.key_id}/rotate`, { overlap: '5m' });
  expect(next.expires_at).not.toBe(key.expires_at);
  // The former secret.
  expect((await addFilter(requestsWith(inventory, key.key))).status).toBe(201);
  const ends = (await itemsOf(key.key_id)).map(({ ttl }) => ttl);
  expect(ends).toEqual(Array.from({ length: 3 }, () => endOf(next.expires_at)));
});

test('private filters of a permanent key are removed with it, and shared ones stay', async () => {
  const { body: key } = await addKey(admin(), { role: 'Editor' });
  const request = requestsWith(inventory, key.key);
  await pinned(request);
  await addFilter(request, { shared: true });
  expect((await itemsOf(key.key_id)).map(({ ttl }) => ttl)).toEqual([undefined, undefined]);
  await admin()('DELETE', `/v1/api-keys/${key.key_id}`);
  expect(await itemsOf(key.key_id)).toEqual([]);
  expect((await admin()('GET', '/v1/saved-filters')).body.saved_filters).toHaveLength(1);
});
