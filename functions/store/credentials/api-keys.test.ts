import { absent, and, equals } from '../../../shared/db/conditions.ts';
import { addKey, apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, itemAt } from '../../../tests/support/table.ts';
import { ACCESS_EVENTS_PARTITION, apiKeyCounterKey, apiKeyItemKey, registrarCounterKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { findApiKey, findById, secretsAsRead } from './api-keys.ts';
import { addApiKeySteps, findByName, replaceApiKeySteps } from './named-keys.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { changeCredentials } from './change-credentials.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(() => clear(table));

const counter = () => itemAt(table, apiKeyCounterKey);

test('a key is found by its hash, its id and its name; its add is recorded', async () => {
  const key = await addKey(table, { name: 'k', expires_at: 2_000_000_000, rate_limit_per_minute: 5 });
  const record = { key_hash: key.key_id, key_id: key.key_id, kind: 'api_key', name: 'k', role: 'Viewer' };
  expect(await findApiKey(table, key.key_id)).toEqual(key);
  expect(await findById(table, key.key_id)).toEqual({ ...record, expires_at: 2_000_000_000 });
  expect(await findByName(table, 'k')).toEqual({ ...record, expires_at: 2_000_000_000 });
  expect([await findById(table, 'x'), await findByName(table, 'x'), await findApiKey(table, 'x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(await readCollection(table, ACCESS_EVENTS_PARTITION)).toMatchObject([
    {
      event: 'api_key.added',
      subject_id: key.key_id,
      subject_name: 'k',
      after: { role: 'Viewer', expires_at: '2033-05-18T03:33:20.000Z', rate_limit_per_minute: 5 },
    },
  ]);
});

test('a name is unique, and a refused add changes no count', async () => {
  await addKey(table, { name: 'same' });
  await expect(addKey(table, { name: 'same' })).rejects.toMatchObject({ kind: 'alreadyExists' });
  expect(await counter()).toMatchObject({ api_keys: 1 });
});

test('a replacing key has the name, and nothing of the replaced key remains', async () => {
  const old = await addKey(table, { name: 'k', role: 'Registrar' });
  const record = (await findById(table, old.key_id))!;
  const key = apiKey({ name: 'k', role: 'Registrar' });
  const cause = causeAt(testTime());
  const replace = () => changeCredentials(table, replaceApiKeySteps(record, key, 'new hash', cause), cause);
  await replace();
  expect([await findApiKey(table, old.key_id), await findById(table, old.key_id)]).toEqual([undefined, undefined]);
  expect(await findByName(table, 'k')).toMatchObject({ key_id: key.key_id, key_hash: 'new hash' });
  expect(await itemAt(table, registrarCounterKey('k'))).toMatchObject({ registrars: 1 });
  const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
  expect(events.map(({ event }) => event).sort()).toEqual(['api_key.added', 'api_key.added', 'api_key.removed']);
  await expect(replace()).rejects.toBeDefined();
});

test('the secrets of a key, with the former ones, must be those that were read', () => {
  const record = { key_hash: 'h', key_id: 'i', kind: 'api_key' as const, name: 'n', role: 'Viewer' as const };
  const previous = [{ key_hash: 'old', expires_at: 1 }];
  expect(secretsAsRead(record)).toEqual(and(equals('key_hash', 'h'), absent('previous')));
  expect(secretsAsRead({ ...record, previous })).toEqual(and(equals('key_hash', 'h'), equals('previous', previous)));
});

test('the same hash or id again is refused', async () => {
  const key = await addKey(table);
  const cause = causeAt(testTime());
  const add = (more: object, hash: string) =>
    changeCredentials(table, addApiKeySteps(apiKey(more), hash, cause), cause);
  await expect(add({ key_id: key.key_id }, 'other hash')).rejects.toBeInstanceOf(StaleRead);
  await expect(add({}, key.key_id)).rejects.toBeInstanceOf(StaleRead);
  expect(await findApiKey(table, 'other hash')).toBeUndefined();
});

test('a key with the role Gateway is a Relay for versions that do not know this role', async () => {
  const key = await addKey(table, { role: 'Gateway' });
  expect((await findApiKey(table, key.key_id))?.role).toBe('Gateway');
  expect(await itemAt(table, apiKeyItemKey(key.key_id))).toMatchObject({ role: 'Relay', gateway: true });
  expect((await findById(table, key.key_id))?.role).toBe('Relay');
});
