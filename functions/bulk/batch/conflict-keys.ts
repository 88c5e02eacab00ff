import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Key } from '../../../shared/db/table.ts';
import { newAgentAt } from '../../transitions/agent.ts';
import { newNode } from '../../transitions/node.ts';
import { newService } from '../../transitions/service.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { nodeNameClaim } from '../../store/table/keys.ts';
import { claimOwners } from '../../store/entities/claim-owners.ts';
import { toEntity } from '../../store/entities/entity.ts';
import { claimsOf } from '../../store/entities/derived-items.ts';
import type { Task } from '../scheduler.ts';
import { type Operation, operationTable, referencesOf } from '../../domain/bulk/batch-operation.ts';

/** Fields of a node with claims. The claims that a change gives up are known only after a read. */
const claiming = ['address', 'region', 'container_id'];

function addedBy({ newId, clock }: Dependencies, operation: Operation) {
  const creationContext = { newId, now: clock() };
  if (operation.op === 'addNode' || operation.op === 'upsertNode')
    return toEntity('node', newNode(creationContext, operation.body));
  if (operation.op === 'addService' || operation.op === 'upsertService')
    return toEntity('service', newService(creationContext, operation.body));
  if (operation.op === 'addAgent' || operation.op === 'upsertAgent')
    return toEntity('agent', newAgentAt(creationContext, operation.body, {}));
  return undefined;
}

const isUpsert = ({ op }: Operation) => operationTable[op].verb === 'upsert';
const isChange = ({ op }: Operation) => operationTable[op].verb === 'change';

/** An operation, and the claims of the object that it can add: that of the name is the first. */
interface OperationWithClaims {
  operation: Operation;
  claims: readonly Key[];
}

/** Computes the claims of each operation once, for the functions of this module. */
export const withClaims = (dependencies: Dependencies, operations: readonly Operation[]): OperationWithClaims[] =>
  operations.map((operation) => {
    const added = addedBy(dependencies, operation);
    return { operation, claims: added === undefined ? [] : claimsOf(added) };
  });

/**
 * The conflict keys of an operation: the objects that it refers to, and the claims of an object that it adds.
 * Operations without a common key have the same outcome in any order. A removal conflicts with everything: the
 * dependants of the object are known only after a read.
 */
function conflictKeysOf({ operation, claims }: OperationWithClaims): Task<unknown>['conflictKeys'] {
  if (operationTable[operation.op].verb === 'remove') return 'everything';
  if (operation.op === 'changeNode' && claiming.some((field) => Object.hasOwn(operation.body, field)))
    return 'everything';
  return [
    ...referencesOf(operation).map(({ text }) => text),
    ...('ref' in operation && operation.ref !== undefined ? [`$${operation.ref}`] : []),
    ...claims.map(({ pk }) => pk),
  ];
}

/** The operations that add or upsert a node: its name, and the claims of its address in a region and of its container. */
function nodesIn(batch: readonly OperationWithClaims[]) {
  return batch.flatMap(({ operation, claims }) =>
    operation.op === 'addNode' || operation.op === 'upsertNode'
      ? [{ operation, name: operation.body.node_name, places: claims.slice(1) }]
      : [],
  );
}

/** Ids of the nodes that hold claims, by the partition of the claim. */
export type ClaimOwners = ReadonlyMap<string, string>;

/**
 * The present owners of the claims that the nodes of a batch take. An upsert may give up an address or a container id
 * that another operation takes. One round of strongly consistent batch reads; none when no claim can move.
 */
export async function readClaimOwners(
  { table }: Pick<Dependencies, 'table'>,
  batch: readonly OperationWithClaims[],
): Promise<ClaimOwners> {
  const nodes = nodesIn(batch);
  const places = nodes.flatMap((node) => node.places);
  const declared = nodes.filter(({ operation }) => isUpsert(operation));
  if (places.length === 0 || declared.length === 0) return new Map();
  const keys = [...places, ...declared.map(({ name }) => nodeNameClaim(name))];
  return retryOnContention(table, () => claimOwners(table, keys));
}

/**
 * A node that moves gives up claims, which it held before the batch or by an earlier operation. So an operation that
 * takes such a claim conflicts with the operations on that node.
 */
function movesIn(batch: readonly OperationWithClaims[], holders: ClaimOwners) {
  const nodes = nodesIn(batch);
  const placesByName = new Map<string, string[]>();
  for (const { name, places } of nodes)
    placesByName.set(name, [...(placesByName.get(name) ?? []), ...places.map(({ pk }) => pk)]);
  const moves = nodes.map(({ operation, name }): [Operation, string[]] => {
    const places = placesByName.get(name) ?? [];
    const owners = [nodeNameClaim(name).pk, ...places].flatMap((claim) => holders.get(claim) ?? []);
    return [operation, [...places, ...owners.map((id) => `holder ${id}`)]];
  });
  return new Map(moves);
}

/**
 * The conflict keys of each operation of a batch. The object of an upsert is known only after a read: a change of the
 * same batch may refer to it by its id, and may give up its natural key. So upserts and changes of the same kind
 * conflict when a batch contains both.
 */
export function conflictKeysIn(
  batch: readonly OperationWithClaims[],
  holders: ClaimOwners,
): Task<unknown>['conflictKeys'][] {
  const operations = batch.map(({ operation }) => operation);
  const kindOf = ({ op }: Operation) => operationTable[op].kind;
  const declared = new Set(operations.filter(isUpsert).map(kindOf));
  const mixed = new Set(
    operations
      .filter(isChange)
      .map(kindOf)
      .filter((kind) => declared.has(kind)),
  );
  const movesOf = movesIn(batch, holders);
  return batch.map((entry) => {
    const { operation } = entry;
    const ownKeys = conflictKeysOf(entry);
    if (ownKeys === 'everything') return ownKeys;
    const moves = movesOf.get(operation) ?? [];
    const isOfAny = isUpsert(operation) || isChange(operation) || moves.length > 0;
    return [...ownKeys, ...(mixed.has(kindOf(operation)) && isOfAny ? [`any ${kindOf(operation)}`] : []), ...moves];
  });
}
