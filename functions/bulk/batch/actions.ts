import type { Item } from '../../../shared/db/table.ts';
import { agentUpsertion, changedAgent, keyOfDeclared, newAgentAt } from '../../transitions/agent.ts';
import { changedNode, newNode, nodeUpsertion } from '../../transitions/node.ts';
import { changedService, newService, serviceUpsertion } from '../../transitions/service.ts';
import type { AgentPlace } from '../../domain/agent/lifecycle.ts';
import { type Operation, operationTable } from '../../domain/bulk/batch-operation.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { type EntityFields, toEntity } from '../../store/entities/entity.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { addObject, changeObject, placeOf } from '../../store/inventory/entities.ts';
import { removeObject } from '../../store/inventory/remove.ts';
import {
  agentTarget,
  nodeTarget,
  serviceTarget,
  type UpsertTarget,
  upsert,
  type Upsertion,
} from '../../store/inventory/upsert.ts';
import type { ObjectKind } from '../../store/table/keys.ts';
import { type Batch, placeInBatch, planAddition, planChangeOf, planDeclaration, planRemovalOf } from './batch-plan.ts';
import { conditionsOf, declaredAs, done, type Success } from './success.ts';

/** The two ways to perform an operation. */
export interface Action {
  /** Alone, as the endpoint with its name does. The operation must contain ids, not labels. */
  run: (writeContext: WriteContext) => Promise<Success>;
  /** As a part of an atomic batch, at this index. */
  plan: (batch: Batch, index: number) => Promise<Success>;
}

type PlaceOf = (body: Item) => Promise<AgentPlace>;

type Subject = Parameters<typeof conditionsOf>[0] & { id: string };

/** The actions of each verb, for any kind of object. */
function verbsOf({ table }: Dependencies) {
  const inTable: PlaceOf = (body) => placeOf(table, body);
  const inBatch =
    (batch: Batch): PlaceOf =>
    (body) =>
      placeInBatch(batch, body);
  return {
    add: (kind: ObjectKind, make: (at: PlaceOf) => Item | Promise<Item>): Action => ({
      run: async (writeContext) =>
        done(201, await addObject(table, { kind, idempotency: undefined, writeContext }, () => make(inTable))),
      plan: async (batch, index) => planAddition(batch, index, toEntity(kind, await make(inBatch(batch)))),
    }),
    upsert: <Kind extends ObjectKind>(
      target: UpsertTarget<Kind>,
      operation: Parameters<typeof conditionsOf>[0],
      upsertion: (at: PlaceOf) => Upsertion<Kind>,
    ): Action => {
      const conditions = conditionsOf(operation);
      return {
        run: async (writeContext) =>
          declaredAs(await upsert(table, target, { writeContext, ...conditions }, upsertion(inTable))),
        plan: (batch, index) => planDeclaration(batch, { index, target, conditions }, upsertion(inBatch(batch))),
      };
    },
    change: <Kind extends ObjectKind>(
      kind: Kind,
      operation: Subject,
      next: (old: EntityFields<Kind>['object']) => Item,
    ): Action => ({
      run: async (writeContext) => {
        const { ifMatch } = conditionsOf(operation);
        return done(200, await changeObject(table, { kind, id: operation.id, ifMatch, writeContext }, next));
      },
      plan: (batch, index) => planChangeOf(batch, { index, kind, operation }, next),
    }),
    remove: (kind: ObjectKind, operation: Subject & { force: boolean }): Action => ({
      run: async (writeContext) => {
        const { id, force } = operation;
        await removeObject(table, kind, id, { force, writeContext, ...conditionsOf(operation) });
        return { status: 204, id };
      },
      plan: (batch, index) => planRemovalOf(batch, { index, kind, operation }),
    }),
  };
}

/** The action of an operation of a batch. @param now the time of its write context. */
export function actionOf(dependencies: Dependencies, operation: Operation, now: Date): Action {
  const { table, newId } = dependencies;
  const context = { newId, now };
  const { add, upsert: declare, change, remove } = verbsOf(dependencies);
  switch (operation.op) {
    case 'addNode':
      return add('node', () => newNode(context, operation.body));
    case 'addService':
      return add('service', () => newService(context, operation.body));
    case 'addAgent': {
      const { body } = operation;
      return add('agent', async (at) => newAgentAt(context, body, await at(body)));
    }
    case 'upsertNode':
      return declare(nodeTarget(operation.body), operation, () => nodeUpsertion(context, operation.body));
    case 'upsertService':
      return declare(serviceTarget(operation.body), operation, () => serviceUpsertion(context, operation.body));
    case 'upsertAgent': {
      const { body } = operation;
      const target = agentTarget(table, keyOfDeclared(body));
      return declare(target, operation, (at) => agentUpsertion(context, body, () => at(body)));
    }
    case 'changeNode':
      return change('node', operation, (old) => changedNode(old, operation.body));
    case 'changeService':
      return change('service', operation, (old) => changedService(old, operation.body));
    case 'changeAgent':
      return change('agent', operation, (old) => changedAgent(old, operation.body));
    case 'removeNode':
    case 'removeService':
    case 'removeAgent':
      return remove(operationTable[operation.op].kind, operation);
  }
}
