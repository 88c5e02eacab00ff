import { IAMClient } from '@aws-sdk/client-iam';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { roleExists } from './role-exists.ts';

const ARN = 'arn:aws:iam::123456789012:role/service/Logs';
const asked: string[] = [];

/** IAM with one reply; without one, a port on which nothing listens. */
async function answerOf(reply?: { status: number; body: string }): Promise<boolean> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(body);
      response.writeHead(reply?.status ?? 500, { 'content-type': 'text/xml' }).end(reply?.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (reply === undefined) server.close();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const iam = new IAMClient({ endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1', credentials, maxAttempts: 1 });
  try {
    return await roleExists(iam, ARN);
  } finally {
    iam.destroy();
    server.close();
  }
}

const failure = (status: number, code: string) => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>m</Message></Error></ErrorResponse>`,
});

test('IAM states whether a role exists', async () => {
  const role = `<GetRoleResponse><GetRoleResult><Role><RoleName>Logs</RoleName></Role></GetRoleResult></GetRoleResponse>`;
  expect(await answerOf({ status: 200, body: role })).toBe(true);
  expect(asked.at(-1)).toMatch(/[&]RoleName=Logs(&|$)/);
  expect(await answerOf(failure(404, 'NoSuchEntity'))).toBe(false);
});

test('a role is assumed to exist when IAM cannot be asked: no route from the VPC, or a denying policy', async () => {
  expect(await answerOf()).toBe(true);
  expect(await answerOf(failure(403, 'AccessDenied'))).toBe(true);
});

test('other errors are raised, and the step is repeated', async () => {
  await expect(answerOf(failure(400, 'Throttling'))).rejects.toThrow();
  await expect(answerOf(failure(500, 'ServiceFailure'))).rejects.toThrow();
});
