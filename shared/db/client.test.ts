import { type Answer, cut, useAnsweringServer } from '../../tests/support/answering-server.ts';
import { DocumentTableClient } from './client.ts';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import {
  ConditionalCheckFailedException,
  DynamoDbError,
  TransactionCanceledException,
  UnansweredError,
} from './table-errors.ts';

const server = useAnsweringServer();
let client: DocumentTableClient;
let attempted: () => unknown;

const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));

const refusal = (name: string, more: object = {}, status = 400) =>
  json(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'refused', ...more });

beforeEach(() => {
  const { endpoint } = server;
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' };
  attempted = () => undefined;
  const beforeAttempt = () => void attempted();
  client = new DocumentTableClient({ region: 'eu-north-1', endpoint, credentials, maxSockets: 2, beforeAttempt });
});
afterEach(() => client.destroy());

const get = () => client.send(new GetCommand({ TableName: 't', Key: { pk: 'a', sk: 'b' } }));
const put = () => client.send(new PutCommand({ TableName: 't', Item: { pk: 'a', sk: 'b', n: 1 } }));
const transact = () =>
  client.send(new TransactWriteCommand({ TransactItems: [{ Delete: { TableName: 't', Key: { pk: 'a' } } }] }));
const failureOf = (call: () => Promise<unknown>): Promise<any> =>
  call().then(
    () => undefined,
    (error: unknown) => error,
  );

test('a call is signed and has attribute values, and its reply has plain ones', async () => {
  server.answers = [json(200, { Item: { pk: { S: 'a' }, n: { N: '7' } } })];
  expect((await get()).Item).toEqual({ pk: 'a', n: 7 });
  expect(server.calls).toEqual([
    {
      headers: expect.objectContaining({
        'x-amz-target': 'DynamoDB_20120810.GetItem',
        'x-amz-security-token': 'token',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-north-1\/dynamodb\/aws4_request, SignedHeaders=/,
        ),
      }),
      body: { TableName: 't', Key: { pk: { S: 'a' }, sk: { S: 'b' } } },
    },
  ]);
});

test.each([
  ['a server error', refusal('InternalServerError', {}, 500)],
  ['throttling', refusal('ThrottlingException')],
  ['a connection that is cut', cut],
  ['a reply that is no JSON', (response) => response.writeHead(200).end('<html>')],
  [
    'half a reply',
    (response) => response.writeHead(200, { 'Content-Length': '99' }).end('{', () => response.destroy()),
  ],
] satisfies [string, Answer][])('%s passes: the call is repeated', async (_name, answer) => {
  server.answers = [answer, answer, json(200, {})];
  await put();
  expect(server.calls).toHaveLength(3);
});

test('the third attempt is the last one', async () => {
  server.answers = [cut];
  expect(await failureOf(put)).toBeInstanceOf(UnansweredError);
  expect(server.calls).toHaveLength(3);
  server.answers = [refusal('ThrottlingException')];
  expect(await failureOf(put)).toMatchObject({ name: 'ThrottlingException', attempts: 3 });
});

test('all attempts of a transaction share a token, and transactions have different ones', async () => {
  server.answers = [cut, json(200, {})];
  await transact();
  await transact();
  const [first, second, other] = server.calls.map(({ body }) => body.ClientRequestToken);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, other === first]).toEqual([first, false]);
});

test('a refusal is final and contains the present item', async () => {
  server.answers = [refusal('ConditionalCheckFailedException', { Item: { n: { N: '7' } } })];
  const failure = await failureOf(put);
  expect(failure).toBeInstanceOf(ConditionalCheckFailedException);
  expect(failure).toMatchObject({ Item: { n: 7 }, attempts: 1, message: 'refused' });
  server.answers = [
    refusal('TransactionCanceledException', {
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { n: { N: '7' } } }],
    }),
  ];
  const cancelled = await failureOf(transact);
  expect(cancelled).toBeInstanceOf(TransactionCanceledException);
  expect(cancelled.CancellationReasons).toMatchObject([
    { Code: 'None' },
    { Code: 'ConditionalCheckFailed', Item: { n: 7 } },
  ]);
  server.answers = [refusal('ValidationException')];
  expect(await failureOf(put)).toEqual(expect.any(DynamoDbError));
  expect(server.calls).toHaveLength(3);
});

test('server.calls are repeated less when nothing server.answers', async () => {
  server.answers = [cut];
  await Promise.all(Array.from({ length: 60 }, () => failureOf(put)));
  const before = server.calls.length;
  await failureOf(put);
  expect(server.calls.length - before).toBe(1);
});

test('a layer sees a call once with plain values and may change its input; earlier layers run for each attempt', async () => {
  const seen: unknown[] = [];
  attempted = () => seen.push('attempt');
  client.use(
    (next) => (call) => (
      seen.push([call.operation, call.input['Item']]),
      next({ ...call, input: { ...call.input, Item: { pk: 'c' } } })
    ),
  );
  server.answers = [cut, json(200, {})];
  await put();
  expect(seen).toEqual([['PutItem', { pk: 'a', sk: 'b', n: 1 }], 'attempt', 'attempt']);
  expect(server.calls.map(({ body }) => body.Item)).toEqual([{ pk: { S: 'c' } }, { pk: { S: 'c' } }]);
});

test('values are plain: undefined ones are omitted, binary ones kept, and maps may have any names', async () => {
  const labels = { constructor: 'b', B: 'c' };
  const Item = { pk: 'a', labels, bytes: Buffer.from([0, 255]), none: undefined };
  server.answers = [json(200, {})];
  await client.send(new PutCommand({ TableName: 't', Item }));
  const sent = server.calls[0]!.body.Item;
  expect(Object.keys(sent)).toEqual(['pk', 'labels', 'bytes']);
  server.answers = [json(200, { Item: sent })];
  const read = (await get()).Item!;
  expect(Object.entries(read['labels'] as object)).toEqual(Object.entries(labels));
  expect(Buffer.from(read['bytes'] as Uint8Array)).toEqual(Item.bytes);
});

test('a number that is not exact is refused before it is sent', async () => {
  server.answers = [json(200, {})];
  await expect(client.send(new PutCommand({ TableName: 't', Item: { n: NaN } }))).rejects.toThrow('NaN');
  expect(server.calls).toEqual([]);
});
