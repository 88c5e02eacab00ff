import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { ranks } from '../../../shared/auth/roles.ts';
import { ABSENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { API_KEYS_PARTITION, SERVICE_ACCOUNT_PREFIX, serviceAccountKey } from '../table/keys.ts';
import { additionStep } from '../table/additions.ts';
import { readCollection, readItem } from '../table/read.ts';
import { deletion } from './api-keys.ts';
import { changeCredentials } from './change-credentials.ts';
import { MAX_API_KEYS } from './key-counters.ts';
import { allApiKeys } from './list-api-keys.ts';
import { removeApiKey } from './remove-api-key.ts';

const accountSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** The role of its keys. */
  role: openEnum(ranks),
  created_at: z.string(),
});

/** A group of keys with one role. It grants nothing itself. */
export type ServiceAccount = z.output<typeof accountSchema>;

/** 48 bits: programs that print numbers with 15 digits keep it. */
const NUMBER_DIGITS = 12;

/**
 * The integer by which Grafana's API names an account or a key: the same for the same text. Two accounts never have the
 * same one, because it is the key of their item.
 *
 * @param text the name of an account, or the id of a key.
 */
export const numberOf = (text: string) => Number.parseInt(hash('sha256', text).slice(0, NUMBER_DIGITS), 16);

export const noServiceAccount = (id: number) => new ApiError('notFound', `Service account with ID ${id} not found.`);

/** All accounts, by their names. */
export async function listServiceAccounts(table: Table): Promise<ServiceAccount[]> {
  const items = await readCollection(table, API_KEYS_PARTITION, SERVICE_ACCOUNT_PREFIX);
  const accounts = items.map((item) => z.parse(accountSchema, item));
  return accounts.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** @throws ApiError `notFound`. */
export async function getServiceAccount(table: Table, id: number): Promise<ServiceAccount> {
  const item = await readItem(table, serviceAccountKey(id));
  if (item === undefined) throw noServiceAccount(id);
  return z.parse(accountSchema, item);
}

const subjectOf = ({ id, name }: ServiceAccount) => ({ id: String(id), name });

/** @throws ApiError `alreadyExists`, `resourceExhausted` at the limit. */
export async function addServiceAccount(
  table: Table,
  { name, role }: Pick<ServiceAccount, 'name' | 'role'>,
  cause: AccessContext,
): Promise<ServiceAccount> {
  const account = { id: numberOf(name), name, role, created_at: cause.now.toISOString() };
  await retryOnContention(table, async () => {
    const addition = await additionStep(table, `${API_KEYS_PARTITION}#${SERVICE_ACCOUNT_PREFIX}`, cause.now);
    if ((await listServiceAccounts(table)).length >= MAX_API_KEYS)
      throw new ApiError(
        'resourceExhausted',
        `The maximum of ${MAX_API_KEYS} service accounts is reached. Remove one first.`,
      );
    const steps = [
      {
        put: { ...serviceAccountKey(account.id), ...account },
        condition: ABSENT,
        onConditionFailed: () => new ApiError('alreadyExists', `Service account with name "${name}" already exists.`),
      },
      addition,
      accessStep({ event: 'service_account.added', subject: subjectOf(account), after: { role } }, cause),
    ];
    await changeCredentials(table, steps, cause);
  });
  return account;
}

async function removeKeys(table: Table, { name }: ServiceAccount, cause: AccessContext): Promise<void> {
  const accountKeys = (await allApiKeys(table)).filter(({ service_account: of }) => of === name);
  for (const { key_id: id } of accountKeys)
    try {
      await removeApiKey(table, id, cause);
    } catch (error) {
      // Another call has removed it.
      if (!(error instanceof ApiError && error.kind === 'notFound')) throw error;
    }
}

/**
 * Removes an account with its keys, as `removeApiKey` does. The account is removed after its keys, so that a refused removal can
 * be repeated; keys that were added during the removal are removed last.
 *
 * @throws ApiError `notFound`; as `removeApiKey`.
 */
export async function removeServiceAccount(table: Table, id: number, cause: AccessContext): Promise<void> {
  const account = await getServiceAccount(table, id);
  await removeKeys(table, account, cause);
  const event = accessStep({ event: 'service_account.removed', subject: subjectOf(account) }, cause);
  await retryOnContention(table, async () => {
    await getServiceAccount(table, id);
    await changeCredentials(table, [deletion(serviceAccountKey(id)), event], cause);
  });
  await removeKeys(table, account, cause);
}
