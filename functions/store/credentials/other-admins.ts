import type { Table } from '../../../shared/db/table.ts';
import { isPermanentAdmin, MAX_API_KEYS } from './key-counters.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listRoleBindings } from './role-bindings.ts';
import { listUsers } from './users.ts';
import { MAX_ROLE_BINDINGS } from '../../domain/access/role-binding.ts';
import { LOCAL_PROVIDER, MAX_USERS } from '../../domain/access/user.ts';

/** The account `admin` cannot be disabled. The message is for the operator. */
export class NoOtherAdmin extends Error {
  constructor() {
    super(
      'The account admin cannot be disabled, because nobody else is an Admin: first add a user with the role Admin who has ' +
        'set a password, a role binding with the role Admin for a configured provider, or an Admin key that does not expire.',
    );
    this.name = 'NoOtherAdmin';
  }
}

const isAdmin = ({ role }: { role: string }) => role === 'Admin';

/**
 * Checks that an Admin can call the service without the account `admin`: a user of this service with a password, the
 * identities of a role binding, or a key without an end. Users of a provider get their role from bindings. Three
 * queries, and the reads of the keys.
 *
 * @param providers names of the configured identity providers.
 * @throws NoOtherAdmin
 */
export async function requireOtherAdmin(table: Table, providers: readonly string[]): Promise<void> {
  const after = undefined;
  const { objects: users } = await listUsers(table, { size: MAX_USERS, after });
  const isPresent = users.some(
    (user) =>
      isAdmin(user) && user.provider === LOCAL_PROVIDER && user.disabled !== true && user.password_hash !== undefined,
  );
  if (isPresent) return;
  const { objects: bindings } = await listRoleBindings(table, { size: MAX_ROLE_BINDINGS, after });
  if (bindings.some((binding) => isAdmin(binding) && providers.includes(binding.provider))) return;
  const { objects: keys } = await listApiKeys(table, { size: MAX_API_KEYS, after }, { excludeHosts: true });
  if (!keys.some(isPermanentAdmin)) throw new NoOtherAdmin();
}
