import { PIN_PREFIX, savedFiltersOf } from '../../../store/table/keys.ts';
import { readCollection } from '../../../store/table/read.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

type Role = 'Viewer' | 'Editor' | 'Admin';

let number = 0;
async function add(as: Role, shared = false) {
  number += 1;
  const body = { name: `filter ${number}`, list: 'nodes', parameters: { state: 'offline' }, shared };
  return (await inventory.request('POST', '/v1/saved-filters', { body, as })).body;
}
const change = ({ saved_filter_id: id }: any, body: object, as: Role, headers: Record<string, string> = {}) =>
  inventory.request('PATCH', `/v1/saved-filters/${id}`, { body, as, headers });
const listed = async (as: Role) => (await inventory.request('GET', '/v1/saved-filters', { as })).body.saved_filters;
const find = async ({ saved_filter_id: id }: any, as: Role) =>
  (await listed(as)).find((filter: any) => filter.saved_filter_id === id);

test('a person changes an own filter: absent fields stay, and an equal change has no effect', async () => {
  const filter = await add('Viewer');
  const renamed = await change(filter, { name: 'Renamed' }, 'Viewer');
  expect(renamed.body).toMatchObject({ name: 'Renamed', parameters: filter.parameters, revision: 2 });
  expect((await change(filter, { name: 'Renamed' }, 'Viewer')).body.revision).toBe(2);
  const other = await change(filter, { parameters: { region: 'eu' } }, 'Viewer');
  expect(await find(filter, 'Viewer')).toEqual(other.body);
  const audit = await inventory.request('GET', `/v1/audit?object_id=${filter.saved_filter_id}`);
  expect(audit.body.entries.map(({ event }: any) => event)).toEqual([
    ...['saved_filter.changed', 'saved_filter.changed', 'saved_filter.added'],
  ]);
});

test('a taken name is a 409, and both filters stay', async () => {
  const [filter, other] = [await add('Viewer'), await add('Viewer')];
  expect((await change(filter, { name: other.name }, 'Viewer')).status).toBe(409);
  expect([await find(filter, 'Viewer'), await find(other, 'Viewer')]).toEqual([filter, other]);
});

test('of two simultaneous changes with If-Match, one succeeds', async () => {
  const filter = await add('Viewer');
  const replies = await Promise.all(
    ['a', 'b', 'c', 'd'].map((region) => change(filter, { parameters: { region } }, 'Viewer', { 'If-Match': '"1"' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  expect((await find(filter, 'Viewer')).revision).toBe(2);
});

test('only the maker or an Admin changes a shared filter', async () => {
  const shared = await add('Admin', true);
  for (const as of ['Viewer', 'Editor'] as const) {
    const reply = await change(shared, { name: 'taken over' }, as);
    expect([as, reply.status, reply.body.message]).toEqual([as, 403, expect.stringContaining('only its maker')]);
  }
  const theirs = await add('Editor', true);
  expect((await change(theirs, { name: 'by an Admin' }, 'Admin')).body).toMatchObject({
    name: 'by an Admin',
    own: false,
  });
  expect((await change(theirs, { shared: false }, 'Admin')).status).toBe(403);
});

test("another person's private filter is not found, also by an Admin", async () => {
  const filter = await add('Viewer');
  for (const as of ['Editor', 'Admin'] as const) expect((await change(filter, { name: 'x' }, as)).status).toBe(404);
});

test('sharing requires the role Editor, and a filter is never both shared and private', async () => {
  expect((await change(await add('Viewer'), { shared: true }, 'Viewer')).status).toBe(403);
  const filter = await add('Editor');
  expect((await change(filter, { shared: true }, 'Editor')).body).toMatchObject({ shared: true, revision: 2 });
  const copies = (await listed('Editor')).filter(
    (savedFilter: any) => savedFilter.saved_filter_id === filter.saved_filter_id,
  );
  expect([copies.length, (await find(filter, 'Viewer')).own]).toEqual([1, false]);
  await change(filter, { shared: false }, 'Editor');
  expect([await find(filter, 'Viewer'), (await find(filter, 'Editor')).shared]).toEqual([undefined, false]);
});

test('everybody pins shared filters for themselves, which does not change the filter', async () => {
  const filter = await add('Admin', true);
  const pinned = await change(filter, { pinned: true }, 'Viewer');
  expect([pinned.status, pinned.body]).toEqual([200, { ...filter, own: false, pinned: true }]);
  expect([(await find(filter, 'Viewer')).pinned, (await find(filter, 'Editor')).pinned]).toEqual([true, false]);
  expect((await change(filter, { pinned: false }, 'Viewer')).body.pinned).toBe(false);
  expect((await find(filter, 'Viewer')).pinned).toBe(false);
});

test('a person has at most 10 pins; those of removed filters do not count, and the next pin deletes them', async () => {
  const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'pins', role: 'Viewer' } });
  const headers = { Authorization: `Bearer ${body.key}` };
  const filters = [];
  for (let count = 0; count < 12; count += 1) filters.push(await add('Admin', true));
  const pin = async ({ saved_filter_id: id }: any) =>
    (await inventory.request('PATCH', `/v1/saved-filters/${id}`, { as: null, headers, body: { pinned: true } })).status;
  const statuses = [];
  for (const filter of filters.slice(0, 11)) statuses.push(await pin(filter));
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  await inventory.request('DELETE', `/v1/saved-filters/${filters[0].saved_filter_id}`);
  const pinned = async () => {
    const items = await readCollection(inventory.table, savedFiltersOf(`key/${body.key_id}`), PIN_PREFIX);
    return items.map(({ sk }) => String(sk).slice(PIN_PREFIX.length)).sort();
  };
  expect(await pinned()).toContain(filters[0].saved_filter_id);
  expect(await pin(filters[11])).toBe(200);
  expect(await pin(filters[10])).toBe(429);
  const kept = [...filters.slice(1, 10), filters[11]].map(({ saved_filter_id: id }) => id);
  expect(await pinned()).toEqual(kept.sort());
});
