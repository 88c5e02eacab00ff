import * as z from 'zod/mini';
import { ABSENT, absent, and, equals, stale } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { apiKeyIdKey, apiKeyNameKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import {
  addedStep,
  addition,
  type ApiKey,
  apiKeyItem,
  type ApiKeyRecord,
  findById,
  idItem,
  secretsAsRead,
  subjectOf,
  textsOf,
} from './api-keys.ts';
import { countStep } from './key-counters.ts';

/** The condition that the end of the key is the one that was read: it was neither disabled nor enabled in the meantime. */
const endAsRead = ({ disabled, expires_at: end }: ApiKeyRecord) =>
  disabled === true
    ? and(equals('expires_at', 0), equals('enabled_expires_at', end))
    : and(equals('expires_at', end), absent('enabled_expires_at'));

/** The items of a key by its hash and by its id. */
function putSteps(key: ApiKey, hash: string): TransactItem[] {
  return [addition(apiKeyItem(key, hash)), addition(idItem(hash, key))];
}

/** Another API key has the name. */
export class KeyNameConflict extends ApiError {
  constructor(name: string) {
    super('alreadyExists', `API key with name "${name}" already exists.`);
  }
}

/** The items of a new key: by hash, by id and by name, its count, and its audit event. */
export function addApiKeySteps(key: ApiKey, hash: string, cause: AccessContext): TransactItem[] {
  const { key_id: keyId, name } = key;
  return [
    {
      put: { ...apiKeyNameKey(name), key_hash: hash, key_id: keyId },
      condition: ABSENT,
      onConditionFailed: () => new KeyNameConflict(name),
    },
    countStep(key),
    ...putSteps(key, hash),
    addedStep(key, cause),
  ];
}

const namedSchema = z.object({ key_hash: z.string(), key_id: z.string() });

/** The key with this name. Two strongly consistent reads. */
export async function findByName(table: Table, name: string): Promise<ApiKeyRecord | undefined> {
  const item = await readItem(table, apiKeyNameKey(name));
  return item === undefined ? undefined : findById(table, z.parse(namedSchema, item).key_id);
}

/** Replaces a key by another one with the same name. All secrets of the replaced key end at once. */
export function replaceApiKeySteps(old: ApiKeyRecord, key: ApiKey, hash: string, cause: AccessContext): TransactItem[] {
  return [
    ...pointSteps(old, key, hash),
    ...textsOf(old),
    { delete: apiKeyIdKey(old.key_id), condition: and(secretsAsRead(old), endAsRead(old)), onConditionFailed: stale },
    ...putSteps(key, hash),
    accessStep({ event: 'api_key.removed', subject: subjectOf(old) }, cause),
    addedStep(key, cause),
  ];
}

/** Makes the name refer to another secret. */
export function pointSteps(
  old: ApiKeyRecord,
  { key_id: keyId, name }: Pick<ApiKey, 'key_id' | 'name'>,
  hash: string,
): TransactItem[] {
  return [
    {
      put: { ...apiKeyNameKey(name), key_hash: hash, key_id: keyId },
      condition: equals('key_hash', old.key_hash),
      onConditionFailed: stale,
    },
  ];
}
