import type { Key, Table } from '../../../shared/db/table.ts';
import { keyOfDeclared } from '../../transitions/agent.ts';
import { labelIn, type Operation, operationTable, referencesOf } from '../../domain/bulk/batch-operation.ts';
import { nameOfKey, objectKey, type ObjectKind } from '../../store/table/keys.ts';
import { type ItemReader, readAhead, readFrom } from '../../store/table/read.ts';
import { claimant } from '../../store/entities/claim-owners.ts';
import { agentTarget, nodeTarget, serviceTarget, type UpsertTarget } from '../../store/inventory/upsert.ts';

/** The object that an upsert declares; undefined for other operations. */
function targetOf(table: Table, operation: Operation): Pick<UpsertTarget<ObjectKind>, 'kind' | 'claim'> | undefined {
  if (operation.op === 'upsertNode') return nodeTarget(operation.body);
  if (operation.op === 'upsertService') return serviceTarget(operation.body);
  if (operation.op === 'upsertAgent') return agentTarget(table, keyOfDeclared(operation.body));
  return undefined;
}

/** The objects that the plan of an operation reads: those that it refers to, except mere references. */
function readBy(operation: Operation): Key[] {
  return referencesOf(operation)
    .filter(({ path: [first, field] }) => first === 'id' || field === 'pmm_agent_id')
    .filter(({ text }) => labelIn(text) === undefined)
    .map(({ kind, text }) => objectKey(kind, text));
}

/** Whether the natural key of the declared object is known before the batch is planned: it contains no labels. */
function isTold(operation: Operation): boolean {
  if (operationTable[operation.op].kind !== 'agent') return true;
  const references = referencesOf(operation);
  return references.length > 0 && references.every(({ text }) => labelIn(text) === undefined);
}

/**
 * Reads the objects of the operations in advance, as far as their keys are known, in two rounds of batch reads: the
 * objects and claims that operations refer to, then the owners of the claims. Other objects are read on demand.
 */
export async function readForAll(table: Table, operations: readonly Operation[]): Promise<ItemReader> {
  const targets = operations.filter(isTold).flatMap((operation) => targetOf(table, operation) ?? []);
  const first = await readAhead(table, [...operations.flatMap(readBy), ...targets.map(({ claim }) => claim)]);
  const owners = targets.flatMap(({ kind, claim }) => {
    const claimItem = first.get(nameOfKey(claim));
    const owner = claimItem && claimant(claimItem);
    return owner === undefined ? [] : [objectKey(kind, owner)];
  });
  const second = await readAhead(table, owners);
  const read = readFrom(table);
  return async (key) => {
    const name = nameOfKey(key);
    const items = second.has(name) ? second : first;
    return items.has(name) ? items.get(name) : read(key);
  };
}
