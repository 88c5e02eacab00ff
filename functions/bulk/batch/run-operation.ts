import { agentUpsertion, changedAgent, keyOfDeclared, newAgentAt } from '../../transitions/agent.ts';
import { changedNode, newNode, nodeUpsertion } from '../../transitions/node.ts';
import { changedService, newService, serviceUpsertion } from '../../transitions/service.ts';
import type { Outcome } from '../../domain/fields/outcome.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { addObject, changeObject, placeOf } from '../../store/inventory/entities.ts';
import { removeObject } from '../../store/inventory/remove.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { idOf, type Entity, toEntity } from '../../store/entities/entity.ts';
import { type Upserted, upsertAgent, upsertNode, upsertService } from '../../store/inventory/upsert.ts';
import { type Operation, operationTable } from '../../domain/bulk/batch-operation.ts';

export interface Success {
  status: 200 | 201 | 204;
  id: string;
  outcome?: Outcome;
  body?: Entity['object'];
}

/** The result of an operation that results in an object. */
export const done = (status: 200 | 201, entity: Entity): Success => ({ status, id: idOf(entity), body: entity.object });

/** The result of an upsert. */
export function declaredAs(kind: Entity['kind'], { object, outcome }: Upserted<Entity['kind']>): Success {
  return { ...done(outcome === 'added' ? 201 : 200, toEntity(kind, object)), outcome };
}

/** The conditions of an operation, in the form of If-Match and If-None-Match. */
export function conditionsOf({
  if_match: revision,
  if_none_match: ifNoneMatch,
}: {
  if_match?: number | undefined;
  if_none_match?: '*' | undefined;
}) {
  return { ifMatch: revision === undefined ? undefined : [revision], ifNoneMatch };
}

/** Performs an operation as the endpoint with its name does. It must contain ids, not labels. */
export async function runOperation(
  dependencies: Dependencies,
  operation: Operation,
  writeContext: WriteContext,
): Promise<Success> {
  const { table, newId } = dependencies;
  const { now } = writeContext;
  const by = { idempotency: undefined, writeContext };
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
    case 'upsertNode': {
      const options = { writeContext, ...conditionsOf(operation) };
      const { body } = operation;
      return declaredAs('node', await upsertNode(table, body, options, nodeUpsertion({ newId, now }, body)));
    }
    case 'upsertService': {
      const options = { writeContext, ...conditionsOf(operation) };
      const { body } = operation;
      return declaredAs('service', await upsertService(table, body, options, serviceUpsertion({ newId, now }, body)));
    }
    case 'upsertAgent': {
      const options = { writeContext, ...conditionsOf(operation) };
      const { body } = operation;
      const upsertion = agentUpsertion({ newId, now }, body, () => placeOf(table, body));
      return declaredAs('agent', await upsertAgent(table, keyOfDeclared(body), options, upsertion));
    }
    case 'changeNode': {
      const { id, body } = operation;
      const at = { kind: 'node', id, writeContext, ...conditionsOf(operation) } as const;
      return done(200, await changeObject(table, at, (old) => changedNode(old, body)));
    }
    case 'changeService': {
      const { id, body } = operation;
      const at = { kind: 'service', id, writeContext, ...conditionsOf(operation) } as const;
      return done(200, await changeObject(table, at, (old) => changedService(old, body)));
    }
    case 'changeAgent': {
      const { id, body } = operation;
      const at = { kind: 'agent', id, writeContext, ...conditionsOf(operation) } as const;
      return done(200, await changeObject(table, at, (old) => changedAgent(old, body)));
    }
    case 'removeNode':
    case 'removeService':
    case 'removeAgent': {
      const { id, force } = operation;
      const { kind } = operationTable[operation.op];
      await removeObject(table, kind, id, { force, writeContext, ...conditionsOf(operation) });
      return { status: 204, id };
    }
  }
}
