import { inFull } from '../../../shared/testing/extent.ts';
import type { Table } from '../../../shared/db/table.ts';
import { addKey } from '../../../tests/support/credentials.ts';
import { clear, itemAt, putItem, startTable } from '../../../tests/support/table.ts';
import { apiKeyCounterKey } from '../table/keys.ts';
import { recountKeys } from './recount-keys.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());
afterEach(() => clear(table));

const counter = () => itemAt(table, apiKeyCounterKey);

test('the counts become those of the keys of programs in the list', async () => {
  const count = inFull(30, 4);
  for (let key = 0; key < count; key += 1) await addKey(table, { role: 'Viewer' });
  await addKey(table, { role: 'Admin' });
  await addKey(table, { role: 'Admin', expires_at: 2_000_000_000 });
  await addKey(table, { role: 'Registrar', node_id: 'n', name: 'registrar/host' });
  const right = await counter();
  expect(right).toMatchObject({ api_keys: count + 2, permanent_admins: 1 });
  await putItem(table, { ...apiKeyCounterKey, api_keys: 1000, permanent_admins: 9 });
  await recountKeys(table);
  expect(await counter()).toEqual(right);
});

test('a table without keys gets no counts', async () => {
  await recountKeys(table);
  expect(await counter()).toBeUndefined();
});
