import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

let client: DynamoDBClient | undefined;

/** A function that loads the DynamoDB client and nothing else, and reads one item as it is. */
export const handler = async (key: { pk: string; sk: string }) => {
  client ??= new DynamoDBClient();
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: process.env['TABLE_NAME'],
      Key: { pk: { S: key.pk }, sk: { S: key.sk } },
      ConsistentRead: true,
    }),
  );
  return { statusCode: 200, body: JSON.stringify(Item) };
};
