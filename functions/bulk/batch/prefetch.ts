import type { Key, Table } from '../../../shared/db/table.ts';
import { keyOfDeclared } from '../../transitions/agent.ts';
import { labelIn, type Operation, operationTable, referencesOf } from '../../domain/bulk/batch-operation.ts';
import { nameOfKey, objectKey, type ObjectKind } from '../../store/table/keys.ts';
import { type Read, readAhead, readFrom } from '../../store/table/read.ts';
import { agentTarget, claimant, nodeTarget, serviceTarget, type Target } from '../../store/inventory/upsert.ts';

/** What an operation declares; undefined for one that declares nothing. */
function targetOf(table: Table, operation: Operation): Pick<Target<ObjectKind>, 'kind' | 'claim'> | undefined {
  if (operation.op === 'upsertNode') return nodeTarget(operation.body);
  if (operation.op === 'upsertService') return serviceTarget(operation.body);
  if (operation.op === 'upsertAgent') return agentTarget(table, keyOfDeclared(operation.body));
  return undefined;
}

/** The objects that an operation has to know: those it names, but for those that it only refers to. */
function readBy(operation: Operation): Key[] {
  return referencesOf(operation)
    .filter(({ path: [first, field] }) => first === 'id' || field === 'pmm_agent_id')
    .filter(({ text }) => labelIn(text) === undefined)
    .map(({ kind, text }) => objectKey(kind, text));
}

/** Whether what makes the key of an object that it declares is there, and known before anything is done. */
function isTold(operation: Operation): boolean {
  if (operationTable[operation.op].kind !== 'agent') return true;
  const references = referencesOf(operation);
  return references.length > 0 && references.every(({ text }) => labelIn(text) === undefined);
}

/**
 * Reads what the operations are about, as far as they say it by themselves, in two rounds of batch reads: what they name, and
 * whom the names belong to that they declare. Anything else is read when it is asked for.
 */
export async function readForAll(table: Table, operations: readonly Operation[]): Promise<Read> {
  const targets = operations.filter(isTold).flatMap((operation) => targetOf(table, operation) ?? []);
  const first = await readAhead(table, [...operations.flatMap(readBy), ...targets.map(({ claim }) => claim)]);
  const owners = targets.flatMap(({ kind, claim }) => {
    const found = first.get(nameOfKey(claim));
    return found === undefined ? [] : [objectKey(kind, claimant(found))];
  });
  const second = await readAhead(table, owners);
  const read = readFrom(table);
  return async (key) => {
    const name = nameOfKey(key);
    const known = second.has(name) ? second : first;
    return known.has(name) ? known.get(name) : read(key);
  };
}
