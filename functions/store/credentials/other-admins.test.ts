import { addKey, apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear } from '../../../tests/support/table.ts';
import { newRecord } from '../../domain/fields/record.ts';
import { NoOtherAdmin, requireOtherAdmin } from './other-admins.ts';
import { addRoleBinding } from './role-bindings.ts';
import { addUser, type User } from './users.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

// The additions count users and bindings with eventually consistent reads.
const { table } = useTable(/USERS|ROLE_BINDINGS/);
beforeEach(() => clear(table));

const now = testTime();
const { created_by } = apiKey();

const user = (more: Partial<User>) => {
  const added = { user_id: 'ann', user_name: 'ann', provider: 'local', role: 'Admin', password_hash: 'h' } as const;
  const times = { version: now.toISOString(), created_at: now.toISOString() };
  return addUser(table, { ...added, ...times, created_by, ...more }, causeAt(now));
};

const binding = (role: 'Admin' | 'Editor') =>
  addRoleBinding(
    table,
    { name: role, provider: 'company', claims: { groups: ['x'] }, role, created_by, ...newRecord(now) },
    causeAt(now),
  );

const check = () => requireOtherAdmin(table, ['company']);

test('the account itself is the only Admin in an empty table', async () => {
  await expect(check()).rejects.toThrow(NoOtherAdmin);
});

test('a user of this service with the role Admin and a password suffices', async () => {
  await user({});
  await check();
});

test('a user without a password, disabled, of a provider, or with another role does not suffice', async () => {
  await user({ user_id: '1', user_name: '1', password_hash: undefined });
  await user({ user_id: '2', user_name: '2', disabled: true });
  await user({ user_id: '3', user_name: '3', provider: 'company' });
  await user({ user_id: '4', user_name: '4', role: 'Editor' });
  await expect(check()).rejects.toThrow(NoOtherAdmin);
});

test('a role binding with the role Admin suffices while its provider is configured', async () => {
  await binding('Editor');
  await expect(check()).rejects.toThrow(NoOtherAdmin);
  await binding('Admin');
  await check();
  await expect(requireOtherAdmin(table, [])).rejects.toThrow(NoOtherAdmin);
});

test('a permanent Admin key suffices', async () => {
  await addKey(table, { role: 'Editor' });
  await addKey(table, { role: 'Admin', expires_at: 4_000_000_000 });
  await expect(check()).rejects.toThrow(NoOtherAdmin);
  await addKey(table, { role: 'Admin' });
  await check();
});
