import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { inTime } from '../http/deadline.ts';
import { OutcomeUnknown } from './contention.ts';
import { openTable } from './table.ts';
import { TableFault } from './table-fault.ts';

let server: Server;
let calls = 0;
let reply: { status: number; body: string } = { status: 200, body: '{}' };
const before = { ...process.env };
beforeAll(async () => {
  server = createServer((_, response) => {
    calls += 1;
    response.writeHead(reply.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  for (const name of ['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[name];
});
beforeEach(() => (calls = 0));

const failure = (type: string) => JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'x' });
const get = () => {
  const { client, name } = openTable('t');
  return client.send(new GetCommand({ TableName: name, Key: { pk: 'x', sk: 'x' } })).catch((error: unknown) => error);
};

test('a reply is returned; labels may have any name', async () => {
  reply = { status: 200, body: JSON.stringify({ Item: { pk: { S: 'x' } } }) };
  expect(await get()).toMatchObject({ Item: { pk: 'x' } });
  const { client } = openTable('t');
  const Key = { pk: 'x', labels: { constructor: 'x', undefined } };
  await expect(client.send(new GetCommand({ TableName: 't', Key }))).resolves.toBeDefined();
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
