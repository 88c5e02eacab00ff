import { ApiError } from '../../../shared/http/errors.ts';
import { claimOwners } from '../../store/entities/claim-owners.ts';
import { nouns } from '../../store/entities/entity.ts';
import { outOfScope } from '../../store/entities/key-scope.ts';
import { nodeNameClaim, serviceNameClaim } from '../../store/table/keys.ts';
import type { Call } from '../wire/call.ts';

const claims = { node: nodeNameClaim, service: serviceNameClaim } as const;

/**
 * The id of the object with this name. For a caller that is confined, a missing object and one of another host look the
 * same.
 */
export async function idByName(
  { caller, dependencies: { table } }: Call,
  kind: keyof typeof claims,
  name: string,
): Promise<string> {
  const claim = claims[kind](name);
  const owner = (await claimOwners(table, [claim])).get(claim.pk);
  if (owner !== undefined) return owner;
  if (caller().scope !== undefined) throw outOfScope();
  throw new ApiError('notFound', `${nouns[kind]} with name "${name}" not found.`);
}
