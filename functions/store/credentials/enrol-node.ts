import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { REGISTRAR_PREFIX } from '../../domain/access/api-key.ts';
import { newValueViolations } from '../../domain/fields/stored-values.ts';
import { nodeAddition } from '../../domain/node/schema.ts';
import { type ApiKey } from './api-keys.ts';
import { addApiKeySteps, findByName, replaceApiKeySteps } from './named-keys.ts';
import { changeCredentials } from './change-credentials.ts';
import { type EnrolmentToken, findEnrolmentToken, refusedToken, useTokenSteps } from './enrolment-tokens.ts';
import { nodeNameClaim } from '../table/keys.ts';
import { readFrom } from '../table/read.ts';
import { claimant } from '../entities/claim-owners.ts';
import { getObject } from '../entities/get.ts';
import { type Actor, jobContext, limitOf, type WriteContext } from '../entities/write-context.ts';
import { foreignOwner, isWithinOwners } from '../entities/owner-limit.ts';
import { assertNotRemoving, assertUnchanged, newPlan, planAdd } from '../inventory/transaction-plan.ts';
import { toTransactItems } from '../inventory/transact-items.ts';
import { type Entity, type EntityFields, toEntity } from '../entities/entity.ts';

/** The name of a node's API key. A node has one key: a repeated enrolment replaces it, and the previous secrets end. */
export const registrarName = (nodeName: string) => REGISTRAR_PREFIX + nodeName;

export interface Enrolment {
  requestId: string;
  /** The source address, as the gateway saw it. */
  sourceIp: string;
  clock: () => Date;
  /** Default: `team`. */
  ownerLabel?: string | undefined;
  /** Hash of the token that was presented. */
  tokenHash: string;
  now: Date;
  /** The node to add when none with its name exists. */
  node: Item & { node_name: string };
  /** The key for the node with this id, according to the token. */
  keyFor: (token: EnrolmentToken, nodeId: string) => { key: ApiKey; hash: string };
}

async function ownerOf(table: Table, nodeName: string): Promise<string | undefined> {
  const claim = await readFrom(table)(nodeNameClaim(nodeName));
  return claim && claimant(claim);
}

/** The existing node, with the condition that it is not being removed. */
async function takeOver(
  table: Table,
  nodeId: string,
  writeContext: WriteContext,
): Promise<{ stored: Entity; steps: TransactItem[] }> {
  const entity: Entity = await getObject(table, 'node', nodeId).catch((error: unknown) => {
    // The node was removed after its claim was read.
    throw error instanceof ApiError && error.kind === 'notFound' ? new StaleRead() : error;
  });
  const { limit } = writeContext;
  if (limit !== undefined && !isWithinOwners(limit, entity)) throw foreignOwner(entity, limit);
  const plan = newPlan(writeContext);
  assertNotRemoving(plan, entity);
  // The key that the host gets is for this owner.
  if (limit !== undefined) assertUnchanged(plan, entity);
  return { stored: entity, steps: await toTransactItems(table, plan) };
}

/** @throws ApiError `invalidArgument` for a node that cannot be added. */
function checkEnrolled(node: Item): void {
  const wrong = newValueViolations(nodeAddition, node).map((violation) => ({
    ...violation,
    field: `node.${violation.field}`,
  }));
  if (wrong.length > 0) throw invalidRequest(wrong);
}

async function addNew(
  table: Table,
  node: Item,
  writeContext: WriteContext,
): Promise<{ stored: Entity; steps: TransactItem[] }> {
  checkEnrolled(node);
  const plan = newPlan(writeContext);
  const entity = planAdd(plan, toEntity('node', node));
  return { stored: entity, steps: await toTransactItems(table, plan) };
}

/**
 * Exchanges a token for a key of a node. One transaction consumes the token, adds the node or takes over the node with
 * this name, and adds the key. At most three serial reads before it. After an error the token is still valid.
 *
 * @throws ApiError `unauthenticated` for an invalid token; `permissionDenied` for a node that the token does not
 *   permit; `alreadyExists`, `resourceExhausted`.
 */
export async function enrol(
  table: Table,
  { requestId, sourceIp, clock, ownerLabel, tokenHash, now, node, keyFor }: Enrolment,
): Promise<{ node: EntityFields<'node'>['object']; key: ApiKey }> {
  const { node_name: name } = node;
  return retryOnContention(table, async () => {
    const token = await findEnrolmentToken(table, tokenHash);
    if (token === undefined || token.expires_at <= secondsOf(now)) throw refusedToken();
    if (token.node_name !== undefined && token.node_name !== name)
      throw new ApiError('permissionDenied', 'Access denied: this token is for another node.');
    const [ownerId, oldKey] = await Promise.all([ownerOf(table, name), findByName(table, registrarName(name))]);
    if (ownerId !== undefined && token.node_name === undefined)
      throw new ApiError(
        'alreadyExists',
        `Node with name "${name}" already exists. To enrol it again, use a token for this node.`,
      );
    const actor: Actor = { kind: 'enrolment_token', id: token.token_id, name: token.name };
    const addresses = { source: sourceIp, allowed: token.allowed_addresses ?? [] };
    const limit = limitOf({ owners: token.owner === undefined ? undefined : [token.owner] }, { ownerLabel });
    const writeContext = { ...jobContext({ actor, requestId, limit, ownerLabel }, clock), now, sourceIp, addresses };
    const { stored: entity, steps: nodeSteps } = await (ownerId === undefined
      ? addNew(table, node, writeContext)
      : takeOver(table, ownerId, writeContext));
    if (entity.kind !== 'node') throw new Error('not a node');
    const { node_id: nodeId } = entity.object;
    const { key, hash } = keyFor(token, nodeId);
    if (oldKey !== undefined && oldKey.role !== 'Registrar')
      throw new ApiError('alreadyExists', `API key with name "${key.name}" already exists.`);
    const steps = [
      ...useTokenSteps(token, { hash: tokenHash, now, nodeId, cause: writeContext }),
      ...nodeSteps,
      ...(oldKey === undefined
        ? addApiKeySteps(key, hash, writeContext)
        : replaceApiKeySteps(oldKey, key, hash, writeContext)),
    ];
    await changeCredentials(table, steps, writeContext);
    return { node: entity.object, key };
  });
}
