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
import { startInventory } from '../inventory.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import type { Targets } from '../targets.ts';
import { callsBySdk, type DynamoDbCalls } from '../yardsticks.ts';

/** Agent processes that report, one after the other. */
const HOSTS = 20;

const pageOf = (TableName: string) => ({
  TableName,
  IndexName: indexes.byName.name,
  KeyConditionExpression: `${indexes.byName.partitionKey} = :list`,
  ExpressionAttributeValues: { ':list': listPartition('node') },
  Limit: 100,
});

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

/** Processor time of a handler, warm, over that of the bare SDK calls that it makes, in turns. */
export async function cpuSection(size: Size, targets: Targets): Promise<string> {
  const inventory = await startInventory();
  const calls = callsBySdk();
  try {
    const requests = await openHandlerRequests(inventory);
    const hosts = await requests.addHosts(HOSTS);
    const { getNode, page, addNode, authorizer, logIn, report } = casesOf(
      requests,
      hosts,
      calls,
      inventory.dependencies.table.name,
    );
    const cases: readonly (Comparison & { most?: number })[] = [
      { ...getNode, most: 0.9 },
      { ...page, most: 0.75 },
      addNode,
      { ...authorizer, most: 0.85 },
      { ...logIn, most: 1.3 },
      { ...report, most: 1 },
    ];
    const rows = (await compareCpu(cases, size)).map(({ name, most, times }) => [
      name,
      Math.round(times.handler),
      Math.round(times.yardstick),
      ratio(times.ratio),
      times.spread,
      targets.add({
        name: `${name}, over the SDK call`,
        value: times.ratio,
        limit: most === undefined ? undefined : { atMost: most },
      }),
    ]);
    return markdown(['function', 'CPU us', 'the SDK call: CPU us', 'ratio', 'middle half', 'target'], rows);
  } finally {
    calls.close();
    await inventory.stop();
  }
}
