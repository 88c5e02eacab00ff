import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/db/table.ts';
import { pageTokenSecretKey } from './keys.ts';

/** Does the table answer? Half a read unit; throws when it does not. */
export async function isReachable(table: Table): Promise<void> {
  await table.client.send(
    new GetCommand({ TableName: table.name, Key: pageTokenSecretKey, ProjectionExpression: 'pk' }),
  );
}
