import { allApiKeys } from './list-api-keys.ts';
import { addKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, disturbed, itemAt, putItem, withSend } from '../../../tests/support/table.ts';
import { serviceAccountKey } from '../table/keys.ts';
import { findById } from './api-keys.ts';
import {
  addServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  numberOf,
  removeServiceAccount,
} from './service-accounts.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(() => clear(table));

const cause = causeAt(new Date('2026-05-01T10:00:00Z'));
const add = (name: string) => addServiceAccount(table, { name, role: 'Editor' }, cause);
const namesOf = async () => (await allApiKeys(table)).map(({ name }) => name);

test('the number of a text is constant, and exact in programs that print 15 digits', () => {
  expect(numberOf('operator')).toBe(numberOf('operator'));
  const numbers = Array.from({ length: 2000 }, (_, index) => numberOf(`account ${index}`));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const number of numbers) expect(String(number)).toMatch(/^[0-9]{1,15}$/);
});

test('an account is found by its number and listed by name, and a second one with the name is refused', async () => {
  const account = await add('b');
  await add('a');
  expect(account).toEqual({ id: numberOf('b'), name: 'b', role: 'Editor', created_at: cause.now.toISOString() });
  expect(await getServiceAccount(table, account.id)).toEqual(account);
  expect((await listServiceAccounts(table)).map(({ name }) => name)).toEqual(['a', 'b']);
  await expect(add('b')).rejects.toMatchObject({ kind: 'alreadyExists' });
  await expect(getServiceAccount(table, 1)).rejects.toMatchObject({ kind: 'notFound' });
});

test('an account with the number of another one is refused and changes nothing', async () => {
  const key = serviceAccountKey(numberOf('b'));
  const other = { ...key, id: numberOf('b'), name: 'other', role: 'Viewer', created_at: cause.now.toISOString() };
  await putItem(table, other);
  await expect(add('b')).rejects.toMatchObject({ kind: 'alreadyExists' });
  expect(await itemAt(table, key)).toMatchObject({ name: 'other', role: 'Viewer' });
});

test('removing an account removes only its own keys', async () => {
  const { id } = await add('a');
  const { key_id: accountKeyId } = await addKey(table, { name: 'own', service_account: 'a' });
  await addKey(table, { name: 'alone' });
  await addKey(table, { name: 'other', service_account: 'b' });
  await removeServiceAccount(table, id, cause);
  expect(await findById(table, accountKeyId)).toBeUndefined();
  expect(await namesOf()).toEqual(['alone', 'other']);
  await expect(removeServiceAccount(table, id, cause)).rejects.toMatchObject({ kind: 'notFound' });
});

test('an account stays while one of its keys cannot be removed', async () => {
  const { id } = await add('a');
  // Without the account admin, the last permanent Admin key stays.
  await addKey(table, { name: 'last', role: 'Admin', service_account: 'a' });
  await expect(removeServiceAccount(table, id, cause)).rejects.toMatchObject({ kind: 'failedPrecondition' });
  expect([(await getServiceAccount(table, id)).name, await namesOf()]).toEqual(['a', ['last']]);
});

test('an account that another call removes at the same time is not found', async () => {
  const { id } = await add('a');
  const during = () => removeServiceAccount(table, id, cause);
  await expect(removeServiceAccount(disturbed(table, during), id, cause)).rejects.toMatchObject({ kind: 'notFound' });
});

test('a key that is added while its account is removed is removed with it', async () => {
  const { id } = await add('a');
  let late: string | undefined;
  const send = async (command: any) => {
    const steps: any[] = command.input.TransactItems ?? [];
    if (steps.some(({ Delete }) => Delete?.Key.sk === serviceAccountKey(id).sk))
      late ??= (await addKey(table, { name: 'late', service_account: 'a' })).key_id;
    return table.client.send(command);
  };
  await removeServiceAccount(withSend(table, send), id, cause);
  expect([typeof late, await namesOf()]).toEqual(['string', []]);
});
