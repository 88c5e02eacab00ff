import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { OutcomeUnknown, ReadFailure } from './contention.ts';
import type { Command } from './client.ts';
import { DynamoDbError, UnansweredError } from './table-errors.ts';
import { openTable } from './table.ts';

let server: Server;
let endpoint: string;
/** The headers of each call. */
let calls: NodeJS.Dict<string | string[]>[];

beforeEach(async () => {
  calls = [];
  server = createServer((request, response) => {
    calls.push(request.headers);
    request.resume().on('end', () => response.end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const credentials = { AWS_REGION: 'eu-north-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

async function readWith(environment: NodeJS.ProcessEnv): Promise<void> {
  const { client, name } = openTable('t', { ...credentials, ...environment });
  await client.send(new GetCommand({ TableName: name, Key: { pk: 'a', sk: 'b' } }));
  client.destroy();
}

test.each(['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL'])('%s sets the endpoint', async (name) => {
  await readWith({ [name]: endpoint });
  expect(calls).toHaveLength(1);
});

test('the endpoint of DynamoDB has precedence over that of all services', async () => {
  await readWith({ AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' });
  expect(calls).toHaveLength(1);
});

test('a session token is part of each call; an empty one is none', async () => {
  await readWith({ AWS_ENDPOINT_URL: endpoint, AWS_SESSION_TOKEN: 'token' });
  await readWith({ AWS_ENDPOINT_URL: endpoint, AWS_SESSION_TOKEN: '' });
  expect(calls.map((headers) => headers['x-amz-security-token'])).toEqual(['token', undefined]);
});

test('layers see the errors of the client, the caller those for callers', async () => {
  const { client } = openTable('t', { ...credentials, AWS_ENDPOINT_URL: endpoint });
  const seen: unknown[] = [];
  const refusal = new DynamoDbError('InternalServerError', { message: 'disk I/O error', status: 500 });
  client.use(() => () => Promise.reject(refusal));
  client.use(
    (next) => (call) =>
      next(call).catch((error: unknown) => {
        seen.push(error);
        throw error;
      }),
  );
  const call = client.send(new GetCommand({ TableName: 't', Key: {} }));
  await expect(call).rejects.toBeInstanceOf(ReadFailure);
  expect(seen).toEqual([refusal]);
});

test.each(['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'])(
  '%s means that the service is busy, which is no fault',
  async (name) => {
    const { client } = openTable('t', { ...credentials, AWS_ENDPOINT_URL: endpoint });
    client.use(() => () => Promise.reject(new DynamoDbError(name, { message: 'x' })));
    const error = await client.send(new PutCommand({ TableName: 't', Item: {} })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({ fault: undefined });
  },
);

const key = { pk: 'a', sk: 'b' };

describe.each([
  ['a busy table', new DynamoDbError('ThrottlingException', { message: 'x' }), 'The service is busy.'],
  ['a silent table', new UnansweredError(new Error('x')), 'The table does not answer.'],
])('%s', (_, refusal, reason) => {
  const errorOf = (command: Command) => {
    const { client } = openTable('t', { ...credentials, AWS_ENDPOINT_URL: endpoint });
    client.use(() => () => Promise.reject(refusal));
    return client.send(command).catch((error: unknown) => error);
  };

  test.each([
    new GetCommand({ TableName: 't', Key: key }),
    new BatchGetCommand({ RequestItems: { t: { Keys: [key] } } }),
    new QueryCommand({ TableName: 't' }),
  ])('a read returns that it has no result, without a word of changes', async (command) => {
    const error = await errorOf(command);
    expect(error).toBeInstanceOf(ReadFailure);
    expect(error).toMatchObject({ kind: 'unavailable', message: `${reason} Repeat the request later.` });
  });

  test.each([
    new PutCommand({ TableName: 't', Item: key }),
    new DeleteCommand({ TableName: 't', Key: key }),
    new TransactWriteCommand({ TransactItems: [] }),
  ])('a write returns that the change may have been made', async (command) => {
    const error = await errorOf(command);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({ message: expect.stringContaining(`${reason} The change may have been made.`) });
  });
});
