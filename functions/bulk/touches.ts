import { newAgentAt } from '../behaviour/agent.ts';
import { newNode } from '../behaviour/node.ts';
import { newService } from '../behaviour/service.ts';
import type { Services } from '../services.ts';
import { claimsOf, toStored } from '../table/stored.ts';
import type { Task } from './in-order.ts';
import { type Operation, operationTable, referencesOf } from '../catalogue/batch-operation.ts';

/** Fields of a node that make something unique; what it claimed before a change is not known before it is read. */
const claiming = ['address', 'region', 'container_id'];

function addedBy({ newId, clock }: Services, operation: Operation) {
  const making = { newId, now: clock() };
  if (operation.op === 'addNode' || operation.op === 'upsertNode')
    return toStored('node', newNode(making, operation.body));
  if (operation.op === 'addService' || operation.op === 'upsertService')
    return toStored('service', newService(making, operation.body));
  if (operation.op === 'addAgent' || operation.op === 'upsertAgent')
    return toStored('agent', newAgentAt(making, operation.body, {}));
  return undefined;
}

const isUpsert = ({ op }: Operation) => operationTable[op].verb === 'upsert';
const isChange = ({ op }: Operation) => operationTable[op].verb === 'change';

/**
 * What decides about the outcome of an operation, or is decided by it: the objects that it names, and what is unique of an
 * object that it adds. Operations that have none of this in common come out the same in any order. A removal has to do with
 * everything: who depends on the object is not known before it is read.
 */
function touchesOf(services: Services, operation: Operation): Task<unknown>['touches'] {
  if (operationTable[operation.op].verb === 'remove') return 'everything';
  if (operation.op === 'changeNode' && claiming.some((field) => Object.hasOwn(operation.body, field)))
    return 'everything';
  const added = addedBy(services, operation);
  return [
    ...referencesOf(operation).map(({ text }) => text),
    ...('ref' in operation && operation.ref !== undefined ? [`$${operation.ref}`] : []),
    ...(added === undefined ? [] : claimsOf(added).map(({ pk }) => pk)),
  ];
}

/**
 * What each operation of a batch touches. Which object a declaration is about is not known before it is read: it may be
 * any that a change of the same batch names by its id. And a node that is declared may give away an address or a container
 * id that another one takes.
 */
export function touchesIn(services: Services, operations: readonly Operation[]): Task<unknown>['touches'][] {
  const kindOf = ({ op }: Operation) => operationTable[op].kind;
  const declared = new Set(operations.filter(isUpsert).map(kindOf));
  const mixed = new Set(
    operations
      .filter(isChange)
      .map(kindOf)
      .filter((kind) => declared.has(kind)),
  );
  const claimsPlace = (operation: Operation) =>
    (operation.op === 'addNode' || operation.op === 'upsertNode') &&
    ['region', 'container_id'].some((field) => Object.hasOwn(operation.body, field));
  const placesMove = declared.has('node') && operations.some(claimsPlace);
  return operations.map((operation) => {
    const own = touchesOf(services, operation);
    if (own === 'everything') return own;
    const byIdOrName = mixed.has(kindOf(operation)) && (isUpsert(operation) || isChange(operation));
    const moves = placesMove && (operation.op === 'upsertNode' || claimsPlace(operation));
    return [...own, ...(byIdOrName ? [`any ${kindOf(operation)}`] : []), ...(moves ? ['any place'] : [])];
  });
}
