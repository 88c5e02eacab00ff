import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSecretReader, type ReadSecret } from './secrets-manager.ts';

type Answer = (response: ServerResponse) => void;

let server: Server;
let endpoint: string;
let read: ReadSecret;
let calls: { headers: IncomingMessage['headers']; body: any }[];
/** What the server answers, one after the other; the last one again and again. */
let answers: Answer[];

const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status).end(JSON.stringify(body));

/** The value of a secret. */
const value = json(200, { ARN: 'arn', SecretString: 'right', CreatedDate: 1_800_000_000.25 });
const throttled = json(400, { __type: 'ThrottlingException', message: 'Rate exceeded' });
const cut: Answer = (response) => response.destroy();

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

beforeEach(async () => {
  calls = [];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ headers: request.headers, body: JSON.parse(body) });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  read = createSecretReader({ region: 'eu-north-1', endpoint, credentials });
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

test('a read returns the text of a secret and its time', async () => {
  answers = [value];
  expect(await read('arn')).toEqual({ text: 'right', setAt: new Date(1_800_000_000_250) });
  expect(calls).toEqual([
    {
      headers: expect.objectContaining({
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'secretsmanager.GetSecretValue',
        authorization: expect.stringContaining('/eu-north-1/secretsmanager/aws4_request'),
      }),
      body: { SecretId: 'arn' },
    },
  ]);
});

test.each([
  ['throttling', throttled],
  ['a server error', json(500, { __type: 'InternalServiceError' })],
  ['a connection that is cut', cut],
] as [string, Answer][])('%s passes: the call is repeated', async (_name, answer) => {
  answers = [answer, answer, value];
  await expect(read('arn')).resolves.toMatchObject({ text: 'right' });
  expect(calls).toHaveLength(3);
});

test('the third attempt is the last one', async () => {
  answers = [throttled];
  await expect(read('arn')).rejects.toMatchObject({ name: 'ThrottlingException', message: 'Rate exceeded' });
  expect(calls).toHaveLength(3);
});

test('a refusal is final and has the name of the error', async () => {
  answers = [json(400, { __type: 'com.amazonaws#ResourceNotFoundException', Message: 'not found' })];
  await expect(read('arn')).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'not found' });
  expect(calls).toHaveLength(1);
});

test('no error contains the secret', async () => {
  for (const answer of [
    json(200, { SecretString: 'right' }),
    json(200, ['right']),
    (response: ServerResponse) => response.end('{"SecretString": "right"'),
    // The parser quotes the text at which it fails.
    (response: ServerResponse) => response.end('right'),
  ]) {
    answers = [answer];
    const error: unknown = await read('arn').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(String((error as Error).stack) + String((error as Error).cause)).not.toContain('right');
  }
});
