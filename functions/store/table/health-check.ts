import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { pageTokenSecretKey } from './keys.ts';

/**
 * Whether the table is ready for requests: it contains the item that the set-up writes last
 * (functions/runtime/initialise-table.ts), so the account exists too. Costs half a read unit. Throws when the table
 * does not answer, or when `table.check` finds that it cannot be written.
 */
export async function isSetUp(table: Table): Promise<boolean> {
  await table.check?.();
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: pageTokenSecretKey, ProjectionExpression: 'pk' }),
  );
  return Item !== undefined;
}
