import { addRoleBinding } from '../../functions/store/credentials/role-bindings.ts';
import { type Inventory, startInventory } from './inventory.ts';
import { type LogInServer, settingsFor } from './oidc-log-in.ts';
import { testTime } from './test-time.ts';

/** An inventory in which the group `dba` of the provider has the role Editor. */
export async function startProviderInventory(provider: LogInServer): Promise<Inventory> {
  const inventory = await startInventory({ identityProviders: [await settingsFor(provider)] });
  const actor = { kind: 'system' as const, id: 'test', name: 'test' };
  const record = { created_by: actor, created_at: testTime().toISOString(), updated_at: testTime().toISOString() };
  const binding = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' as const };
  const context = { actor, requestId: 'test', now: testTime() };
  await addRoleBinding(inventory.table, { ...binding, ...record, revision: 1 }, context);
  return inventory;
}
