import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { changeShardPartition, changesFrom, FIRST_CHANGE_SHARDS } from '../../functions/store/table/keys.ts';
import type { Table } from '../../shared/db/table.ts';

/**
 * Puts copies of the first change into the table, a millisecond apart from `start` on, in each partition as many as in the others:
 * past the functions, to which partition by chance. Their ids are "0", "1" and so on.
 */
export async function putChanges({ client, name }: Table, { many, start }: { many: number; start: number }) {
  const shards = Array.from({ length: FIRST_CHANGE_SHARDS }, (_, shard) => changeShardPartition(shard));
  const pages = await Promise.all(
    shards.map((pk) =>
      client.send(
        new QueryCommand({
          TableName: name,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          Limit: 1,
        }),
      ),
    ),
  );
  const [template] = pages
    .flatMap(({ Items = [] }) => Items)
    .sort((left, right) => (String(left['sk']) < String(right['sk']) ? -1 : 1));
  if (template === undefined) throw new Error('there is no change to copy');
  for (let index = 0; index < many; index += 1) {
    const pk = shards[index % FIRST_CHANGE_SHARDS]!;
    const sk = `${changesFrom(start + index)}${String(index).padStart(6, '0')}00`;
    await client.send(new PutCommand({ TableName: name, Item: { ...template, pk, sk, id: String(index) } }));
  }
}
