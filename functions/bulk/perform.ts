import { changedAgent, newAgentAt } from '../behaviour/agent.ts';
import { changedNode, newNode } from '../behaviour/node.ts';
import { changedService, newService } from '../behaviour/service.ts';
import type { Services } from '../services.ts';
import { addObject, changeObject, placeOf } from '../table/objects.ts';
import { removeObject } from '../table/removal.ts';
import type { Origin } from '../table/origin.ts';
import { idOf, type Stored } from '../table/stored.ts';
import { type Operation, operationTable } from '../catalogue/batch-operation.ts';

export interface Success {
  status: 200 | 201 | 204;
  id: string;
  body?: Stored['object'];
}

/** What an operation says that ends with an object. */
export const done = (status: 200 | 201, stored: Stored): Success => ({ status, id: idOf(stored), body: stored.object });

function conditionOf({ if_match: revision }: { if_match?: number | undefined }) {
  return { ifMatch: revision === undefined ? undefined : [revision] };
}

/** What the endpoint of that name does. The operation has ids and no labels. */
export async function perform(services: Services, operation: Operation, origin: Origin): Promise<Success> {
  const { table, clock, newId } = services;
  const now = clock();
  const by = { idempotency: undefined, origin };
  switch (operation.op) {
    case 'addNode':
      return done(201, await addObject(table, { kind: 'node', ...by }, () => newNode({ newId, now }, operation.body)));
    case 'addService':
      return done(
        201,
        await addObject(table, { kind: 'service', ...by }, () => newService({ newId, now }, operation.body)),
      );
    case 'addAgent': {
      const { body } = operation;
      const make = async () => newAgentAt({ newId, now }, body, await placeOf(table, body));
      return done(201, await addObject(table, { kind: 'agent', ...by }, make));
    }
    case 'changeNode': {
      const { id, body } = operation;
      const at = { kind: 'node', id, origin, ...conditionOf(operation) } as const;
      return done(200, await changeObject(table, at, (old) => changedNode(old, body)));
    }
    case 'changeService': {
      const { id, body } = operation;
      const at = { kind: 'service', id, origin, ...conditionOf(operation) } as const;
      return done(200, await changeObject(table, at, (old) => changedService(old, body)));
    }
    case 'changeAgent': {
      const { id, body } = operation;
      const at = { kind: 'agent', id, origin, ...conditionOf(operation) } as const;
      return done(200, await changeObject(table, at, (old) => changedAgent(old, body)));
    }
    case 'removeNode':
    case 'removeService':
    case 'removeAgent': {
      const { id, force } = operation;
      const { kind } = operationTable[operation.op];
      await removeObject(table, kind, id, { force, origin, ...conditionOf(operation) });
      return { status: 204, id };
    }
  }
}
