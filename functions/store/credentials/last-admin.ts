import { PRESENT } from '../../../shared/db/conditions.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { accountKey } from '../table/keys.ts';
import { ACCOUNT_NAME } from './accounts.ts';
import type { ApiKeyRecord } from './api-keys.ts';

class NoAccount extends Error {}

/**
 * Removes or disables a key. The last admin credential cannot end: if the account with a password does not exist, a
 * permanent Admin key must remain after an Admin key ends.
 *
 * @param write the transaction, with these steps. `needsOther`: another permanent Admin key must remain.
 */
export async function endKey(
  { role, disabled, expires_at: end = Infinity }: ApiKeyRecord,
  now: Date,
  write: (steps: readonly TransactItem[], needsOther: boolean) => Promise<void>,
): Promise<void> {
  if (role !== 'Admin' || disabled === true || end <= secondsOf(now)) return write([], false);
  const check = { check: accountKey(ACCOUNT_NAME), condition: PRESENT, onConditionFailed: () => new NoAccount() };
  try {
    await write([check], false);
  } catch (error) {
    if (!(error instanceof NoAccount)) throw error;
    await write([], true);
  }
}
