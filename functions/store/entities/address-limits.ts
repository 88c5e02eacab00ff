import { equals } from '../../../shared/db/conditions.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { isLoopback, mayGiveAddress } from '../../domain/fields/address.ts';
import { objectKey } from '../table/keys.ts';
import type { WriteContext } from './write-context.ts';
import type { Entity } from './entity.ts';

const refused = () =>
  new ApiError(
    'permissionDenied',
    'Access denied: this address is neither the source of the request nor allowed by the enrolment token.',
  );

function addressOf(stored: Entity | undefined): string | undefined {
  if (stored === undefined || stored.kind === 'agent') return undefined;
  const address: unknown = Object.entries(stored.object).find(([name]) => name === 'address')?.[1];
  return typeof address === 'string' ? address : undefined;
}

/**
 * A host may give its node and services only addresses that it is allowed to use, because other systems connect to
 * them. An address that the object already has may stay. A service may have the address of its node: a condition of the
 * transaction checks that.
 *
 * @param old the object before; undefined for an add.
 * @throws ApiError `permissionDenied`.
 */
export function addressChecks(
  { addresses, scope }: WriteContext,
  old: Entity | undefined,
  next: Entity,
): TransactItem[] {
  const address = addressOf(next);
  if (addresses === undefined || address === undefined || address === addressOf(old)) return [];
  if (mayGiveAddress(addresses, address)) return [];
  if (next.kind !== 'service' || scope === undefined) throw refused();
  if (isLoopback(address)) return [];
  return [
    {
      check: objectKey('node', scope),
      condition: equals('address', address),
      onConditionFailed: refused,
    },
  ];
}
