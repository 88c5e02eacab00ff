import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ABSENT } from '../../../shared/db/conditions.ts';
import { ConditionalCheckFailedException } from '../../../shared/db/table-errors.ts';
import type { Table } from '../../../shared/db/table.ts';
import { formatKey, TABLE_FORMAT } from './keys.ts';

/** The table has a newer format than this version can read. The message is for the operator. */
export class TableFormatError extends Error {}

const refused = (found: unknown, format: number, cause?: unknown) =>
  new TableFormatError(
    `The table has format ${String(found)}, and this version reads formats up to ${format}. Use the version that wrote the table, or a newer one.`,
    { cause },
  );

/** @throws TableFormatError when the table has a newer format. */
export async function checkTableFormat({ client, name }: Table): Promise<void> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key: formatKey, ConsistentRead: true }));
  const found = Item?.['format'] ?? 0;
  if (!(Number(found) <= TABLE_FORMAT)) throw refused(found, TABLE_FORMAT);
}

/**
 * Records the format in the table, unless it is there.
 *
 * @throws TableFormatError when the table has a newer one. Then nothing has changed.
 */
export async function claimTableFormat(table: Table, format = TABLE_FORMAT): Promise<void> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...formatKey, format },
        ConditionExpression: `${ABSENT} OR #format <= :format`,
        ExpressionAttributeNames: { '#format': 'format' },
        ExpressionAttributeValues: { ':format': format },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw refused(error.Item?.['format'], format, error);
  }
}
