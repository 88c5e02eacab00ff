import { listedAttributes } from '../../functions/store/entities/entity.ts';
import {
  apiKeyItemKey,
  heartbeatKey,
  indexes,
  listPartition,
  objectKey,
  ROLE_BINDINGS_PARTITION,
} from '../../functions/store/table/keys.ts';
import type { Item } from '../../shared/db/table.ts';
import { itemsOf } from '../../tests/support/stored-objects.ts';
import { compareCpu, type Comparison } from '../compare-cpu.ts';
import { type HandlerRequests, type Host, hostAt, openHandlerRequests } from '../handler-requests.ts';
import { type Inventory, startInventory } from '../inventory.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import type { Targets } from '../targets.ts';
import { callsByHand, callsBySdk, type DynamoDbCalls } from '../yardsticks.ts';

/** Agent processes that report, one after the other. */
const HOSTS = 20;

function pageOf(TableName: string, attributes?: readonly string[]) {
  const names = attributes?.map((name, index) => [`#${index}`, name] as const);
  return {
    TableName,
    IndexName: indexes.byName.name,
    KeyConditionExpression: `${indexes.byName.partitionKey} = :list`,
    ExpressionAttributeValues: { ':list': listPartition('node') },
    Limit: 100,
    ...(names && {
      ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names),
    }),
  };
}

/** Each handler beside the least that it needs of DynamoDB. */
function casesOf(requests: HandlerRequests, hosts: readonly Host[], calls: DynamoDbCalls, TableName: string) {
  const get = (Key: Record<string, string>) => calls.get({ TableName, Key, ConsistentRead: true });
  const put = (Item: Item) => ({ Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } });
  return {
    getNode: {
      name: 'getNode',
      handler: requests.getNode,
      // The node with its heartbeat, from which its state follows.
      yardstick: (number) => {
        const nodeId = requests.nodeId(number);
        const Keys = [objectKey('node', nodeId), heartbeatKey(nodeId)];
        return calls.batchGet({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
      },
    },
    // Whole items, so that the ratio shows what the handler gains by reading less.
    page: { name: 'listNodes, 100', handler: requests.listNodes, yardstick: () => calls.query(pageOf(TableName)) },
    attributes: {
      name: 'listNodes, 100, its attributes',
      handler: requests.listNodes,
      yardstick: () => calls.query(pageOf(TableName, listedAttributes('node'))),
    },
    addNode: {
      name: 'addNode',
      handler: requests.addNode,
      yardstick: () => calls.write({ TransactItems: itemsOf(requests.nextNode()).map(put) }),
    },
    authorizer: {
      name: 'authorizer',
      handler: requests.authorizer,
      yardstick: () => get(apiKeyItemKey(requests.keyHash)),
    },
    // The role bindings, and the transaction that adds the key. The check of the signature is in the handler alone.
    logIn: {
      name: 'logIn with a token of a program',
      handler: requests.logIn,
      yardstick: (number) => {
        const bindings = calls.query({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': ROLE_BINDINGS_PARTITION },
          ConsistentRead: true,
        });
        const write = calls.write({
          TransactItems: requests.logInItems.map((item) => put({ ...item, sk: `yardstick-${number}` })),
        });
        return async () => {
          await bindings();
          await write();
        };
      },
    },
    // Which agents the process has, and its last report. A report without news writes nothing.
    report: {
      name: 'reportAgents, what it said last',
      handler: requests.report(hosts),
      yardstick: (number) => {
        const { nodeId, processId } = hostAt(hosts, number);
        const collection = calls.query({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': objectKey('agent', processId).pk },
          ConsistentRead: true,
        });
        const heartbeat = get(heartbeatKey(nodeId));
        return async () => {
          await collection();
          await heartbeat();
        };
      },
    },
  } satisfies Record<string, Comparison>;
}

/** The cases of a section, each with its target. */
type Section = (cases: ReturnType<typeof casesOf>) => readonly (Comparison & { most?: number })[];

async function compareWith(
  open: (inventory: Inventory) => DynamoDbCalls,
  section: Section,
  { size, targets, of }: { size: Size; targets: Targets; of: string },
): Promise<string> {
  const inventory = await startInventory();
  const calls = open(inventory);
  try {
    const requests = await openHandlerRequests(inventory);
    const hosts = await requests.addHosts(HOSTS);
    const cases = section(casesOf(requests, hosts, calls, inventory.dependencies.table.name));
    const rows = (await compareCpu(cases, size)).map(({ name, most, times }) => [
      name,
      Math.round(times.handler),
      Math.round(times.yardstick),
      ratio(times.ratio),
      times.spread,
      targets.add({
        name: `${name}, over ${of}`,
        value: times.ratio,
        limit: most === undefined ? undefined : { atMost: most },
      }),
    ]);
    return markdown(['function', 'CPU us', `${of}: CPU us`, 'ratio', 'middle half', 'target'], rows);
  } finally {
    calls.close();
    await inventory.stop();
  }
}

/** Processor time of a handler, warm, over that of the bare SDK calls that it makes, in turns. */
export const cpuSection = (size: Size, targets: Targets) =>
  compareWith(
    callsBySdk,
    ({ getNode, page, addNode, authorizer, logIn, report }) => [
      { ...getNode, most: 0.9 },
      { ...page, most: 0.75 },
      addNode,
      { ...authorizer, most: 0.85 },
      { ...logIn, most: 1.3 },
      { ...report, most: 1 },
    ],
    { size, targets, of: 'the SDK call' },
  );

/** Processor time of a handler, warm, over the requests that it needs at least, made by hand, in turns. */
export const floorSection = (size: Size, targets: Targets) =>
  compareWith(callsByHand, Object.values, { size, targets, of: 'its requests by hand' });
