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
