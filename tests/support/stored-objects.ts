import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { newPlan, planAdd } from '../../functions/store/inventory/transaction-plan.ts';
import { transactItemsAt } from '../../functions/store/inventory/transact-items.ts';
import { newRecord } from '../../functions/domain/fields/record.ts';
import { type Entity, itemOf, type Node, toEntity } from '../../functions/store/entities/entity.ts';
import { jobContext } from '../../functions/store/entities/write-context.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { TEST_TIME, testTime } from './test-time.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const MAX_BATCH_WRITE = 25;

const BATCHES_AT_ONCE = 8;

/** A node as customers have them: a few labels, a few options. Names sort by number. */
export function newNode(number: number, newId: () => string = randomUUID): Node {
  return {
    node_id: newId(),
    node_type: 'generic',
    node_name: `db-${String(number).padStart(7, '0')}.prod.example.com`,
    address: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    distro: 'Debian GNU/Linux 12',
    machine_id: newId().replaceAll('-', ''),
    az: 'eu-central-1a',
    custom_labels: { team: 'payments', tier: 'gold' },
    ...newRecord(testTime()),
  };
}

/** All items that an add of this node writes. */
export function itemsOf(node: Node): Item[] {
  return itemsOfObject(toEntity('node', node));
}

/** All items that an add of this object writes. */
export function itemsOfObject(object: Entity): Item[] {
  const actor = { kind: 'system', id: 'bench', name: 'bench' } as const;
  const plan = newPlan(jobContext({ actor, requestId: 'bench', limit: undefined }, () => testTime()));
  planAdd(plan, object);
  return transactItemsAt(plan, TEST_TIME).flatMap((step) => ('put' in step ? [step.put] : []));
}

/** Puts the items of `count` adds, without their transactions; dependents counters count nothing. */
export function putNodes(table: Table, nodes: readonly Node[]): Promise<void> {
  return putObjects(
    table,
    nodes.map((node) => toEntity('node', node)),
  );
}

export function putObjects(table: Table, objects: readonly Entity[]): Promise<void> {
  return putItems(table, objects.flatMap(itemsOfObject));
}

/** The objects themselves, without the items that lead to them: enough for lists of all of a type, and reads by id. */
export function putObjectsAlone(table: Table, objects: readonly Entity[]): Promise<void> {
  return putItems(table, objects.map(itemOf));
}

/** The objects and the heartbeats of the nodes: enough for lists by state. */
export function putObjectsWithHeartbeats(table: Table, objects: readonly Entity[]): Promise<void> {
  const isRead = ({ kind }: Entity, { pk, sk }: Item) =>
    sk === kind.toUpperCase() || String(pk).startsWith('HEARTBEATS#');
  return putItems(
    table,
    objects.flatMap((object) => itemsOfObject(object).filter((item) => isRead(object, item))),
  );
}

type RequestItems = BatchWriteCommandInput['RequestItems'];

/** Most repetitions of a write that the engine has not answered in time, because it or the machine is busy. */
const MAX_REPEATS = 20;

/** Puts of whole items can be repeated without harm. @returns the items that were not put. */
async function putBatch({ client }: Table, RequestItems: RequestItems): Promise<RequestItems> {
  for (let again = 0; ; again += 1) {
    try {
      return (await client.send(new BatchWriteCommand({ RequestItems }))).UnprocessedItems;
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'unavailable' || again >= MAX_REPEATS) throw error;
    }
  }
}

export async function putItems(table: Table, items: readonly Item[]): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const batch = items.slice(next, next + MAX_BATCH_WRITE);
      next += batch.length;
      let wanted: RequestItems = {
        [table.name]: batch.map((Item) => ({ PutRequest: { Item } })),
      };
      while (Object.keys(wanted ?? {}).length > 0) wanted = await putBatch(table, wanted);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, worker));
}
