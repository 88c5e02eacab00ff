import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { StaleRead, retryOnContention } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { addApiKeySteps, type ApiKey, findByName, replaceApiKeySteps } from './api-keys.ts';
import { changeCredentials } from './change-credentials.ts';
import { type EnrolmentToken, findEnrolmentToken, refusedToken, useTokenSteps } from './enrolment-tokens.ts';
import { nodeNameClaim } from '../table/keys.ts';
import { getObject } from '../entities/get.ts';
import type { Actor, WriteContext } from '../entities/write-context.ts';
import { newPlan, planAdd, assertNotRemoving, toTransactItems } from '../inventory/transaction-plan.ts';
import { type Entity, type EntityFields, toEntity } from '../entities/entity.ts';

/** The name of a node's key. One node has one key: who enrols it again gets a new one, and the old one ends. */
export const registrarName = (nodeName: string) => `registrar/${nodeName}`;

export interface Enrolment {
  requestId: string;
  /** The address that the gateway saw. */
  sourceIp: string;
  clock: () => Date;
  /** Of the token that was presented. */
  tokenHash: string;
  nowSeconds: number;
  /** The node to add, when there is none of its name. */
  node: Item & { node_name: string };
  /** The key to make, by what the token says about it, for the node with this id. */
  keyFor: (token: EnrolmentToken, nodeId: string) => { key: ApiKey; hash: string };
}

const claimSchema = z.object({ owner_id: z.string() });

async function ownerOf(table: Table, nodeName: string): Promise<string | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: nodeNameClaim(nodeName), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : z.parse(claimSchema, Item).owner_id;
}

/** The node as it is, and that it has to be there and stay. */
async function takeOver(
  table: Table,
  nodeId: string,
  writeContext: WriteContext,
): Promise<{ stored: Entity; steps: TransactItem[] }> {
  const entity: Entity = await getObject(table, 'node', nodeId).catch((error: unknown) => {
    // It went between the read of its name and this one.
    throw error instanceof ApiError && error.kind === 'notFound' ? new StaleRead() : error;
  });
  const plan = newPlan(writeContext);
  assertNotRemoving(plan, entity);
  return { stored: entity, steps: await toTransactItems(table, plan) };
}

async function addNew(
  table: Table,
  node: Item,
  writeContext: WriteContext,
): Promise<{ stored: Entity; steps: TransactItem[] }> {
  const entity = toEntity('node', node);
  const plan = newPlan(writeContext);
  planAdd(plan, entity);
  return { stored: entity, steps: await toTransactItems(table, plan) };
}

/**
 * Trades a token for a key that is bound to a node: uses the token up, adds the node or takes over the one of this name,
 * and makes the key, in one transaction. Three serial reads at most before it.
 *
 * @throws ApiError `unauthenticated` for every token that is not good; `permissionDenied` for a node that the token is not
 *   for; `alreadyExists`, `resourceExhausted`. Then the token is still good.
 */
export async function enrol(
  table: Table,
  { requestId, sourceIp, clock, tokenHash, nowSeconds, node, keyFor }: Enrolment,
): Promise<{ node: EntityFields<'node'>['object']; key: ApiKey }> {
  const { node_name: name } = node;
  return retryOnContention(async () => {
    const token = await findEnrolmentToken(table, tokenHash);
    if (token === undefined || token.expires_at <= nowSeconds) throw refusedToken();
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
    const writeContext: WriteContext = {
      actor,
      requestId,
      sourceIp,
      scope: undefined,
      addresses,
      clock,
      minTimestamp: 0,
    };
    const { stored: entity, steps: nodeSteps } = await (ownerId === undefined
      ? addNew(table, node, writeContext)
      : takeOver(table, ownerId, writeContext));
    if (entity.kind !== 'node') throw new Error('not a node');
    const { node_id: nodeId } = entity.object;
    const { key, hash } = keyFor(token, nodeId);
    if (oldKey !== undefined && oldKey.role !== 'Registrar')
      throw new ApiError('alreadyExists', `API key with name "${key.name}" already exists.`);
    const steps = [
      ...useTokenSteps(token, { hash: tokenHash, nowSeconds, nodeId, cause: writeContext }),
      ...nodeSteps,
      ...(oldKey === undefined
        ? addApiKeySteps(key, hash, writeContext)
        : replaceApiKeySteps(oldKey, key, hash, writeContext)),
    ];
    await changeCredentials(table, steps, writeContext);
    return { node: entity.object, key };
  });
}
