import * as z from 'zod/mini';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { isAbove, PRESENT } from '../../../shared/db/conditions.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { timeOf } from '../../domain/fields/time.ts';
import { accessStep, type AccessContext } from '../audit/access-events.ts';
import { addition } from './api-keys.ts';
import { bindingChecks } from '../entities/binding-versions.ts';
import { changeCredentials } from './change-credentials.ts';
import {
  ENROLMENT_TOKEN_PREFIX,
  ENROLMENT_TOKENS_PARTITION,
  enrolmentTokenIdKey,
  enrolmentTokenKey,
  TTL_ATTRIBUTE,
} from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { queryUpTo, readItem } from '../table/read.ts';

/**
 * A stored token: everything except the token itself. Exists until the token is used, removed, or deleted after its
 * expiry.
 */
const tokenSchema = z.object({
  token_id: z.string(),
  name: z.string(),
  /** The first characters, by which people recognise the token. */
  prefix: z.string(),
  created_at: z.string(),
  created_by: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  /** Seconds since 1970. */
  expires_at: z.int(),
  /** The only node that it may enrol. Only a token with this field may take over an existing node. */
  node_name: z.optional(z.string()),
  /** Addresses that the host may give besides its source address. */
  allowed_addresses: z.optional(z.array(z.string())),
  /** Properties of the key that the token is exchanged for. */
  key_seconds: z.optional(z.int()),
  key_rate_limit_per_minute: z.optional(z.int()),
  /** The owner of the node and of everything that the host writes. */
  owner: z.optional(z.string()),
  /** The role bindings on which it rests, with their versions (binding-versions.ts). */
  rests_on: z.optional(z.record(z.string(), z.string())),
});

export type EnrolmentToken = z.output<typeof tokenSchema>;

const hashed = z.object({ token_hash: z.string(), name: z.string() });

/** @throws ApiError as `changeCredentials`, also when the key of the host could end later than the key of the caller. */
export async function addEnrolmentToken(
  table: Table,
  token: EnrolmentToken,
  hash: string,
  cause: AccessContext,
  more: readonly TransactItem[] = [],
): Promise<void> {
  const { token_id: id, name, node_name, allowed_addresses: addresses } = token;
  const after = {
    ...timeOf('expires_at', token.expires_at),
    node_name,
    owner: token.owner,
    ...(addresses === undefined ? {} : { allowed_addresses: addresses.join(' ') }),
  };
  const ttl = { [TTL_ATTRIBUTE]: token.expires_at };
  const steps: TransactItem[] = [
    addition({ ...token, ...ttl, ...enrolmentTokenKey(hash) }),
    addition({ ...token, ...ttl, token_hash: hash, ...enrolmentTokenIdKey(token.token_id) }),
    accessStep({ event: 'enrolment_token.added', subject: { id, name }, after }, cause),
    ...more,
  ];
  const until = token.expires_at + (token.key_seconds ?? Infinity);
  await retryOnContention(table, () => changeCredentials(table, steps, cause, { until }));
}

/** The token with this hash. One strongly consistent read. */
export async function findEnrolmentToken(table: Table, hash: string): Promise<EnrolmentToken | undefined> {
  const item = await readItem(table, enrolmentTokenKey(hash));
  return item === undefined ? undefined : z.parse(tokenSchema, item);
}

/** Tokens by id, including expired ones that DynamoDB has not deleted yet. One query. */
export async function listEnrolmentTokens(table: Table, { size, after }: PageOptions): Promise<Page<EnrolmentToken>> {
  const { items, more } = await queryUpTo(table, {
    partition: ENROLMENT_TOKENS_PARTITION,
    sort: ENROLMENT_TOKEN_PREFIX,
    ConsistentRead: true,
    size,
    ExclusiveStartKey: after && enrolmentTokenIdKey(after[0]),
  });
  const last = items.at(-1);
  const id = String(last?.['sk']).slice(ENROLMENT_TOKEN_PREFIX.length);
  return {
    objects: items.map((item) => z.parse(tokenSchema, item)),
    next: more && last !== undefined ? [id, id] : undefined,
  };
}

/** @throws ApiError `notFound`, also for a token that was used. */
export async function removeEnrolmentToken(table: Table, tokenId: string, cause: AccessContext): Promise<void> {
  const notFound = () => new ApiError('notFound', `Enrolment token with ID "${tokenId}" not found.`);
  const item = await readItem(table, enrolmentTokenIdKey(tokenId));
  if (item === undefined) throw notFound();
  const { token_hash: hash, name } = z.parse(hashed, item);
  const steps: TransactItem[] = [
    { delete: enrolmentTokenIdKey(tokenId), condition: PRESENT, onConditionFailed: notFound },
    // DynamoDB deletes the two expired items independently, so this one may be missing.
    { delete: enrolmentTokenKey(hash) },
    accessStep({ event: 'enrolment_token.removed', subject: { id: tokenId, name } }, cause),
  ];
  await retryOnContention(table, () => changeCredentials(table, steps, cause));
}

/** One error for malformed, unknown, used, removed and expired tokens: the caller cannot distinguish them. */
export const refusedToken = () => new ApiError('unauthenticated', 'Invalid enrolment token');

/** For an API key in place of a token. Its form alone is known: the key is not read. */
export const keyAsToken = () =>
  new ApiError('unauthenticated', 'This is an API key, not an enrolment token: send it in the header Authorization.');

/** Consumes the token, on condition that it exists, has not expired, and rests on no binding that was removed or narrowed. */
export function useTokenSteps(
  { token_id: id, name, rests_on: restsOn }: EnrolmentToken,
  { hash, now, nodeId, cause }: { hash: string; now: Date; nodeId: string; cause: AccessContext },
): TransactItem[] {
  return [
    {
      delete: enrolmentTokenKey(hash),
      condition: isAbove('expires_at', secondsOf(now)),
      onConditionFailed: refusedToken,
    },
    { delete: enrolmentTokenIdKey(id) },
    ...bindingChecks(restsOn, refusedToken),
    accessStep({ event: 'enrolment_token.used', subject: { id, name }, after: { node_id: nodeId } }, cause),
  ];
}
