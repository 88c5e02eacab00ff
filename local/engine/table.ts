import * as z from 'zod/mini';
import { indexes, tableKey } from '../../functions/store/table/keys.ts';
import { monotonicMs, pause } from '../../shared/core/monotonic-clock.ts';
import type { Table } from '../../shared/db/table.ts';
import { DynamoDbError } from '../../shared/db/table-errors.ts';
import { TableFault } from '../../shared/db/table-fault.ts';
import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { StartFailure } from '../process/failure.ts';

const descriptionSchema = z.object({ TableStatus: z.string() });

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}

/** A busy machine needs some seconds. */
const CREATION_TIMEOUT_MS = 60_000;
const CREATION_POLL_MS = 20;

const isNamed = (error: unknown, name: string) => error instanceof DynamoDbError && error.name === name;

const isMissing = (error: unknown) =>
  isNamed(error instanceof TableFault ? error.cause : error, 'ResourceNotFoundException');

async function statusOf({ client, name }: Table): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return z.parse(descriptionSchema, Table).TableStatus;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Creates the table, with the keys and indexes that the code uses, unless it exists.
 *
 * @param options.mustExist the message for the operator when it does not exist although it did before.
 * @throws StartFailure with that message.
 */
export async function ensureTable(table: Table, { mustExist }: { mustExist?: string | undefined } = {}): Promise<void> {
  const { client, name } = table;
  const status = await statusOf(table);
  if (status === 'ACTIVE') return;
  if (status === undefined && mustExist !== undefined) throw new StartFailure(mustExist);
  const attributes = new Set([tableKey, ...Object.values(indexes)].flatMap((key) => [key.partitionKey, key.sortKey]));
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [...attributes].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
        KeySchema: keySchema(tableKey),
        GlobalSecondaryIndexes: Object.values(indexes).map((index) => ({
          IndexName: index.name,
          KeySchema: keySchema(index),
          Projection: { ProjectionType: 'ALL' as const },
        })),
      }),
    );
  } catch (error) {
    if (!isNamed(error, 'ResourceInUseException')) throw error;
  }
  const end = monotonicMs(table) + CREATION_TIMEOUT_MS;
  while ((await statusOf(table)) !== 'ACTIVE') {
    if (monotonicMs(table) > end) throw new Error(`the table ${name} did not become active`);
    await pause(table, CREATION_POLL_MS);
  }
}
