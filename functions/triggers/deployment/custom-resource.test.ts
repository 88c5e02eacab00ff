import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogEntry } from '../../../shared/core/log.ts';
import { customResource, type Step } from './custom-resource.ts';

/** Replaces the bucket to which CloudFormation's replies are uploaded. */
let bucket: Server;
let answers: { method: string | undefined; contentType: string | undefined; body: any }[] = [];
let status = 200;

beforeAll(async () => {
  bucket = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      answers.push({ method: request.method, contentType: request.headers['content-type'], body: JSON.parse(body) });
      response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(bucket, 'listening');
});
afterAll(() => bucket.close());
beforeEach(() => {
  answers = [];
  status = 200;
});

let logged: LogEntry[] = [];

function run(
  type: 'Create' | 'Update' | 'Delete',
  provide: Step['provide'],
  remove?: Step['remove'],
  more: Pick<Step, 'isFinal'> = {},
): Promise<void> {
  logged = [];
  const patience = { attempts: 3, pauseMs: 1, log: (entry: LogEntry) => logged.push(entry) };
  const resource = customResource({ provide, ...(remove === undefined ? {} : { remove }), ...more }, patience);
  return resource({
    RequestType: type,
    ServiceToken: 'arn:function',
    ResponseURL: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/?signature=s`,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'FirstAccess',
    ResourceType: 'Custom::FirstAccess',
    ResourceProperties: { ServiceToken: 'arn:function', SecretArn: 'arn:secret' },
    PhysicalResourceId: 'FirstAccess',
    OldResourceProperties: {},
  } as never);
}

const same = { RequestId: 'request', StackId: 'stack', LogicalResourceId: 'FirstAccess' };

test.each(['Create', 'Update'] as const)('%s does the work and notifies CloudFormation once', async (type) => {
  let given: unknown;
  await run(type, (properties) => {
    given = properties['SecretArn'];
    return Promise.resolve();
  });
  expect(given).toBe('arn:secret');
  const body = { ...same, Status: 'SUCCESS', PhysicalResourceId: 'FirstAccess' };
  // The presigned URL permits no content type.
  expect(answers).toEqual([{ method: 'PUT', contentType: '', body }]);
});

test('Delete does nothing by itself, so that the set-up outlives the stack', async () => {
  await run('Delete', () => Promise.reject(new Error('called')));
  expect(answers.map(({ body }) => body.Status)).toEqual(['SUCCESS']);
});

test('Delete reverts steps that can be reverted', async () => {
  let removed: unknown;
  const remove: Step['remove'] = (properties) => Promise.resolve(void (removed = properties['SecretArn']));
  await run('Delete', () => Promise.reject(new Error('called')), remove);
  expect([removed, answers.map(({ body }) => body.Status)]).toEqual(['arn:secret', ['SUCCESS']]);
});

test('a step that first fails, as with new permissions, is repeated', async () => {
  let attempts = 0;
  await run('Create', () => {
    attempts += 1;
    return attempts < 3 ? Promise.reject(new Error('not authorized yet')) : Promise.resolve();
  });
  expect(answers.map(({ body }) => body.Status)).toEqual(['SUCCESS']);
  expect(logged).toHaveLength(2);
});

test('an error that repetition cannot mend fails the deployment at once', async () => {
  let tries = 0;
  const provide = () => {
    tries += 1;
    return Promise.reject(new RangeError('never'));
  };
  await run('Update', provide, undefined, { isFinal: (error) => error instanceof RangeError });
  expect([tries, answers[0]?.body.Status, answers[0]?.body.Reason]).toEqual([1, 'FAILED', 'RangeError: never']);
});

test('a step that keeps failing fails the deployment with its reason, without a wait of CloudFormation', async () => {
  await run('Create', () => Promise.reject(new Error('no such table')));
  expect(answers.map(({ body }) => body)).toEqual([
    { ...same, PhysicalResourceId: 'FirstAccess', Status: 'FAILED', Reason: 'Error: no such table' },
  ]);
  expect(logged).toHaveLength(3);
});

test('a refused answer is an error, so that Lambda calls again', async () => {
  status = 403;
  await expect(run('Create', () => Promise.resolve())).rejects.toThrow('403');
});
