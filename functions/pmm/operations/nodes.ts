import { nodeAddition } from '../../domain/node/schema.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { addObject } from '../../store/inventory/entities.ts';
import { removeObject } from '../../store/inventory/remove.ts';
import { newNode } from '../../transitions/node.ts';
import type { ObjectKind } from '../../store/table/keys.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { flagIn } from '../wire/input.ts';
import { additionOf, checkRemovable, contextOf, oneOf, subjectOf } from './bodies.ts';
import { reachableAddress } from './node-address.ts';
import { declarationOf, keyedMessage, subjectId } from './objects.ts';

export const addNode: Operation = async (call) => {
  const { generation, dependencies } = call;
  const { type, message } = oneOf(call, 'node', nodeTypes);
  const subject = subjectOf('node', declarationOf('node', type), generation);
  const body = additionOf(nodeAddition, { kind: 'node', type, subject }, message, (node) =>
    reachableAddress(node, call.sourceIp),
  );
  const writeContext = contextOf(call);
  const made = newNode({ newId: dependencies.newId, now: writeContext.now }, body);
  const added = await addObject(dependencies.table, { kind: 'node', idempotency: undefined, writeContext }, () => made);
  return keyedMessage(added, added.object, generation);
};

async function remove(call: WireCall, kind: ObjectKind): Promise<Record<string, unknown>> {
  const id = subjectId(call, kind, 'Remove');
  checkRemovable(kind, id);
  const force = flagIn(call.input, 'force');
  await removeObject(call.dependencies.table, kind, id, { force, ifMatch: undefined, writeContext: contextOf(call) });
  return {};
}

export const removeNode: Operation = (call) => remove(call, 'node');
export const removeAgent: Operation = (call) => remove(call, 'agent');
