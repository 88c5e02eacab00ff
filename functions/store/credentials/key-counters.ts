import type { Role } from '../../../shared/auth/roles.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { apiKeyCounterKey, REGISTRAR_COUNTERS, registrarCounterKey } from '../table/keys.ts';

/** Keys of programs. Exact. */
export const MAX_API_KEYS = 1000;

/** Keys of nodes are counted separately: one exists for each enrolled host. The limit is at least this number: see MAX_PER_COUNTER. */
export const MAX_REGISTRARS = 1_000_000;

/**
 * The limit of one counter of the keys of nodes. Hashes spread names unevenly: of 1,000,000 names, a counter gets 15,625
 * with a standard deviation of 124. 5 % more is six of these deviations.
 */
export const MAX_PER_COUNTER = Math.ceil((MAX_REGISTRARS / REGISTRAR_COUNTERS) * 1.05);

interface CountedKey {
  name: string;
  role: Role;
  expires_at?: number | undefined;
}

/** An Admin key that does not expire. */
export const isPermanentAdmin = (key: Pick<CountedKey, 'role' | 'expires_at'>) =>
  key.role === 'Admin' && key.expires_at === undefined;

const isRegistrar = ({ role }: CountedKey) => role === 'Registrar';

const limitReached = (most: number) => () =>
  new ApiError('resourceExhausted', `The maximum of ${most} API keys is reached. Remove a key first.`);

/** Counts a new key, up to the limit. */
export function countStep(key: CountedKey): TransactItem {
  if (isRegistrar(key))
    return {
      Update: {
        Key: registrarCounterKey(key.name),
        UpdateExpression: 'ADD registrars :one',
        ConditionExpression: 'attribute_not_exists(registrars) OR registrars < :most',
        ExpressionAttributeValues: { ':one': 1, ':most': MAX_PER_COUNTER },
      },
      onConditionFailed: limitReached(MAX_REGISTRARS),
    };
  return {
    Update: {
      Key: apiKeyCounterKey,
      UpdateExpression: 'ADD api_keys :one, permanent_admins :admins',
      ConditionExpression: 'attribute_not_exists(api_keys) OR api_keys < :most',
      ExpressionAttributeValues: { ':one': 1, ':admins': isPermanentAdmin(key) ? 1 : 0, ':most': MAX_API_KEYS },
    },
    onConditionFailed: limitReached(MAX_API_KEYS),
  };
}

/**
 * Counts the removal of a key.
 *
 * @param remains `key`: another permanent Admin key must remain.
 */
export function uncountStep(key: CountedKey, remains: 'nothing' | 'account' | 'key'): TransactItem {
  // Below 0 after the removal of a key that an earlier version counted elsewhere.
  if (isRegistrar(key))
    return {
      Update: {
        Key: registrarCounterKey(key.name),
        UpdateExpression: 'ADD registrars :minusOne',
        ExpressionAttributeValues: { ':minusOne': -1 },
      },
    };
  const admins = isPermanentAdmin(key) ? 1 : 0;
  return {
    Update: {
      Key: apiKeyCounterKey,
      UpdateExpression: 'ADD api_keys :minusOne, permanent_admins :minusAdmins',
      ConditionExpression: remains === 'key' ? 'permanent_admins > :admins' : 'permanent_admins >= :admins',
      ExpressionAttributeValues: { ':minusOne': -1, ':minusAdmins': -admins, ':admins': admins },
    },
    onConditionFailed: () =>
      new ApiError('failedPrecondition', 'This is the last permanent Admin credential. Add another Admin key first.'),
  };
}
