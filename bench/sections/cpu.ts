import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { apiKeyItemKey, heartbeatKey, indexes, listPartition, objectKey } from '../../functions/store/table/keys.ts';
import { compareCpu, type Comparison } from '../compare-cpu.ts';
import { type HandlerRequests, type Host, hostAt, openHandlerRequests } from '../handler-requests.ts';
import { startInventory } from '../inventory.ts';
import { itemsOf } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import type { Targets } from '../targets.ts';

/** Agent processes that report, one after the other. */
const HOSTS = 20;

interface Case extends Comparison {
  most?: number;
}

/** The bare SDK call that each handler makes. */
function casesOf(requests: HandlerRequests, hosts: readonly Host[], TableName: string): Case[] {
  // The client as it comes: what ours has switched on and off is on our side of the scales.
  const sdk = DynamoDBDocumentClient.from(new DynamoDBClient());
  const get = (Key: Record<string, string>) => {
    const input = { TableName, Key, ConsistentRead: true };
    return () => sdk.send(new GetCommand(input));
  };
  return [
    {
      name: 'getNode',
      most: 0.9,
      handler: requests.getNode,
      // The node with its heartbeat, from which its state follows.
      yardstick: (number) => {
        const nodeId = requests.nodeId(number);
        const Keys = [objectKey('node', nodeId), heartbeatKey(nodeId)];
        return () => sdk.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
      },
    },
    {
      name: 'listNodes, 100',
      most: 0.75,
      handler: requests.listNodes,
      yardstick: () => {
        const input = {
          TableName,
          IndexName: indexes.byName.name,
          KeyConditionExpression: `${indexes.byName.partitionKey} = :list`,
          ExpressionAttributeValues: { ':list': listPartition('node') },
          Limit: 100,
        };
        return () => sdk.send(new QueryCommand(input));
      },
    },
    {
      name: 'addNode',
      handler: requests.addNode,
      yardstick: () => {
        const TransactItems = itemsOf(requests.nextNode()).map((Item) => ({
          Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
        }));
        return () => sdk.send(new TransactWriteCommand({ TransactItems }));
      },
    },
    {
      name: 'authorizer',
      most: 0.85,
      handler: requests.authorizer,
      yardstick: () => get(apiKeyItemKey(requests.keyHash)),
    },
    {
      name: 'reportAgents, what it said last',
      most: 1,
      handler: requests.report(hosts),
      yardstick: (number) => {
        const { nodeId, processId } = hostAt(hosts, number);
        const collection = {
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': objectKey('agent', processId).pk },
          ConsistentRead: true,
        };
        const heartbeat = get(heartbeatKey(nodeId));
        return async () => {
          await sdk.send(new QueryCommand(collection));
          await heartbeat();
        };
      },
    },
  ];
}

/** Processor time of a handler, warm, over that of the bare SDK call that it makes, in turns. */
export async function cpuSection(size: Size, targets: Targets): Promise<string> {
  const inventory = await startInventory();
  try {
    const requests = await openHandlerRequests(inventory);
    const hosts = await requests.addHosts(HOSTS);
    const cases = casesOf(requests, hosts, inventory.dependencies.table.name);
    const rows = (await compareCpu(cases, size)).map(({ name, most, times }) => [
      name,
      Math.round(times.handler),
      Math.round(times.yardstick),
      ratio(times.ratio),
      times.spread,
      most === undefined
        ? ''
        : targets.add({ name: `${name}, over the SDK call`, value: times.ratio, limit: { atMost: most } }),
    ]);
    return markdown(['function', 'CPU us', 'bare SDK call us', 'ratio', 'middle half', 'target'], rows);
  } finally {
    await inventory.stop();
  }
}
