import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, Key, Table } from '../../shared/db/table.ts';

/**
 * Changes fields of an object past the service, as an older version may have written them.
 *
 * @param attributes of the item itself, of indexes for example.
 */
export async function changeStored(
  { client, name }: Table,
  key: Key,
  fields: Item,
  attributes: Item = {},
): Promise<void> {
  const { Item: item } = await client.send(new GetCommand({ TableName: name, Key: key, ConsistentRead: true }));
  if (item === undefined) throw new Error(`nothing at ${key.pk}`);
  const object = { ...(JSON.parse(String(item['json'])) as Item), ...fields };
  const changed = { ...item, ...attributes, json: JSON.stringify(object) };
  await client.send(new PutCommand({ TableName: name, Item: changed }));
}
