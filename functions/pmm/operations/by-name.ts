import * as z from 'zod/mini';
import { ApiError } from '../../../shared/core/errors.ts';
import { storedName } from '../../domain/fields/common-fields.ts';
import { claimOwners } from '../../store/entities/claim-owners.ts';
import { nouns } from '../../store/entities/entity.ts';
import { outOfScope } from '../../store/entities/key-scope.ts';
import { nodeNameClaim, serviceNameClaim } from '../../store/table/keys.ts';
import type { WireCall } from '../wire/call.ts';

const claims = { node: nodeNameClaim, service: serviceNameClaim } as const;

interface NameLookup {
  kind: keyof typeof claims;
  name: string;
}

const missing = ({ kind, name }: NameLookup) =>
  new ApiError('notFound', `${nouns[kind]} with name "${name}" not found.`);

/** The ids of the objects with these names, in the same order. @throws ApiError `notFound` for the first missing one. */
export async function idsByName(
  { dependencies: { table } }: WireCall,
  wanted: readonly NameLookup[],
): Promise<string[]> {
  // A longer name could not be the key of a claim.
  const impossible = wanted.find(({ name }) => !z.safeParse(storedName, name).success);
  if (impossible !== undefined) throw missing(impossible);
  const keys = wanted.map(({ kind, name }) => claims[kind](name));
  const owners = await claimOwners(table, keys);
  return wanted.map((objectName, index) => {
    const owner = owners.get(keys[index]?.pk ?? '');
    if (owner === undefined) throw missing(objectName);
    return owner;
  });
}

/**
 * The id of the object with this name. For a caller that is confined, a missing object and one of another host look the
 * same.
 */
export async function idByName(call: WireCall, kind: NameLookup['kind'], name: string): Promise<string> {
  try {
    const [id = ''] = await idsByName(call, [{ kind, name }]);
    return id;
  } catch (error) {
    const isMissing = error instanceof ApiError && error.kind === 'notFound';
    throw isMissing && call.caller().scope !== undefined ? outOfScope() : error;
  }
}
