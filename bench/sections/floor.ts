import { marshall } from '@aws-sdk/util-dynamodb';
import { listedAttributes } from '../../functions/store/entities/entity.ts';
import { apiKeyItemKey, heartbeatKey, indexes, listPartition, objectKey } from '../../functions/store/table/keys.ts';
import { type DynamoDbByHand, openDynamoDb } from '../baseline/dynamodb-by-hand.ts';
import { compareCpu, type Comparison, type PrepareRequest } from '../compare-cpu.ts';
import { type HandlerRequests, type Host, hostAt, openHandlerRequests } from '../handler-requests.ts';
import { type Inventory, startInventory } from '../inventory.ts';
import { itemsOf } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import type { Targets } from '../targets.ts';

/** Agent processes that report, one after the other. */
const HOSTS = 20;

/** An item as DynamoDB's JSON has it: with types, and bytes as Base64. */
function values(item: object): Record<string, object> {
  const attributes = Object.entries(marshall(item, { removeUndefinedValues: true }));
  return Object.fromEntries(
    attributes.map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') },
    ]),
  );
}

/** The request to DynamoDB that each handler needs at least. */
interface ByHand {
  client: DynamoDbByHand;
  TableName: string;
}

/** The node with its heartbeat, from which its state follows. */
function getByHand({ client, TableName }: ByHand, nodeId: string) {
  const Keys = [objectKey('node', nodeId), heartbeatKey(nodeId)].map(values);
  return () => client.call('BatchGetItem', { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
}

/** A page without the heartbeats of its nodes, which only their states need. @param attributes default: all. */
function pageByHand({ client, TableName }: ByHand, attributes?: readonly string[]) {
  const names = attributes?.map((name, index) => [`#${index}`, name] as const);
  const input = {
    TableName,
    IndexName: indexes.byName.name,
    KeyConditionExpression: `${indexes.byName.partitionKey} = :list`,
    ExpressionAttributeValues: values({ ':list': listPartition('node') }),
    Limit: 100,
    ...(names && {
      ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names),
    }),
  };
  return () => client.call('Query', input);
}

/** The items that an add of a node writes. */
function addByHand({ client, TableName }: ByHand, node: Parameters<typeof itemsOf>[0]) {
  const TransactItems = itemsOf(node).map((item) => ({
    Put: { TableName, Item: values(item), ConditionExpression: 'attribute_not_exists(pk)' },
  }));
  return () => client.call('TransactWriteItems', { TransactItems });
}

function keyByHand({ client, TableName }: ByHand, hash: string) {
  const Key = values(apiKeyItemKey(hash));
  return () => client.call('GetItem', { TableName, Key, ConsistentRead: true });
}

/** Which agents the process has, and its last report. A report without news writes nothing. */
function reportByHand({ client, TableName }: ByHand, { nodeId, processId }: Host) {
  const { pk } = objectKey('agent', processId);
  const collection = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: values({ ':pk': pk }),
    ConsistentRead: true,
  };
  const heartbeat = { TableName, Key: values(heartbeatKey(nodeId)), ConsistentRead: true };
  return async () => {
    await client.call('Query', collection);
    await client.call('GetItem', heartbeat);
  };
}

function casesOf(requests: HandlerRequests, hosts: readonly Host[], byHand: ByHand): Comparison[] {
  const one = (name: string, handler: PrepareRequest, yardstick: PrepareRequest) => ({ name, handler, yardstick });
  return [
    one('getNode', requests.getNode, (number) => getByHand(byHand, requests.nodeId(number))),
    // The yardstick is a query of whole items, so that the ratio shows what the handler gains by reading less.
    one('listNodes, 100', requests.listNodes, () => pageByHand(byHand)),
    one('listNodes, 100, its attributes', requests.listNodes, () => pageByHand(byHand, listedAttributes('node'))),
    one('addNode', requests.addNode, () => addByHand(byHand, requests.nextNode())),
    one('authorizer', requests.authorizer, () => keyByHand(byHand, requests.keyHash)),
    one('reportAgents, what it said last', requests.report(hosts), (number) =>
      reportByHand(byHand, hostAt(hosts, number)),
    ),
  ];
}

function openClient({ environment }: Inventory): DynamoDbByHand {
  const setting = (name: string) => environment[name] ?? '';
  return openDynamoDb(setting('AWS_ENDPOINT_URL_DYNAMODB'), setting('AWS_REGION'), {
    accessKeyId: setting('AWS_ACCESS_KEY_ID'),
    secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
  });
}

/** Processor time of a handler, warm, over the requests that it needs at least, made by hand, in turns. */
export async function floorSection(size: Size, targets: Targets): Promise<string> {
  const inventory = await startInventory();
  const client = openClient(inventory);
  try {
    const requests = await openHandlerRequests(inventory);
    const hosts = await requests.addHosts(HOSTS);
    const cases = casesOf(requests, hosts, { client, TableName: inventory.dependencies.table.name });
    const rows = (await compareCpu(cases, size)).map(({ name, times }) => {
      targets.add({ name: `${name}, over its requests by hand`, value: times.ratio });
      return [name, Math.round(times.handler), Math.round(times.yardstick), ratio(times.ratio), times.spread];
    });
    return markdown(['function', 'CPU us', 'by hand us', 'ratio', 'middle half'], rows);
  } finally {
    client.close();
    await inventory.stop();
  }
}
