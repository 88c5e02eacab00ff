import { PRESENT } from '../../../shared/db/conditions.ts';
import { apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { clear, disturbed, itemAt } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { apiKeyCounterKey, apiKeyIdKey } from '../table/keys.ts';
import { addApiKey } from './add-api-key.ts';
import { type ApiKey, findApiKey, findById } from './api-keys.ts';
import { findByName } from './named-keys.ts';
import { removeApiKey } from './remove-api-key.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
beforeEach(() => clear(table));
afterEach(async () => expect(await checkInvariants(table)).toEqual([]));

const now = testTime();
const SECONDS = now.getTime() / 1000;
const cause = causeAt(now);
const team = causeAt(now, { limit: { label: 'team', owners: ['a'] } });

async function add(more: Partial<ApiKey> = {}, by = cause, at = table): Promise<ApiKey> {
  const key = apiKey({ name: 'k', ...more });
  await addApiKey(at, key, key.key_id, by);
  return key;
}
const conflict = { kind: 'alreadyExists', message: 'API key with name "k" already exists.' };
const counts = async () => {
  const { api_keys: keys, permanent_admins: admins } = (await itemAt(table, apiKeyCounterKey))!;
  return [keys, admins];
};

test('a key is found by its hash, its id and its name, and counted', async () => {
  const key = await add({ role: 'Admin' });
  expect(await findApiKey(table, key.key_id)).toEqual(key);
  expect(await findByName(table, 'k')).toEqual(await findById(table, key.key_id));
  expect(await counts()).toEqual([1, 1]);
});

test('the name of a working key is taken until its end', async () => {
  for (const more of [{}, { expires_at: SECONDS + 1 }]) {
    const first = await add(more);
    await expect(add()).rejects.toMatchObject(conflict);
    expect((await findByName(table, 'k'))!.key_id).toBe(first.key_id);
    await clear(table);
  }
});

test('an ended key frees its name and its place in the count', async () => {
  const old = await add({ role: 'Admin', expires_at: SECONDS });
  expect(await counts()).toEqual([1, 0]);
  const key = await add({ role: 'Admin' });
  expect([await findApiKey(table, old.key_id), await findById(table, old.key_id)]).toEqual([undefined, undefined]);
  expect(await findApiKey(table, key.key_id)).toEqual(key);
  expect(await counts()).toEqual([1, 1]);
});

test('the ended key of a node keeps its name, because it is counted elsewhere', async () => {
  await add({ role: 'Registrar', node_id: 'n', expires_at: SECONDS });
  await expect(add()).rejects.toMatchObject(conflict);
});

test('a caller with owners replaces only ended keys of its team', async () => {
  await add({ role: 'Viewer', owners: ['b'], expires_at: SECONDS });
  await expect(add({ role: 'Viewer', owners: ['a'] }, team)).rejects.toMatchObject(conflict);
  await clear(table);
  await add({ role: 'Viewer', owners: ['a'], expires_at: SECONDS });
  const key = await add({ role: 'Viewer', owners: ['a'] }, team);
  expect(await findApiKey(table, key.key_id)).toEqual(key);
});

test('an ended key that is removed at the same time does not keep its name', async () => {
  const old = await add({ expires_at: SECONDS });
  // The first transaction meets the name, the second one replaces the key.
  let transactions = 0;
  const send = async (command: any) => {
    if (command.constructor.name === 'TransactWriteCommand' && ++transactions === 2)
      await removeApiKey(table, old.key_id, cause);
    return table.client.send(command);
  };
  const key = await add({}, cause, { ...table, client: { send } as never });
  expect((await findByName(table, 'k'))!.key_id).toBe(key.key_id);
  expect(await counts()).toEqual([1, 0]);
});

test('of two simultaneous keys with one name one is added', async () => {
  await expect(
    add(
      {},
      cause,
      disturbed(table, () => add()),
    ),
  ).rejects.toMatchObject(conflict);
  expect(await counts()).toEqual([1, 0]);
});

test('a key is not added when a condition fails', async () => {
  const condition = { check: apiKeyIdKey('other'), condition: PRESENT, onConditionFailed: () => new Error('refused') };
  const key = apiKey({ name: 'k' });
  await expect(addApiKey(table, key, 'h', cause, () => Promise.resolve([condition]))).rejects.toThrow('refused');
  expect(await findByName(table, 'k')).toBeUndefined();
});
