import { fakeTable, putItem } from '../../../tests/support/table.ts';
import type { Actor } from '../entities/write-context.ts';
import { putAccount } from '../credentials/accounts.ts';
import { accountKey, apiKeyIdKey, passwordMarkKey, roleBindingKey, sessionIdKey } from '../table/keys.ts';
import { isStillValid } from './credential-check.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const SINCE = '2026-05-01T10:00:00.000Z';
const BEFORE = '2026-05-01T09:59:59.999Z';
const AFTER = '2026-05-01T10:00:00.001Z';
const now = new Date('2026-05-01T11:00:00Z');
const SECONDS = now.getTime() / 1000;

const isValid = (kind: Actor['kind'], id: string, name = 'nobody') =>
  isStillValid(table, { kind, id, name }, { since: SINCE, now });
const key = (id: string, more: object = {}) => putItem(table, { ...apiKeyIdKey(id), ...more });
const account = (name: string, updated_at: string) =>
  putAccount(table, { name, role: 'Admin', password_hash: 'x', created_at: BEFORE, updated_at });

test('a key is valid while it exists and has not expired', async () => {
  await key('permanent');
  await key('later', { expires_at: SECONDS + 1 });
  await key('now', { expires_at: SECONDS });
  const valid = await Promise.all(['permanent', 'later', 'now', 'missing'].map((id) => isValid('api_key', id)));
  expect(valid).toEqual([true, true, false, false]);
});

test("a user is valid while the password is that of the job's start", async () => {
  await account('same', SINCE);
  await account('changed', AFTER);
  const valid = await Promise.all(['same', 'changed', 'removed'].map((name) => isValid('user', name, name)));
  expect(valid).toEqual([true, false, true]);
});

test('a new password applies to the account and its mark', async () => {
  await putItem(table, { ...accountKey('account'), updated_at: AFTER });
  await putItem(table, { ...passwordMarkKey('mark'), account_version: AFTER });
  await putItem(table, { ...passwordMarkKey('old mark'), account_version: SINCE });
  expect(await isValid('user', 'x', 'account')).toBe(false);
  expect(await isValid('user', 'x', 'mark')).toBe(false);
  expect(await isValid('user', 'x', 'old mark')).toBe(true);
});

test('a session must exist, with the same password of its user', async () => {
  await putItem(table, { ...sessionIdKey('session'), expires_at: SECONDS + 1 });
  await account('user of a session', BEFORE);
  expect(await isValid('session', 'session', 'user of a session')).toBe(true);
  expect(await isValid('session', 'ended', 'user of a session')).toBe(false);
  await account('user of a session', AFTER);
  expect(await isValid('session', 'session', 'user of a session')).toBe(false);
  // The password of an account with the name of an API key does not matter.
  await key('of an API key', {});
  expect(await isValid('api_key', 'of an API key', 'user of a session')).toBe(true);
});

test("a program's key must exist among log-in keys", async () => {
  await putItem(table, { ...sessionIdKey('program'), expires_at: SECONDS + 1 });
  const of = (provider: string | undefined) =>
    isStillValid(table, { kind: 'api_key', id: 'program', name: 'nobody' }, { since: SINCE, now, provider });
  expect(await of('ci')).toBe(true);
  expect(await of(undefined)).toBe(false);
});

test("the credential's role bindings must have their versions", async () => {
  await key('of a program', { expires_at: SECONDS + 1 });
  await putItem(table, { ...roleBindingKey('one'), created_at: BEFORE });
  await putItem(table, { ...roleBindingKey('two'), created_at: BEFORE, version: `${BEFORE}/3` });
  const actor = { kind: 'api_key', id: 'of a program', name: 'ci' } as const;
  const isValidWith = (restsOn: Record<string, string>) => isStillValid(table, actor, { since: SINCE, now, restsOn });
  expect(await isValidWith({ one: BEFORE, two: `${BEFORE}/3` })).toBe(true);
  for (const ended of [{ one: SINCE }, { two: BEFORE }, { two: `${BEFORE}/2` }, { removed: BEFORE }])
    expect([ended, await isValidWith({ one: BEFORE, ...ended })]).toEqual([ended, false]);
});

test('without a reply of the table the validity is unknown', async () => {
  const failing = fakeTable(() => {
    throw new Error('no reply');
  });
  await expect(isStillValid(failing, { kind: 'user', id: 'x', name: 'x' }, { since: SINCE, now })).rejects.toThrow(
    'no reply',
  );
});
