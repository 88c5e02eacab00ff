import type { Item } from '../../../shared/db/item.ts';

/* Inputs of the calls that the service makes, as the document client of the SDK types them. */

interface OfTable {
  TableName: string;
}

interface WithAttributes {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
}

interface WithProjection extends WithAttributes {
  ProjectionExpression?: string;
}

interface WithCapacity {
  ReturnConsumedCapacity?: string;
}

interface ListInput extends OfTable, WithProjection, WithCapacity {
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Item;
  FilterExpression?: string;
  Limit?: number;
  Select?: string;
}

interface ConditionInput extends OfTable, WithAttributes {
  ConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

interface KeySchemaElement {
  AttributeName: string;
  KeyType: string;
}

/** One action of a transaction, or a single write. */
export interface Actions {
  Put: ConditionInput & { Item: Item };
  Update: ConditionInput & { Key: Item; UpdateExpression?: string };
  Delete: ConditionInput & { Key: Item };
  ConditionCheck: ConditionInput & { Key: Item };
}

type SingleWrite<Verb extends keyof Actions> = Actions[Verb] & WithCapacity & { ReturnValues?: string };

export interface Inputs {
  GetItem: OfTable & WithProjection & WithCapacity & { Key: Item; ConsistentRead?: boolean };
  BatchGetItem: WithCapacity & {
    RequestItems: Record<string, WithProjection & { Keys: Item[]; ConsistentRead?: boolean }>;
  };
  Query: ListInput & { IndexName?: string; KeyConditionExpression: string; ScanIndexForward?: boolean };
  Scan: ListInput & { Segment?: number };
  PutItem: SingleWrite<'Put'>;
  UpdateItem: SingleWrite<'Update'>;
  DeleteItem: SingleWrite<'Delete'>;
  BatchWriteItem: WithCapacity & {
    RequestItems: Record<string, { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]>;
  };
  TransactWriteItems: WithCapacity & { TransactItems: Partial<Actions>[]; ClientRequestToken?: string };
  DescribeTable: OfTable;
  CreateTable: OfTable & {
    KeySchema: KeySchemaElement[];
    GlobalSecondaryIndexes?: { IndexName: string; KeySchema: KeySchemaElement[] }[];
  };
}

export type Operation = keyof Inputs;

export type EngineCall = { [Name in Operation]: { operation: Name; input: Inputs[Name] } }[Operation];

const operations: Readonly<Record<Operation, 'read' | 'write'>> = {
  GetItem: 'read',
  BatchGetItem: 'read',
  Query: 'read',
  Scan: 'read',
  PutItem: 'write',
  UpdateItem: 'write',
  DeleteItem: 'write',
  BatchWriteItem: 'write',
  TransactWriteItems: 'write',
  DescribeTable: 'read',
  CreateTable: 'write',
};

/** The commands of the SDK have typed inputs, so only the operation is checked. */
export const isEngineCall = (call: { operation: string; input: object }): call is EngineCall =>
  Object.hasOwn(operations, call.operation);
