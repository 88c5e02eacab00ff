import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { apiKeyCounterKey } from '../table/keys.ts';
import type { PageOptions } from '../table/page.ts';
import { isPermanentAdmin, MAX_API_KEYS } from './key-counters.ts';
import { listApiKeys } from './list-api-keys.ts';

/**
 * Sets the counts of the keys of programs to those of the list. They differ when the seals of keys became invalid, or
 * valid again. Nothing else may add or remove keys at the same time.
 */
export async function recountKeys(table: Table): Promise<void> {
  const counts = { api_keys: 0, permanent_admins: 0 };
  let after: PageOptions['after'];
  do {
    const page = await listApiKeys(table, { size: MAX_API_KEYS, after }, { excludeHosts: true });
    counts.api_keys += page.objects.length;
    counts.permanent_admins += page.objects.filter(isPermanentAdmin).length;
    after = page.next;
  } while (after !== undefined);
  const { client, name } = table;
  const { Item: { api_keys: counted = 0, permanent_admins: admins = 0 } = {} } = await client.send(
    new GetCommand({ TableName: name, Key: apiKeyCounterKey, ConsistentRead: true }),
  );
  if (counted === counts.api_keys && admins === counts.permanent_admins) return;
  await client.send(new PutCommand({ TableName: name, Item: { ...apiKeyCounterKey, ...counts } }));
}
