import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyItemKey, indexes, listPartition, objectKey } from '../../functions/store/table/keys.ts';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { newKey, startInventory } from '../inventory.ts';
import { itemsOf, newNode, putNodes } from '../nodes.ts';
import { ratio, table as markdown, verdict } from '../report.ts';
import type { Size } from '../size.ts';
import { cpuMicroseconds, median } from '../statistics.ts';

/** Nodes in the table: three pages of a list. */
const NODES = 300;

const WARM_UP_ROUNDS = 6;

interface Case {
  name: string;
  most?: number;
  /** Makes what one request needs, before its time is taken; the result is the request itself. */
  handler: (number: number) => () => Promise<unknown>;
  bare: (number: number) => () => Promise<unknown>;
}

interface Times {
  handler: number[];
  bare: number[];
}

const newTimes = (): Times => ({ handler: [], bare: [] });

async function batchTime(requests: readonly (() => Promise<unknown>)[]): Promise<number> {
  const total = await cpuMicroseconds(async () => {
    for (const request of requests) await request();
  });
  return total / requests.length;
}

/** Processor time of a handler, warm, over that of the bare SDK call that it makes, in turns. */
export async function cpuSection({ cpuRounds, cpuBatch }: Size): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    const { table } = dependencies;
    const nodes = Array.from({ length: NODES }, (_, number) => newNode(number));
    await putNodes(table, nodes);
    const key = await newKey(table);
    // The client as it comes: what ours has switched on and off is on our side of the scales.
    const sdk = DynamoDBDocumentClient.from(new DynamoDBClient());
    const { invoke, authorise } = await openInvocations(dependencies);
    const expect = async (status: number, id: string, event: ReturnType<typeof eventOf>) => {
      const reply = await invoke(id, event);
      if (reply.statusCode !== status) throw new Error(`${id}: ${reply.body}`);
    };
    const idOf = (number: number) => nodes[number % NODES]?.node_id ?? '';
    let added = NODES;

    const cases: Case[] = [
      {
        name: 'getNode',
        most: 1.3,
        handler: (number) => {
          const event = eventOf({ method: 'GET', url: `/v1/nodes/${idOf(number)}` });
          return () => expect(200, 'getNode', event);
        },
        bare: (number) => {
          const input = { TableName: table.name, Key: objectKey('node', idOf(number)), ConsistentRead: true };
          return () => sdk.send(new GetCommand(input));
        },
      },
      {
        name: 'listNodes, 100',
        most: 1.5,
        handler: () => {
          const event = eventOf({ method: 'GET', url: '/v1/nodes?page_size=100' });
          return () => expect(200, 'listNodes', event);
        },
        bare: () => {
          const input = {
            TableName: table.name,
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
        handler: () => {
          const { node_type, node_name, address, distro, machine_id, az, custom_labels } = newNode((added += 1));
          const body = { node_type, node_name, address, distro, machine_id, az, custom_labels };
          const event = eventOf({ method: 'POST', url: '/v1/nodes', body });
          return () => expect(201, 'addNode', event);
        },
        bare: () => {
          const puts = itemsOf(newNode((added += 1)));
          const TransactItems = puts.map((Item) => ({
            Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
          }));
          return () => sdk.send(new TransactWriteCommand({ TransactItems }));
        },
      },
      {
        name: 'authorizer',
        handler: () => {
          const headers = { Authorization: `Bearer ${key.text}` };
          const event = eventOf({ method: 'GET', url: '/v1/version', headers });
          return async () => {
            if (!(await authorise(event))) throw new Error('refused');
          };
        },
        bare: () => {
          const input = { TableName: table.name, Key: apiKeyItemKey(key.hash), ConsistentRead: true };
          return () => sdk.send(new GetCommand(input));
        },
      },
    ];

    const samples = new Map(cases.map((one) => [one, newTimes()]));
    let number = 0;
    const batch = (make: Case['handler']) => Array.from({ length: cpuBatch }, () => make((number += 1)));
    for (let round = 0; round < WARM_UP_ROUNDS + cpuRounds; round += 1) {
      for (const [one, times] of samples) {
        const [handlers, bares] = [batch(one.handler), batch(one.bare)];
        // The second one finds warmer caches, so the order alternates.
        const bareFirst = round % 2 === 0 ? await batchTime(bares) : undefined;
        const handler = await batchTime(handlers);
        const bare = bareFirst ?? (await batchTime(bares));
        if (round < WARM_UP_ROUNDS) continue;
        times.handler.push(handler);
        times.bare.push(bare);
      }
    }
    const rows = [...samples].map(([{ name, most }, { handler, bare }]) => {
      const times = median(handler.map((time, index) => time / (bare[index] ?? Number.NaN)));
      return [
        name,
        Math.round(median(handler)),
        Math.round(median(bare)),
        ratio(times),
        most === undefined ? '' : verdict(times, most),
      ];
    });
    return markdown(['function', 'CPU us', 'bare SDK call us', 'ratio', 'target'], rows);
  } finally {
    await stop();
  }
}
