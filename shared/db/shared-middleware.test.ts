import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { turnOfTheLoop } from '../../tests/support/manual-clock.ts';
import fc from '../testing/fast-check.ts';
import { type SdkCommand, sendThroughSharedMiddleware } from './shared-middleware.ts';

type WireRequest = { headers: Record<string, string>; body: string } & Record<string, unknown>;

/** What differs between two equal calls: times, ids, and what is computed from them or from the token of a transaction. */
const ofOneCall = new Set(['authorization', 'x-amz-date', 'x-amz-content-sha256', 'amz-sdk-invocation-id']);

/** A client whose requests are kept, and answered with their own first item or key, the later ones first. */
function open(marshallOptions: object) {
  const sent: WireRequest[] = [];
  const requestHandler = {
    handle: async ({ protocol, hostname, port, method, path, headers, body }: any) => {
      const text = Buffer.from(body)
        .toString()
        .replace(/"ClientRequestToken":"[^"]+"/, '"ClientRequestToken":""');
      const kept = Object.entries<string>(headers).filter(([header]) => !ofOneCall.has(header));
      sent.push({ protocol, hostname, port, method, path, headers: Object.fromEntries(kept), body: text });
      for (let turns = 3 - (sent.length % 3); turns > 0; turns -= 1) await turnOfTheLoop();
      const { Key, Item, TableName, RequestItems = {} } = JSON.parse(text);
      const { Keys: [first] = [] }: any = Object.values(RequestItems)[0] ?? {};
      const reply = JSON.stringify({ Item: Key ?? Item, Responses: first && { t: [first] }, Table: { TableName } });
      return { response: { statusCode: 200, headers: {}, body: Buffer.from(reply) } };
    },
  } as never;
  const client = new DynamoDBClient({
    region: 'eu-north-1',
    endpoint: 'http://127.0.0.1:8000/db',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' },
    requestHandler,
    streamCollector: (body: any) => body,
  });
  return { document: DynamoDBDocumentClient.from(client, { marshallOptions }), sent };
}

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const item = fc.dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.uint8Array({ maxLength: 4 })), {
  minKeys: 1,
});

/** A command that is made anew for each client: the SDK adds middleware to it. */
const command = fc.oneof(
  fc.record({ TableName: name, Key: item }).map((input) => () => new GetCommand(input)),
  fc.record({ TableName: name, Item: item }).map((input) => () => new PutCommand(input)),
  fc
    .record({ TableName: name, Key: item, ExpressionAttributeValues: item })
    .map((input) => () => new UpdateCommand({ ...input, UpdateExpression: 'SET a = :a' })),
  fc
    .record({ TableName: name, ExpressionAttributeValues: item, Limit: fc.integer() })
    .map((input) => () => new QueryCommand(input)),
  fc.tuple(name, item).map(
    ([table, key]) =>
      () =>
        new BatchGetCommand({ RequestItems: { [table]: { Keys: [key] } } }),
  ),
  fc.record({ TableName: name, Item: item }).map((Put) => () => new TransactWriteCommand({ TransactItems: [{ Put }] })),
  fc.record({ TableName: name }).map((input) => () => new DescribeTableCommand(input)),
);

test.each([{}, { convertClassInstanceToMap: true, removeUndefinedValues: true }])(
  'simultaneous calls are sent and answered as by the SDK, with options %p',
  async (marshallOptions) => {
    const [bare, shared] = [open(marshallOptions), open(marshallOptions)];
    const send = sendThroughSharedMiddleware(shared.document);
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 8 }), async (commands) => {
        bare.sent.length = shared.sent.length = 0;
        const expected = await Promise.all(commands.map((make) => bare.document.send(make() as SdkCommand)));
        const read = await Promise.all(commands.map((make) => send(make() as SdkCommand)));
        // How many turns of the event loop precede a request is not part of it.
        const inOrder = (sent: WireRequest[]) => sent.toSorted((left, other) => (left.body < other.body ? -1 : 1));
        expect(inOrder(shared.sent)).toEqual(inOrder(bare.sent));
        expect(read).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  },
);

test('the shared middleware keeps no input of a command that was sent', async () => {
  const { document } = open({});
  const contexts: any[] = [];
  document.middlewareStack.add((next, context) => (contexts.push(context), next), { step: 'initialize' });
  const put = new PutCommand({ TableName: 't', Item: { pk: 'a' } });
  await sendThroughSharedMiddleware(document)(put as object as SdkCommand);
  expect(contexts.map((context) => context.__smithy_context.commandInstance.input)).toEqual([{}]);
});

test('the middleware of a class is added once, not for each command', async () => {
  const { document } = open({});
  let joins = 0;
  const stack = document.middlewareStack;
  const concat = stack.concat.bind(stack);
  stack.concat = (other) => {
    joins += 1;
    return concat(other);
  };
  const send = sendThroughSharedMiddleware(document);
  const get = (pk: string) => new GetCommand({ TableName: 't', Key: { pk } }) as object as SdkCommand;
  for (const pk of ['a', 'b', 'c']) expect(await send(get(pk))).toMatchObject({ Item: { pk } });
  expect(joins).toBe(1);
  await send(new DescribeTableCommand({ TableName: 't' }) as object as SdkCommand);
  expect(joins).toBe(2);
});

test('an object that is no command of the SDK is refused', async () => {
  const send = sendThroughSharedMiddleware(open({}).document);
  await expect(send({ input: {} } as SdkCommand)).rejects.toThrow('not a command of the SDK');
});
