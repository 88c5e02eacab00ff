import { type Answer, cut, useAnsweringServer } from '../../tests/support/answering-server.ts';
import { createSecretReader, type ReadSecret } from './secrets-manager.ts';

const server = useAnsweringServer();
let read: ReadSecret;

const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status).end(JSON.stringify(body));

/** The value of a secret. */
const value = json(200, { ARN: 'arn', SecretString: 'right', CreatedDate: 1_800_000_000.25 });
const throttled = json(400, { __type: 'ThrottlingException', message: 'Rate exceeded' });

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

beforeEach(() => {
  read = createSecretReader({ region: 'eu-north-1', endpoint: server.endpoint, credentials });
});

test('a read returns the text of a secret and its time', async () => {
  server.answers = [value];
  expect(await read('arn')).toEqual({ text: 'right', setAt: new Date(1_800_000_000_250) });
  expect(server.calls).toEqual([
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
  server.answers = [answer, answer, value];
  await expect(read('arn')).resolves.toMatchObject({ text: 'right' });
  expect(server.calls).toHaveLength(3);
});

test('the third attempt is the last one', async () => {
  server.answers = [throttled];
  await expect(read('arn')).rejects.toMatchObject({ name: 'ThrottlingException', message: 'Rate exceeded' });
  expect(server.calls).toHaveLength(3);
});

test('a refusal is final and has the name of the error', async () => {
  server.answers = [json(400, { __type: 'com.amazonaws#ResourceNotFoundException', Message: 'not found' })];
  await expect(read('arn')).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'not found' });
  expect(server.calls).toHaveLength(1);
});

test('no error contains the secret', async () => {
  const malformed: readonly Answer[] = [
    json(200, { SecretString: 'right' }),
    json(200, ['right']),
    (response) => response.end('{"SecretString": "right"'),
    // The parser quotes the text at which it fails.
    (response) => response.end('right'),
  ];
  for (const answer of malformed) {
    server.answers = [answer];
    const error: unknown = await read('arn').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(String((error as Error).stack) + String((error as Error).cause)).not.toContain('right');
  }
});
