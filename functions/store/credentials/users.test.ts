import { apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, disturbed, itemAt, putItem } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { MAX_USERS } from '../../domain/access/user.ts';
import { ACCESS_EVENTS_PARTITION, passwordMarkKey, TTL_ATTRIBUTE, userKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import {
  addUser,
  ensureProviderUser,
  findUser,
  listUsers,
  providerUserId,
  removeUser,
  renewUser,
  type User,
} from './users.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

// An addition counts the users with an eventually consistent read.
const { table } = useTable(/USERS/);
beforeEach(() => clear(table));

const now = testTime();
const time = now.toISOString();
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const cause = causeAt(now);
const { created_by } = apiKey();

const user = (name: string, more: Partial<User> = {}): User => ({
  ...{ user_id: name, user_name: name, provider: 'local', role: 'Viewer' },
  ...{ version: time, created_at: time, created_by },
  ...more,
});

async function add(name: string, more: Partial<User> = {}): Promise<User> {
  const added = user(name, more);
  await addUser(table, added, cause);
  return added;
}

const ann = { user_id: 'oidc:1', user_name: 'ann', provider: 'company', subject: '1', role: 'Editor' } as const;

const disable = () => ({ event: 'user.changed', fields: { disabled: true }, after: { disabled: true } }) as const;
const endOf = async (id: string) => (await itemAt(table, passwordMarkKey(id)))?.['account_version'];
const eventItems = () => readCollection(table, ACCESS_EVENTS_PARTITION);
const events = async () =>
  (await eventItems()).map(({ event, subject_id: id }) => `${String(event)} ${String(id)}`).sort();

/** What a caller does whose key was removed while the gateway still admits it. */
function causeOfRemovedKey() {
  const { key_id: id, name } = apiKey();
  return causeAt(now, { actor: { kind: 'api_key', id, name }, credential: { secret: { digest: id, keyId: id } } });
}

test('an added user is found by id and listed by id across pages, and the event contains role, owners and invitation end', async () => {
  const b = await add('b', { role: 'Editor', owners: ['x'], invitation_expires_at: now.getTime() / 1000 + 60 });
  const a = await add('a');
  expect([await findUser(table, 'b'), await findUser(table, 'c')]).toEqual([b, undefined]);
  const first = await listUsers(table, { size: 1, after: undefined });
  expect(first).toEqual({ objects: [a], next: ['a', 'a'] });
  expect(await listUsers(table, { size: 1, after: first.next })).toEqual({ objects: [b], next: undefined });
  expect(await listUsers(table, { size: 2, after: undefined })).toEqual({ objects: [a, b], next: undefined });
  const added = (await eventItems()).find(({ subject_id: id }) => id === 'b');
  expect(added).toMatchObject({
    event: 'user.added',
    after: { role: 'Editor', owners: ['x'], invitation_expires_at: later(60_000).toISOString() },
  });
  expect(await endOf('b')).toBe(time);
});

test('a second user with the name is refused and changes nothing', async () => {
  const first = await add('a');
  await expect(add('a', { role: 'Admin' })).rejects.toMatchObject({ kind: 'alreadyExists' });
  expect(await findUser(table, 'a')).toEqual(first);
  expect(await events()).toEqual(['user.added a']);
});

test('users are added up to the maximum, also by a provider', async () => {
  await Promise.all(
    Array.from({ length: MAX_USERS - 1 }, (_, index) =>
      putItem(table, { ...user(`u${index}`), ...userKey(`u${index}`) }),
    ),
  );
  await add('last');
  const full = { kind: 'resourceExhausted', message: expect.stringContaining(`maximum of ${MAX_USERS} `) };
  await expect(add('too many')).rejects.toMatchObject(full);
  await expect(ensureProviderUser(table, ann, cause)).rejects.toMatchObject(full);
});

test('a caller with an ended key cannot add, change or remove a user', async () => {
  const added = await add('a');
  const by = causeOfRemovedKey();
  const ended = { kind: 'unauthenticated' };
  await expect(addUser(table, user('b'), by)).rejects.toMatchObject(ended);
  await expect(renewUser(table, 'a', disable, by)).rejects.toMatchObject(ended);
  await expect(removeUser(table, 'a', by, [])).rejects.toMatchObject(ended);
  await expect(ensureProviderUser(table, ann, by)).rejects.toMatchObject(ended);
  expect((await listUsers(table, { size: 9, after: undefined })).objects).toEqual([added]);
});

describe('a user of a provider', () => {
  test('has an id that depends only on issuer and subject', () => {
    const id = providerUserId('https://issuer.example', '1');
    expect(id).toMatch(/^oidc:[0-9a-f]{40}$/);
    expect(providerUserId('https://issuer.example', '1')).toBe(id);
    expect(providerUserId('https://issuer.example', '2')).not.toBe(id);
    expect(providerUserId('https://other.example', '1')).not.toBe(id);
  });

  test('is added at the first log-in, without a role for passwords', async () => {
    const added = await ensureProviderUser(table, ann, cause);
    expect(added).toMatchObject({ ...ann, version: time, created_at: time, created_by: cause.actor });
    expect(await findUser(table, ann.user_id)).toEqual(added);
    expect(await itemAt(table, userKey(ann.user_id))).not.toHaveProperty('role');
    expect(await events()).toEqual(['user.added oidc:1']);
  });

  test('has the present name and role after each log-in, which writes only differences', async () => {
    const added = await ensureProviderUser(table, ann, cause);
    const writes: unknown[] = [];
    const watched = disturbed(table, () => Promise.resolve(writes.push('write')));
    expect(await ensureProviderUser(watched, ann, cause)).toEqual(added);
    expect(writes).toEqual([]);
    for (const change of [{ user_name: 'anna' }, { user_name: 'anna', role: 'Viewer' as const }]) {
      const changed = await ensureProviderUser(table, { ...ann, ...change }, cause);
      expect(changed).toEqual({ ...added, ...change });
      expect(await findUser(table, ann.user_id)).toEqual(changed);
    }
  });

  test('that another log-in adds or renames at the same time is the same user', async () => {
    const during = () => ensureProviderUser(table, ann, cause);
    const outcome = await ensureProviderUser(disturbed(table, during), { ...ann, user_name: 'anna' }, cause).catch(
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ kind: 'alreadyExists' });
    const locked = disturbed(table, () => renewUser(table, ann.user_id, disable, cause));
    expect(await ensureProviderUser(locked, { ...ann, user_name: 'anna' }, cause)).toMatchObject({
      user_name: 'anna',
      disabled: true,
    });
  });
});

