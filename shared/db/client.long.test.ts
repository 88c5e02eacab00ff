/** The limits of the SDK, in real seconds. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Answer, useAnsweringServer } from '../../tests/support/answering-server.ts';
import { DocumentTableClient } from './client.ts';

const server = useAnsweringServer();
let client: DocumentTableClient;

const empty: Answer = (response) => response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');

beforeEach(() => {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  client = new DocumentTableClient({ region: 'eu-north-1', endpoint: server.endpoint, credentials, maxSockets: 2 });
});
afterEach(() => client.destroy());

const get = () => client.send(new GetCommand({ TableName: 't', Key: { pk: 'a', sk: 'b' } }));

test("the wait for a connection is not part of an attempt's time", async () => {
  // Three rounds of 1.2 s on two connections: more than the 3 s of an attempt.
  server.answers = [(response) => setTimeout(() => empty(response), 1200)];
  await Promise.all(Array.from({ length: 6 }, get));
  expect(server.calls).toHaveLength(6);
});

test('a missing reply ends the attempt after 3 s', async () => {
  const start = performance.now();
  server.answers = [() => undefined, empty];
  await get();
  expect(performance.now() - start).toBeGreaterThan(2900);
  expect(server.calls).toHaveLength(2);
});
