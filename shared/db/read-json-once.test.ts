import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from '../testing/fast-check.ts';
import { readJsonOnce } from './read-json-once.ts';

/** The body of each reply. */
let reply: string;
let status: number;

const requestHandler = {
  handle: () => Promise.resolve({ response: { statusCode: status, headers: {}, body: Buffer.from(reply) } }),
} as never;
const settings = {
  region: 'eu-north-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  maxAttempts: 1,
};
const open = () => new DynamoDBClient({ ...settings, requestHandler, streamCollector: (body: any) => body });
const [bare, fast] = [open(), open()];
readJsonOnce(fast.config.protocol);

beforeEach(() => (status = 200));

/** DynamoDB has no -0, and the SDK refuses numbers that are not exact. */
const number = fc
  .oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }))
  .map((value) => value + 0);
const bytes = fc.uint8Array({ maxLength: 8 });
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    number,
    fc.string({ unit: 'binary' }),
    fc.constant('{"B":"AA=="}'),
    fc.boolean(),
    fc.constant(null),
    bytes,
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('B', 'S', 'constructor')), tie('value')),
  ),
}));
const item = fc.dictionary(fc.string(), value);

const json = (items: unknown) =>
  JSON.stringify(items, (_name, part: unknown) =>
    // Before the replacer, a Buffer or a Uint8Array would become an object.
    ArrayBuffer.isView(part) ? Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64') : part,
  );

const plain = (read: { $metadata: unknown }) => ({ ...read, $metadata: undefined });

const commands = {
  get: () => new GetCommand({ TableName: 't', Key: { pk: 'a' } }),
  query: () => new QueryCommand({ TableName: 't' }),
  batch: () => new BatchGetCommand({ RequestItems: { t: { Keys: [] } } }),
};

test('replies are read like those of the SDK', async () => {
  await fc.assert(
    fc.asyncProperty(item, item, async (firstItem, other) => {
      const [first, second] = [firstItem, other].map((each) =>
        marshall(each as never, { convertClassInstanceToMap: true }),
      );
      for (const [name, body] of Object.entries({
        get: { Item: first },
        query: { Items: [first, second], Count: 2, LastEvaluatedKey: first },
        batch: { Responses: { t: [first, second] }, UnprocessedKeys: { t: { Keys: [second] } } },
      })) {
        reply = json(body);
        const [expected, read] = await Promise.all(
          [bare, fast].map((client) => DynamoDBDocumentClient.from(client).send(commands[name as 'get']())),
        );
        expect(plain(read!)).toEqual(plain(expected!));
      }
    }),
  );
});

test('binary values are found in JSON with blanks too', async () => {
  reply = '{ "Item" : { "a" : { "B" : "AP8=" } } }';
  const { Item } = await DynamoDBDocumentClient.from(fast).send(commands.get());
  expect(Item).toEqual({ a: Buffer.from([0, 255]) });
});

test('errors are read by the SDK', async () => {
  [status, reply] = [400, JSON.stringify({ __type: 'x#ConditionalCheckFailedException', Item: { a: { S: 'b' } } })];
  const put = DynamoDBDocumentClient.from(fast).send(new PutCommand({ TableName: 't', Item: { pk: 'a' } }));
  await expect(put).rejects.toMatchObject({ name: 'ConditionalCheckFailedException', Item: { a: { S: 'b' } } });
});

test.each(['{"Item":{"pk":{"S":"secret"', '["secret"]', '"secret"'])(
  '%p is no reply, and the error is repeatable and does not quote it',
  async (text) => {
    reply = text;
    const error: any = await DynamoDBDocumentClient.from(fast)
      .send(commands.get())
      .catch((reason: unknown) => reason);
    expect(error.$retryable).toBeDefined();
    expect(`${error.stack} ${error.cause}`).not.toContain('secret');
  },
);
