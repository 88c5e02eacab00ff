import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { openDynamoDb } from './baseline/dynamodb-by-hand.ts';
import type { Inventory } from './inventory.ts';

type Values = Record<string, unknown>;
type BareCall = () => Promise<unknown>;

/** Prepares calls of DynamoDB. What a client converts in a call is part of the call. */
export interface DynamoDbCalls {
  get: (input: GetCommandInput) => BareCall;
  batchGet: (input: BatchGetCommandInput) => BareCall;
  query: (input: QueryCommandInput) => BareCall;
  write: (input: TransactWriteCommandInput) => BareCall;
  close: () => void;
}

/** The SDK as it comes: what the own client of the inventory omits is part of its advantage. */
export function callsBySdk(): DynamoDbCalls {
  const sdk = DynamoDBDocumentClient.from(new DynamoDBClient());
  return {
    get: (input) => () => sdk.send(new GetCommand(input)),
    batchGet: (input) => () => sdk.send(new BatchGetCommand(input)),
    query: (input) => () => sdk.send(new QueryCommand(input)),
    write: (input) => () => sdk.send(new TransactWriteCommand(input)),
    close: () => sdk.destroy(),
  };
}

/** An item as DynamoDB's JSON has it: with types, and bytes as Base64. */
function values(item: Values | undefined): Record<string, object> {
  const attributes = Object.entries(marshall(item ?? {}, { removeUndefinedValues: true }));
  return Object.fromEntries(
    attributes.map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') },
    ]),
  );
}

/** Requests that are signed, sent and parsed by hand. Their input is converted before the call. */
export function callsByHand({ environment }: Inventory): DynamoDbCalls {
  const setting = (name: string) => environment[name] ?? '';
  const client = openDynamoDb(setting('AWS_ENDPOINT_URL_DYNAMODB'), setting('AWS_REGION'), {
    accessKeyId: setting('AWS_ACCESS_KEY_ID'),
    secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
  });
  const call = (operation: string, input: object) => () => client.call(operation, input);
  return {
    get: (input) => call('GetItem', { ...input, Key: values(input.Key) }),
    batchGet: ({ RequestItems = {} }) => {
      const tables = Object.entries(RequestItems).map(([name, of]): [string, object] => [
        name,
        { ...of, Keys: of.Keys?.map(values) },
      ]);
      return call('BatchGetItem', { RequestItems: Object.fromEntries(tables) });
    },
    query: (input) => call('Query', { ...input, ExpressionAttributeValues: values(input.ExpressionAttributeValues) }),
    write: ({ TransactItems = [] }) =>
      call('TransactWriteItems', {
        TransactItems: TransactItems.map(({ Put }) => ({ Put: { ...Put, Item: values(Put?.Item) } })),
      }),
    close: () => client.close(),
  };
}
