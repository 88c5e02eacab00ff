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
  if (operation.op === 'addNode') return toStored('node', newNode(making, operation.body));
  if (operation.op === 'addService') return toStored('service', newService(making, operation.body));
  if (operation.op === 'addAgent') return toStored('agent', newAgentAt(making, operation.body, {}));
  return undefined;
}

/**
 * What decides about the outcome of an operation, or is decided by it: the objects that it names, and what is unique of an
 * object that it adds. Operations that have none of this in common come out the same in any order. A removal has to do with
 * everything: who depends on the object is not known before it is read.
 */
export function touchesOf(services: Services, operation: Operation): Task<unknown>['touches'] {
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
