import { apiKeyPrefix } from '../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import type { RandomBytes } from '../../../shared/auth/base62.ts';
import type { GivenRole } from '../../../shared/auth/roles.ts';
import { PRESENT } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import { endOf } from '../../domain/fields/duration.ts';
import { writeContextOf } from '../entities/write-context.ts';
import { serviceAccountKey } from '../table/keys.ts';
import { addApiKey } from './add-api-key.ts';
import type { ApiKey } from './api-keys.ts';
import { inheritedBindings } from '../entities/binding-versions.ts';
import { ownersOfNewKey, rateOfNewKey, teamShareSteps } from './team-keys.ts';
import { noServiceAccount, type ServiceAccount } from './service-accounts.ts';

interface Maker {
  table: Table;
  ownerLabel?: string | undefined;
  clock: () => Date;
  newId: () => string;
  randomBytes: RandomBytes;
}

/** The settings of a new key. */
interface Addition {
  name: string;
  role: GivenRole;
  /** Seconds; undefined: no end. */
  time_to_live?: number | undefined;
  rate_limit_per_minute?: number | undefined;
  owners?: string[] | undefined;
}

/**
 * Adds a key with a new secret for the caller. Every call that adds a key for a program uses this
 * function.
 *
 * @param account the service account of the key, which must exist.
 * @returns the key, and its secret, which is stored nowhere.
 * @throws ApiError as `addApiKey` and `ownersOfNewKey`; `notFound` when the account was removed.
 */
export async function makeApiKey(
  request: Parameters<typeof writeContextOf>[0],
  { table, clock, newId, randomBytes, ownerLabel }: Maker,
  { name, role, time_to_live: life, rate_limit_per_minute: rate, owners: given }: Addition,
  account?: ServiceAccount,
): Promise<{ apiKey: ApiKey; secret: string }> {
  const secret = newApiKeySecret(randomBytes);
  const writeContext = writeContextOf(request, { clock, ownerLabel });
  const { now, actor } = writeContext;
  const owners = ownersOfNewKey(writeContext, { role, owners: given });
  const limited = rateOfNewKey(writeContext, request.caller(), rate);
  const apiKey: ApiKey = {
    key_id: newId(),
    kind: 'api_key',
    name,
    role,
    prefix: apiKeyPrefix(secret),
    created_at: now.toISOString(),
    created_by: actor,
    ...endOf(life, now),
    ...limited.fields,
    ...(owners === undefined ? {} : { owners: [...owners] }),
    ...(account === undefined ? {} : { service_account: account.name }),
    ...inheritedBindings(writeContext),
  };
  const conditions =
    account === undefined
      ? []
      : [
          {
            check: serviceAccountKey(account.id),
            condition: PRESENT,
            onConditionFailed: () => noServiceAccount(account.id),
          },
        ];
  await addApiKey(table, apiKey, hashApiKeySecret(secret), writeContext, async () => [
    ...conditions,
    ...limited.conditions,
    ...(await teamShareSteps(table, writeContext)),
  ]);
  return { apiKey, secret };
}
