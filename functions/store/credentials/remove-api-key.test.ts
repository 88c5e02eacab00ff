import { addKey, apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, itemAt, putItem } from '../../../tests/support/table.ts';
import { ACCESS_EVENTS_PARTITION, apiKeyCounterKey, registrarCounterKey, savedFilterKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { putAccount } from './accounts.ts';
import { findApiKey, findById, findSecret } from './api-keys.ts';
import { findByName } from './named-keys.ts';
import { filtersOfKey } from './own-filters.ts';
import { addProgramKey } from './program-keys.ts';
import { removeApiKey } from './remove-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(() => clear(table));

const now = new Date('2026-05-01T10:00:00Z');
const SECONDS = now.getTime() / 1000;
const cause = causeAt(now);
const remove = (id: string) => removeApiKey(table, id, cause);
const counter = () => itemAt(table, apiKeyCounterKey);
const isLast = { kind: 'failedPrecondition', message: expect.stringContaining('last permanent Admin credential') };

test('a key is removed with all its secrets, its name and its count', async () => {
  const { key_id: id } = await addKey(table, { name: 'k' });
  const rotation = { hash: 'second', prefix: 'p', overlapSeconds: 60, cause, rotatedBy: 'admin' as const };
  await rotateApiKey(table, id, rotation);
  await remove(id);
  expect([await findApiKey(table, id), await findApiKey(table, 'second')]).toEqual([undefined, undefined]);
  expect([await findById(table, id), await findByName(table, 'k')]).toEqual([undefined, undefined]);
  expect(await counter()).toMatchObject({ api_keys: 0, permanent_admins: 0 });
  const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
  expect(events.filter(({ event }) => event === 'api_key.removed')).toMatchObject([
    { subject_id: id, subject_name: 'k' },
  ]);
  await expect(remove(id)).rejects.toMatchObject({ kind: 'notFound' });
});

test('node keys are counted separately, and a session is no key', async () => {
  const { key_id: id, name } = await addKey(table, { role: 'Registrar' });
  await addKey(table);
  await remove(id);
  expect([await counter(), await itemAt(table, registrarCounterKey(name))]).toMatchObject([
    { api_keys: 1 },
    { registrars: 0 },
  ]);
  const session = await addKey(table, { kind: 'session' });
  await expect(remove(session.key_id)).rejects.toMatchObject({ kind: 'notFound' });
});

describe('without an account', () => {
  test('the last permanent Admin key stays', async () => {
    const [first, second] = [await addKey(table, { role: 'Admin' }), await addKey(table, { role: 'Admin' })];
    await remove(first.key_id);
    await expect(remove(second.key_id)).rejects.toMatchObject(isLast);
    expect(await counter()).toMatchObject({ api_keys: 1, permanent_admins: 1 });
  });

  test('an expiring Admin key stays without a permanent one, until its end', async () => {
    const [later, expired] = [
      await addKey(table, { role: 'Admin', expires_at: SECONDS + 1 }),
      await addKey(table, { role: 'Admin', expires_at: SECONDS }),
    ];
    await expect(remove(later.key_id)).rejects.toMatchObject(isLast);
    await remove(expired.key_id);
    await addKey(table, { role: 'Admin' });
    await remove(later.key_id);
    expect(await counter()).toMatchObject({ api_keys: 1, permanent_admins: 1 });
  });

  test('a key of another role can be removed', async () => {
    const { key_id: id } = await addKey(table, { role: 'Editor' });
    await expect(remove(id)).resolves.toBeUndefined();
  });
});

test('with an account every key can be removed', async () => {
  const updated_at = now.toISOString();
  await putAccount(table, { name: 'admin', role: 'Admin', password_hash: 'x', created_at: updated_at, updated_at });
  const { key_id: id } = await addKey(table, { role: 'Admin' });
  await remove(id);
  expect(await counter()).toMatchObject({ api_keys: 0, permanent_admins: 0 });
});

test('a caller with owners removes only keys of its team', async () => {
  const team = causeAt(now, { limit: { label: 'team', owners: ['a', 'b'] } });
  const teamKey = await addKey(table, { role: 'Editor', owners: ['a'] });
  const other = await addKey(table, { role: 'Editor', owners: ['c'] });
  await expect(removeApiKey(table, other.key_id, team)).rejects.toMatchObject({ kind: 'notFound' });
  await removeApiKey(table, teamKey.key_id, team);
  expect([await findApiKey(table, teamKey.key_id), await findApiKey(table, other.key_id)]).toEqual([undefined, other]);
});

test("a program's key, which is neither listed nor counted, is removed by its id", async () => {
  const program = { ...apiKey({ role: 'Editor' }), provider: 'ci', expires_at: SECONDS + 60 };
  await addProgramKey(table, { key: program, hash: program.key_id, bindings: [] }, cause, []);
  const storedKey = () => findSecret(table, program, program.key_id);
  expect(await storedKey()).toEqual(program);
  await remove(program.key_id);
  expect(await storedKey()).toBeUndefined();
  expect(await counter()).toBeUndefined();
});

test('removing a key removes its private filters and pins', async () => {
  const { key_id: id } = await addKey(table);
  const filter = savedFilterKey(filtersOfKey(id), 'nodes', 'f');
  const other = savedFilterKey(filtersOfKey('other'), 'nodes', 'f');
  for (const item of [filter, other]) await putItem(table, item);
  await remove(id);
  expect([await itemAt(table, filter), await itemAt(table, other)]).toEqual([undefined, other]);
});
