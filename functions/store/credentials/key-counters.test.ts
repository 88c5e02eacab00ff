import { inFull } from '../../../shared/testing/extent.ts';
import { addKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, itemAt, putItem } from '../../../tests/support/table.ts';
import { apiKeyCounterKey, REGISTRAR_COUNTERS, registrarCounterKey } from '../table/keys.ts';
import { registrarName } from './enrol-node.ts';
import { isPermanentAdmin, MAX_API_KEYS, MAX_PER_COUNTER, MAX_REGISTRARS } from './key-counters.ts';
import { removeApiKey } from './remove-api-key.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(() => clear(table));

const programs = () => itemAt(table, apiKeyCounterKey);
const hosts = (name: string) => itemAt(table, registrarCounterKey(name));
const limitOf = (most: number) => ({
  kind: 'resourceExhausted',
  message: `The maximum of ${most} API keys is reached. Remove a key first.`,
});

test('keys, node keys and permanent Admin keys are counted', async () => {
  await addKey(table, { role: 'Admin' });
  await addKey(table, { role: 'Admin', expires_at: 2_000_000_000 });
  await addKey(table, { role: 'Registrar', node_id: 'n', name: 'host' });
  expect(await programs()).toMatchObject({ api_keys: 2, permanent_admins: 1 });
  expect(await hosts('host')).toMatchObject({ registrars: 1 });
  expect([isPermanentAdmin({ role: 'Admin' }), isPermanentAdmin({ role: 'Editor' })]).toEqual([true, false]);
  expect(isPermanentAdmin({ role: 'Admin', expires_at: 1 })).toBe(false);
});

test('a program gets keys up to its maximum', async () => {
  await putItem(table, { ...apiKeyCounterKey, api_keys: 999, permanent_admins: 0 });
  await addKey(table);
  await expect(addKey(table)).rejects.toMatchObject(limitOf(1000));
  expect(await programs()).toMatchObject({ api_keys: MAX_API_KEYS });
  // Keys of nodes have a maximum of their own.
  await expect(addKey(table, { role: 'Registrar' })).resolves.toBeDefined();
});

test('a node counter takes keys up to its maximum, and further ones after a removal', async () => {
  const name = 'registrar/full';
  const { key_id: id } = await addKey(table, { role: 'Registrar', name });
  await putItem(table, { ...registrarCounterKey(name), registrars: MAX_PER_COUNTER });
  const other = Array.from({ length: 1000 }, (_, index) => `registrar/${index}`).find(
    (candidate) => registrarCounterKey(candidate).sk === registrarCounterKey(name).sk,
  )!;
  await expect(addKey(table, { role: 'Registrar', name: other })).rejects.toMatchObject(limitOf(1_000_000));
  await removeApiKey(table, id, causeAt(testTime()));
  await addKey(table, { role: 'Registrar', name: other });
  expect(await hosts(name)).toMatchObject({ registrars: MAX_PER_COUNTER });
  await expect(addKey(table)).resolves.toBeDefined();
});

test('1,000,000 hosts fit, with sequential names and with random ones', () => {
  const hosts = inFull(MAX_REGISTRARS, 100_000);
  // The short form allows the deviation of its fewer names.
  const most = inFull(MAX_PER_COUNTER, 2000);
  const counts = { serial: new Map<string, number>(), random: new Map<string, number>() };
  const count = (of: Map<string, number>, name: string) => {
    const { sk } = registrarCounterKey(registrarName(name));
    of.set(sk, (of.get(sk) ?? 0) + 1);
  };
  // A generator of Lehmer: the same letters in each run.
  for (let index = 0, letters = 1; index < hosts; index += 1) {
    letters = (letters * 48_271) % 2_147_483_647;
    count(counts.serial, `web-${index}.example.com`);
    count(counts.random, `ip-${letters.toString(36)}`);
  }
  for (const of of Object.values(counts)) {
    expect(of.size).toBe(REGISTRAR_COUNTERS);
    expect(Math.max(...of.values())).toBeLessThan(most);
  }
});

test('a key that an earlier version counted can be removed, and the sum of the counts stays exact', async () => {
  const { key_id: id } = await addKey(table, { role: 'Registrar', name: 'old' });
  await putItem(table, { ...registrarCounterKey('old'), registrars: 0 });
  await putItem(table, { ...apiKeyCounterKey, api_keys: 0, registrars: 1, permanent_admins: 0 });
  await removeApiKey(table, id, causeAt(testTime()));
  expect([await programs(), await hosts('old')]).toMatchObject([{ registrars: 1 }, { registrars: -1 }]);
});
