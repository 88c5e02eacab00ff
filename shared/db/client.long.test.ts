/** The limits of the SDK, in real seconds. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { DocumentTableClient } from './client.ts';

let server: Server;
let client: DocumentTableClient;
let calls: number;
let answer: (response: ServerResponse) => void;

const empty = (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');

beforeEach(async () => {
  calls = 0;
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      calls += 1;
      answer(response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  client = new DocumentTableClient({ region: 'eu-north-1', endpoint, credentials, maxSockets: 2 });
});
afterEach(async () => {
  client.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const get = () => client.send(new GetCommand({ TableName: 't', Key: { pk: 'a', sk: 'b' } }));

test("the wait for a connection is not part of an attempt's time", async () => {
  // Three rounds of 1.2 s on two connections: more than the 3 s of an attempt.
  answer = (response) => setTimeout(() => empty(response), 1200);
  await Promise.all(Array.from({ length: 6 }, get));
  expect(calls).toBe(6);
});

test('a missing reply ends the attempt after 3 s', async () => {
  const start = performance.now();
  answer = (response) => {
    if (calls > 1) empty(response);
  };
  await get();
  expect(performance.now() - start).toBeGreaterThan(2900);
  expect(calls).toBe(2);
});
