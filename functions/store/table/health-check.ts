import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { pageTokenSecretKey } from './keys.ts';

/**
 * Whether the table is ready for requests: it holds what the set-up writes last (setup.ts), and so the account. Half a read
 * unit; throws when the table does not answer, or cannot be written where that can be told without a cost.
 */
export async function isSetUp(table: Table): Promise<boolean> {
  await table.check?.();
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: pageTokenSecretKey, ProjectionExpression: 'pk' }),
  );
  return Item !== undefined;
}
