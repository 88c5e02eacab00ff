/** A table that cannot be used, for another reason than that many use it. */
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';
import { pastTheAuthorizer } from './outcome.ts';
import type { Fault } from './proxy.ts';

let inventory: FaultyInventory;
beforeAll(async () => (inventory = await startFaultyInventory(13)));
afterAll(() => inventory.stop());
beforeEach(() => {
  inventory.logged.length = 0;
});
afterEach(() => {
  inventory.proxy.disturb();
  inventory.newInstances();
});

const ready = () => inventory.request('GET', '/v1/readyz', { as: null });
const add = (node_name: string) =>
  inventory.request('POST', '/v1/nodes', { body: { node_type: 'generic', node_name, address: node_name } });
const errors = () =>
  inventory.logged.filter(({ level }) => level === 'error').map(({ fault, status }) => [status, fault]);

describe.each([
  ['ResourceNotFoundException', 'table_missing', 'does not exist'],
  ['AccessDeniedException', 'table_access', 'no access'],
  ['UnrecognizedClientException', 'table_access', 'no access'],
  ['ExpiredTokenException', 'table_access', 'no access'],
  ['KMSDisabledException', 'table_key', 'key that encrypts'],
  ['ValidationException', 'table_shape', 'other keys'],
] as const)('%s', (error, name, problem) => {
  test('each reply and readyz state the problem and where the remedy is, each is logged, and the service recovers', async () => {
    inventory.proxy.disturb({ fault: { kind: 'refusal', error }, ...pastTheAuthorizer });
    for (const reply of [await add(error), await inventory.request('GET', '/v1/nodes'), await ready()]) {
      expect(reply).toMatchObject({ status: 503, body: { code: 14, message: expect.stringContaining(problem) } });
      expect(reply.body.message).toContain('docs/runbook.md');
      expect(reply.body.message).not.toMatch(/busy|arn:/);
    }
    // No retries: they could not help. Two callers, the number of change partitions, and two reads by the requests.
    expect(inventory.proxy.calls.GetItem).toBeLessThanOrEqual(5);
    expect(errors()).toEqual([503, 503, 503].map((status) => [status, name]));
    inventory.proxy.disturb();
    expect((await ready()).status).toBe(200);
    expect((await add(error)).status).toBe(201);
  });

  test('in the authorizer is named by the reply, with one log line', async () => {
    inventory.proxy.disturb({ fault: { kind: 'refusal', error } });
    const reply = await add(`${error} 2`);
    expect(reply).toMatchObject({ status: 503, body: { message: expect.stringContaining(problem) } });
    expect(errors()).toEqual([[undefined, name]]);
  });
});

test.each([
  ['an engine that fails', { kind: 'refusal', error: 'InternalServerError' }],
  ['an engine that cannot be reached', { kind: 'lost call' }],
] as [string, Fault][])('%s: not reported as busy, logged, and a 503 from readyz', async (_name, fault) => {
  inventory.proxy.disturb({ fault, ...pastTheAuthorizer });
  const reply = await inventory.request('GET', '/v1/nodes');
  expect(reply).toMatchObject({ status: 503, body: { message: expect.stringContaining('does not answer') } });
  expect((await ready()).status).toBe(503);
  expect(errors()).toEqual([
    [503, 'table_unanswered'],
    [503, 'table_unreachable'],
  ]);
});

test('contention is no fault and logs no error', async () => {
  inventory.proxy.disturb({ fault: { kind: 'refusal', error: 'ThrottlingException' }, ...pastTheAuthorizer });
  const reply = await inventory.request('GET', '/v1/nodes');
  expect(reply).toMatchObject({ status: 503, body: { message: expect.stringContaining('busy') } });
  expect(errors()).toEqual([]);
});
