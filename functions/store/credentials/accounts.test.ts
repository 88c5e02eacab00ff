import { itemAt } from '../../../tests/support/table.ts';
import { passwordMarkKey } from '../table/keys.ts';
import { type Account, ensureSecretAccount, findAccount, putAccount, versionOfAccount } from './accounts.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const TIME = '2026-05-01T10:00:00.000Z';
const account = (name: string, more: object): Account => ({
  name,
  role: 'Admin',
  created_at: TIME,
  updated_at: TIME,
  password_hash: 'hash',
  ...more,
});

test('an account is found by its name, and the mark has the time of its password', async () => {
  await putAccount(table, account('a', {}));
  expect(await findAccount(table, 'a')).toEqual(account('a', {}));
  expect(await findAccount(table, 'b')).toBeUndefined();
  await putAccount(table, account('a', { password_hash: 'new', updated_at: '2026-05-02T00:00:00.000Z' }));
  expect(await findAccount(table, 'a')).toMatchObject({ password_hash: 'new' });
  expect(await itemAt(table, passwordMarkKey('a'))).toMatchObject({
    user_name: 'a',
    account_version: '2026-05-02T00:00:00.000Z',
  });
});

test('the version is the later one of the account and its secret', () => {
  const at = (milliseconds: number) => versionOfAccount(account('a', {}), new Date(Date.parse(TIME) + milliseconds));
  expect(versionOfAccount(account('a', {}), undefined)).toBe(TIME);
  expect([at(-1), at(0), at(1)]).toEqual([TIME, TIME, '2026-05-01T10:00:00.001Z']);
});

test('an account with the same secret stays; another secret or a hash replaces it', async () => {
  const secret = (secret_arn: string, updated_at: string) => ({
    ...{ name: 's', role: 'Admin' as const, created_at: TIME },
    secret_arn,
    updated_at,
  });
  const later = '2026-05-02T00:00:00.000Z';
  await putAccount(table, account('s', {}));
  await ensureSecretAccount(table, secret('arn:1', TIME));
  expect(await findAccount(table, 's')).toEqual(secret('arn:1', TIME));
  await ensureSecretAccount(table, secret('arn:1', later));
  expect(await findAccount(table, 's')).toMatchObject({ updated_at: TIME });
  await ensureSecretAccount(table, secret('arn:2', later));
  expect(await findAccount(table, 's')).toEqual(secret('arn:2', later));
});
