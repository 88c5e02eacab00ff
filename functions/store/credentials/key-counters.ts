import type { Role } from '../../../shared/auth/roles.ts';
import { isAbove, isAtLeast, isBelow, orAbsent } from '../../../shared/db/conditions.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { apiKeyCounterKey, REGISTRAR_COUNTERS, registrarCounterKey } from '../table/keys.ts';

/** Keys of programs. Exact. */
export const MAX_API_KEYS = 1000;

/** Those with a part of the owners of one caller: a team leaves room for others. Exact among the keys that teams add. */
export const MAX_TEAM_KEYS = 250;

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
  disabled?: true | undefined;
}

/** An Admin key that does not expire and is not disabled. */
export const isPermanentAdmin = (key: Omit<CountedKey, 'name'>) =>
  key.role === 'Admin' && key.expires_at === undefined && key.disabled !== true;

const isRegistrar = ({ role }: CountedKey) => role === 'Registrar';

const limitReached = (most: number) => () =>
  new ApiError('resourceExhausted', `The maximum of ${most} API keys is reached. Remove a key first.`);

/** Counts a new key, up to the limit. */
export function countStep(key: CountedKey): TransactItem {
  if (isRegistrar(key))
    return {
      update: registrarCounterKey(key.name),
      add: { registrars: 1 },
      condition: orAbsent(isBelow('registrars', MAX_PER_COUNTER)),
      onConditionFailed: limitReached(MAX_REGISTRARS),
    };
  return {
    update: apiKeyCounterKey,
    add: { api_keys: 1, permanent_admins: isPermanentAdmin(key) ? 1 : 0 },
    condition: orAbsent(isBelow('api_keys', MAX_API_KEYS)),
    onConditionFailed: limitReached(MAX_API_KEYS),
  };
}

/** Counts a key that takes the place of one that has ended: their number is the same. */
export const replacementCountSteps = (key: CountedKey): TransactItem[] =>
  isPermanentAdmin(key) ? [{ update: apiKeyCounterKey, add: { permanent_admins: 1 } }] : [];

/** @param needsOther whether another permanent Admin key must remain. */
function adminsStep(admins: number, needsOther: boolean, add: Record<string, number> = {}): TransactItem {
  return {
    update: apiKeyCounterKey,
    add: { ...add, permanent_admins: -admins },
    condition: (needsOther ? isAbove : isAtLeast)('permanent_admins', admins),
    onConditionFailed: () =>
      new ApiError('failedPrecondition', 'This is the last permanent Admin credential. Add another Admin key first.'),
  };
}

const adminsOf = (key: CountedKey) => (isPermanentAdmin(key) ? 1 : 0);

/** Counts the removal of a key. @param needsOther as in `adminsStep`. */
export function uncountStep(key: CountedKey, needsOther: boolean): TransactItem {
  // Below 0 after the removal of a key that an earlier version counted elsewhere.
  if (isRegistrar(key)) return { update: registrarCounterKey(key.name), add: { registrars: -1 } };
  return adminsStep(adminsOf(key), needsOther, { api_keys: -1 });
}

/** Counts an Admin key that is disabled or enabled; nothing for another key. @param needsOther as in `adminsStep`. */
export function recountSteps(before: CountedKey, after: CountedKey, needsOther: boolean): TransactItem[] {
  return before.role === 'Admin' ? [adminsStep(adminsOf(before) - adminsOf(after), needsOther)] : [];
}
