import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from './commands.ts';
import { inTime } from '../http/deadline.ts';
import { OutcomeUnknown } from './contention.ts';
import { openTable } from './table.ts';
import { TableFault } from './table-fault.ts';

let server: Server;
let calls = 0;
let reply: { status: number; body: string } = { status: 200, body: '{}' };
let environment: Record<string, string>;
beforeAll(async () => {
  server = createServer((_, response) => {
    calls += 1;
    response.writeHead(reply.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment = {
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => (calls = 0));

const failure = (type: string) => JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'x' });
const get = () => {
  const { client, name } = openTable('t', environment);
  return client.send(new GetCommand({ TableName: name, Key: { pk: 'x', sk: 'x' } })).catch((error: unknown) => error);
};

test('a reply is returned', async () => {
  reply = { status: 200, body: JSON.stringify({ Item: { pk: { S: 'x' } } }) };
  expect(await get()).toMatchObject({ Item: { pk: 'x' } });
});

test.each([
  [500, failure('InternalServerError'), OutcomeUnknown, 'table_unanswered', 3],
  [400, failure('ThrottlingException'), OutcomeUnknown, undefined, 3],
  [400, failure('ResourceNotFoundException'), TableFault, 'table_missing', 1],
])('a reply %d %s: after %4$d attempts', async (status, body, type, fault, attempts) => {
  reply = { status, body };
  const error = await get();
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ kind: 'unavailable', fault });
  expect(calls).toBe(attempts);
});

test('the error of a mistake in the call is unchanged', async () => {
  reply = { status: 400, body: failure('ValidationException') };
  expect(await get()).toMatchObject({ name: 'ValidationException' });
});

test('after the deadline of its request a call is not sent', async () => {
  reply = { status: 200, body: '{}' };
  let outcome: unknown;
  await inTime(1, async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    outcome = await get();
  }).catch(() => undefined);
  while (outcome === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  expect([outcome, calls]).toEqual([expect.any(OutcomeUnknown), 0]);
});
