import { stale } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { Role } from '../../../shared/auth/roles.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { type ApiKey, type ApiKeyRecord, findApiKey, notFoundKey } from './api-keys.ts';

type TeamLimit = Partial<Pick<WriteContext, 'limit'>>;

/** The roles of keys that an Editor with owners may add. */
const teamRoles: ReadonlySet<Role> = new Set(['Editor', 'Viewer']);

const isPart = (part: readonly string[], whole: readonly string[]) => part.every((owner) => whole.includes(owner));

/** Whether a caller may see and change a key: with owners, only keys with a part of these owners. */
export const isOfTeam = ({ limit }: TeamLimit, { owners }: Pick<ApiKey, 'owners'>): boolean =>
  limit === undefined || (owners !== undefined && isPart(owners, limit.owners));

/**
 * Checks that a caller may change a key. One read for a caller with owners. Owners of a key are only narrowed, so the
 * result stays true.
 *
 * @throws ApiError `notFound` for a key of others: the reply does not reveal that it exists.
 */
export async function checkTeam(table: Table, known: ApiKeyRecord, cause: TeamLimit): Promise<void> {
  if (cause.limit === undefined) return;
  const key = await findApiKey(table, known.key_hash);
  if (key === undefined) throw stale();
  if (!isOfTeam(cause, key)) throw notFoundKey(known.key_id);
}

/**
 * The owners of a new key: those that are given, and by default those of a caller with owners.
 *
 * @throws ApiError `permissionDenied` when a caller with owners gives others, or another role than it may.
 */
export function ownersOfNewKey(
  { limit }: TeamLimit,
  { role, owners }: Pick<ApiKey, 'role' | 'owners'>,
): readonly string[] | undefined {
  if (limit === undefined) return owners;
  if (!teamRoles.has(role))
    throw new ApiError(
      'permissionDenied',
      `Access denied: a key with owners adds keys with the roles Editor and Viewer.`,
    );
  const own = owners ?? limit.owners;
  if (isPart(own, limit.owners)) return own;
  throw new ApiError('permissionDenied', 'Access denied: the owners of the key must be a part of your own.');
}

/**
 * Narrows the owners of a key.
 *
 * @throws ApiError `failedPrecondition` when they would not be a part of the present ones, or for another role.
 */
export function checkNarrower({ role, owners }: ApiKey, next: readonly string[]): void {
  if (!teamRoles.has(role))
    throw new ApiError('failedPrecondition', 'Only a key with the role Editor or Viewer can have owners.');
  if (owners !== undefined && !isPart(next, owners))
    throw new ApiError('failedPrecondition', 'The owners of a key can only be narrowed. Add another key.');
}