describe('a change of a user', () => {
  test('ends the sessions: the version grows, also when the clock is behind', async () => {
    await add('a', { password_hash: 'h' });
    const changed = await renewUser(table, 'a', disable, causeAt(later(-5000)));
    expect(changed).toMatchObject({ disabled: true, password_hash: 'h', version: later(1).toISOString() });
    expect([await findUser(table, 'a'), await endOf('a')]).toEqual([changed, changed.version]);
    expect(await renewUser(table, 'a', disable, causeAt(later(9000)))).toMatchObject({
      version: later(9000).toISOString(),
    });
    expect(await events()).toEqual(['user.added a', 'user.changed a', 'user.changed a']);
    expect(await eventItems()).toContainEqual(expect.objectContaining({ after: { disabled: true } }));
  });

  test('removes the fields that it sets to undefined', async () => {
    await add('a', { invitation_hash: 'i', invitation_expires_at: 5 });
    const fields = { invitation_hash: undefined, invitation_expires_at: undefined, password_hash: 'h' };
    await renewUser(table, 'a', () => ({ event: 'user.password_set', fields }), cause);
    expect((await eventItems()).find(({ event }) => event === 'user.password_set')).not.toHaveProperty('after');
    expect(await findUser(table, 'a')).toEqual({ ...user('a'), password_hash: 'h', version: later(1).toISOString() });
  });

  test('without an effect writes nothing, and requires the user', async () => {
    const added = await add('a');
    expect(await renewUser(table, 'a', () => undefined, cause)).toEqual(added);
    await expect(renewUser(table, 'b', disable, cause)).rejects.toMatchObject({ kind: 'notFound' });
    expect(await events()).toEqual(['user.added a']);
  });

  test('beside a simultaneous one takes effect, as both do', async () => {
    await add('a');
    const during = () =>
      renewUser(table, 'a', () => ({ event: 'user.changed', fields: { role: 'Admin' } }), causeAt(later(9)));
    await renewUser(disturbed(table, during), 'a', disable, cause);
    expect(await findUser(table, 'a')).toMatchObject({ role: 'Admin', disabled: true });
  });
});

describe('a removal of a user', () => {
  test("ends the sessions by id and name, in one transaction with the caller's other steps", async () => {
    await ensureProviderUser(table, ann, cause);
    const filter = { pk: 'FILTER', sk: 'f' };
    await putItem(table, filter);
    await removeUser(table, ann.user_id, cause, [{ delete: filter }]);
    expect([await findUser(table, ann.user_id), await itemAt(table, filter)]).toEqual([undefined, undefined]);
    const version = later(1).toISOString();
    expect([await endOf(ann.user_id), await endOf('ann')]).toEqual([version, version]);
    // As long as the last session could last.
    expect((await itemAt(table, passwordMarkKey('ann')))![TTL_ATTRIBUTE]).toBe(now.getTime() / 1000 + 12 * 3600);
    expect(await events()).toContain('user.removed oidc:1');
  });

  test('requires the user, also beside another removal', async () => {
    await add('a');
    await expect(removeUser(table, 'b', cause, [])).rejects.toMatchObject({ kind: 'notFound' });
    const during = () => removeUser(table, 'a', cause, []);
    await expect(removeUser(disturbed(table, during), 'a', cause, [])).rejects.toMatchObject({ kind: 'notFound' });
    expect(await events()).toEqual(['user.added a', 'user.removed a']);
  });
});
