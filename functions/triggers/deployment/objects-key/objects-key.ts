import { hashApiKeySecret, isApiKeySecret, newApiKeySecret } from '../../../../shared/auth/api-key-text.ts';
import type { VersionedSecret } from '../../../../shared/aws/secret-versions.ts';
import { apiKeyPrefix } from '../../../../shared/core/api-key-pattern.ts';
import { secondsOf } from '../../../../shared/core/seconds.ts';
import type { Table } from '../../../../shared/db/table.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import type { AccessContext } from '../../../store/audit/access-events.ts';
import { addApiKey } from '../../../store/credentials/add-api-key.ts';
import { type ApiKey, type ApiKeyRecord, findApiKey } from '../../../store/credentials/api-keys.ts';
import { findByName } from '../../../store/credentials/named-keys.ts';
import { removeApiKey } from '../../../store/credentials/remove-api-key.ts';

/** The name of the key with which the objects of CDK stacks are written. */
export const OBJECTS_KEY = 'cdk-objects';

const actor = { kind: 'system', id: 'deployment', name: 'deployment' } as const;

/** A key that this deployment did not make has the name. */
export class ObjectsKeyNameConflict extends Error {
  constructor() {
    super(
      `The API key "${OBJECTS_KEY}" was not made by a deployment. Store it in the secret of the objects' key, or remove it.`,
    );
  }
}

type Maker = Pick<Dependencies, 'table' | 'clock' | 'newId' | 'randomBytes'>;

type StoredSecret = Pick<VersionedSecret, 'write'> & { read: () => Promise<{ text: string }> };

const causeOf = ({ clock, newId }: Maker): AccessContext => ({ actor, requestId: newId(), now: clock() });

/** Whether the text is the newest secret of a key that has not ended. One that is disabled counts: an Admin can enable it. */
async function isNewestSecret({ table, clock }: Maker, text: string): Promise<boolean> {
  if (!isApiKeySecret(text)) return false;
  const key = await findApiKey(table, hashApiKeySecret(text));
  if (key === undefined || key.superseded === true) return false;
  return (key.expires_at ?? Infinity) > secondsOf(clock());
}

/** The key of this name that a deployment made. @throws ObjectsKeyNameConflict */
async function findOwn(table: Table): Promise<ApiKeyRecord | undefined> {
  const record = await findByName(table, OBJECTS_KEY);
  if (record === undefined) return undefined;
  const key = await findApiKey(table, record.key_hash);
  if (key?.created_by.kind !== actor.kind || key.created_by.id !== actor.id) throw new ObjectsKeyNameConflict();
  return record;
}

/**
 * Makes the key, unless the secret contains one, which may be another one that an Admin stored there. A key that an Admin removed is
 * made again with another secret: the former one may have leaked. One that was rotated without the secret is replaced.
 *
 * @throws ObjectsKeyNameConflict; ApiError at the limit of keys.
 */
export async function ensureObjectsKey(maker: Maker, secret: StoredSecret): Promise<void> {
  const { table, newId, randomBytes } = maker;
  const { text } = await secret.read();
  // A file of the command line ends with a line break.
  if (await isNewestSecret(maker, text.trim())) return;
  const former = await findOwn(table);
  const made = newApiKeySecret(randomBytes);
  // First: the next attempt replaces a secret without a key.
  await secret.write(made);
  const cause = causeOf(maker);
  if (former !== undefined) await removeApiKey(table, former.key_id, cause);
  const key: ApiKey = {
    key_id: newId(),
    kind: 'api_key',
    name: OBJECTS_KEY,
    role: 'Editor',
    prefix: apiKeyPrefix(made),
    created_at: cause.now.toISOString(),
    created_by: actor,
  };
  await addApiKey(table, key, hashApiKeySecret(made), cause);
}

/** Removes the key that a deployment made; one that an Admin has put in its place stays. */
export async function removeObjectsKey(maker: Maker): Promise<void> {
  const ownKey = await findOwn(maker.table).catch((error: unknown) => {
    if (error instanceof ObjectsKeyNameConflict) return undefined;
    throw error;
  });
  if (ownKey !== undefined) await removeApiKey(maker.table, ownKey.key_id, causeOf(maker));
}
