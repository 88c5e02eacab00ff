import { withPatience } from '../../shared/db/contention.ts';
import { MAX_TRANSACTION_ACTIONS, transact } from '../../shared/db/transact.ts';
import { ApiError, errorKinds, invalidRequest } from '../../shared/http/errors.ts';
import { newAgentAt } from '../behaviour/agent.ts';
import { newNode } from '../behaviour/node.ts';
import { newService } from '../behaviour/service.ts';
import { type Operation, resolveReferences } from '../catalogue/batch-operation.ts';
import type { Place } from '../catalogue/agent-state.ts';
import type { Services } from '../services.ts';
import { placeOf, placeUnder } from '../table/objects.ts';
import { type Blame, newPlan, planAdd, stepsOf } from '../table/plan.ts';
import type { Origin } from '../table/origin.ts';
import { type Agent, idOf, type Stored, toStored } from '../table/stored.ts';
import { done, type Success } from './perform.ts';

/** Names the operation whose fault an error is. */
function blameOf(index: number): Blame {
  return ({ kind, message, headers }) => {
    const reason = errorKinds[kind].status.toLowerCase();
    return new ApiError(kind, message, {
      headers,
      details: [{ field: `operations.${index}`, reason, message }],
    });
  };
}

/** Where the agent of an operation is to run: under a pmm_agent that the batch adds, or one that is there. */
async function placeFor({ table }: Services, body: object, added: ReadonlyMap<string, Stored>): Promise<Place> {
  const { pmm_agent_id: parentId }: Partial<Pick<Agent, 'pmm_agent_id'>> = body;
  const parent = parentId === undefined ? undefined : added.get(parentId);
  return parent === undefined ? placeOf(table, { ...body }) : placeUnder(parent);
}

async function objectOf(services: Services, operation: Operation, added: ReadonlyMap<string, Stored>): Promise<Stored> {
  const making = { newId: services.newId, now: services.clock() };
  switch (operation.op) {
    case 'addNode':
      return toStored('node', newNode(making, operation.body));
    case 'addService':
      return toStored('service', newService(making, operation.body));
    case 'addAgent':
      return toStored('agent', newAgentAt(making, operation.body, await placeFor(services, operation.body, added)));
    default:
      throw new Error(`an atomic batch cannot ${operation.op}`);
  }
}

/** The objects that the operations add, by their ids, with ids in the place of labels. */
async function objectsOf(services: Services, operations: readonly Operation[]): Promise<Map<string, Stored>> {
  const ids = new Map<string, string>();
  const added = new Map<string, Stored>();
  for (const [index, operation] of operations.entries()) {
    resolveReferences(operation, (label) => ids.get(label) ?? '');
    try {
      const stored = await objectOf(services, operation, added);
      added.set(idOf(stored), stored);
      if ('ref' in operation && operation.ref !== undefined) ids.set(operation.ref, idOf(stored));
    } catch (error) {
      throw error instanceof ApiError ? blameOf(index)(error) : error;
    }
  }
  return added;
}

function stepsToAdd(objects: readonly Stored[], origin: Origin) {
  const plan = newPlan(origin);
  for (const [index, stored] of objects.entries()) planAdd(plan, stored, { blame: blameOf(index) });
  const steps = stepsOf(plan);
  if (steps.length <= MAX_TRANSACTION_ACTIONS) return steps;
  const message = `These adds take ${steps.length} items, and a transaction has at most ${MAX_TRANSACTION_ACTIONS}. Send fewer at once, or not atomic.`;
  throw invalidRequest([{ field: 'operations', reason: 'too_many', message }]);
}

/**
 * Does all of the adds or none, in one transaction.
 *
 * @throws ApiError of the first that cannot be done, naming it; `invalidArgument` with the count when they do not fit.
 */
export async function addAll(services: Services, operations: readonly Operation[], origin: Origin): Promise<Success[]> {
  const objects = [...(await objectsOf(services, operations)).values()];
  await withPatience(() => transact(services.table, stepsToAdd(objects, origin)));
  return objects.map((stored) => done(201, stored));
}
