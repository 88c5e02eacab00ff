/** The flows of the TypeScript client against the service, with faults at chosen requests. */
import { randomUUID } from 'node:crypto';
import { applyPlan, batch, importLines, planScope, rotateKey } from '../../clients/typescript/src/flows.ts';
import {
  addNode,
  type BatchOperation,
  type BatchResult,
  type Client,
  createClient,
  getCaller,
  getReconciliation,
  listAgents,
  listNodes,
} from '../../clients/typescript/src/index.ts';
import { fakeServer } from '../../clients/typescript/src/testing.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

let inventory: Inventory;
let sent: string[];
/** Strikes a request after its effect: its reply is lost. */
let isLost: (request: string) => boolean;
let client: Client;
beforeAll(async () => (inventory = await startInventory({ clock: timeOfDay })));
afterAll(() => inventory.stop());
beforeEach(() => {
  [sent, isLost] = [[], () => false];
  client = clientWith(() => inventory.keys.Admin);
});

function clientWith(key: () => string): Client {
  return createClient({
    url: 'http://inventory',
    key,
    // No time-out is under test. A busy machine needs longer than the default for a batch of hundreds of operations.
    timeout: 600_000,
    fetch: async (url, { method, headers, body, signal }) => {
      const path = url.slice('http://inventory'.length);
      const request = `${method} ${path}`;
      sent.push(request);
      const given = headers;
      const reply = await inventory.request(method, path, { as: null, headers: given, ...(body ? { body } : {}) });
      signal?.throwIfAborted();
      if (isLost(request)) throw new TypeError('fetch failed');
      const { 'Content-Encoding': _, ...rest } = reply.headers;
      return new Response(reply.status === 204 ? null : reply.text, { status: reply.status, headers: rest });
    },
  });
}

describe('a batch', () => {
  const node = (name: string, ref?: string): BatchOperation => ({
    op: 'addNode',
    ...(ref === undefined ? {} : { ref }),
    body: { node_type: 'generic', node_name: name, address: name },
  });
  const agent = (ref: string): BatchOperation => ({
    op: 'addAgent',
    body: { agent_type: 'pmm_agent', runs_on_node_id: `$${ref}`, custom_labels: { id: '$kept' } },
  });

  test('above one request keeps order and references', async () => {
    const prefix = randomUUID();
    const many = Array.from({ length: 520 }, (_, index) => node(`${prefix}-${index}`, `r${index}`));
    const results = await batch(client, [...many, agent('r0'), agent('r519')]);
    expect(sent).toEqual(['POST /v1/batch', 'POST /v1/batch']);
    expect(results.map(({ status }) => status)).toEqual(Array(522).fill(201));
    const { agents } = await listAgents(client, { runs_on_node_id: results[0]!.id });
    expect(agents).toMatchObject([{ agent_id: results[520]!.id, custom_labels: { id: '$kept' } }]);
  });

  test('does not send an operation that refers to a failed one of an earlier request', async () => {
    const prefix = randomUUID();
    await addNode(client, { node_type: 'generic', node_name: `${prefix}-taken`, address: 'a' });
    const many = Array.from({ length: 499 }, (_, index) => node(`${prefix}-${index}`));
    const results = await batch(client, [
      node(`${prefix}-taken`, 'taken'),
      ...many,
      agent('taken'),
      node(`${prefix}-x`),
    ]);
    expect(results.length).toBe(502);
    expect(results[0]).toMatchObject({ status: 409 });
    expect(results[500]).toMatchObject({ status: 400, error: { status: 'FAILED_PRECONDITION' } });
    expect(results[501]).toMatchObject({ status: 201 });
  });

  test('with a lost reply is not repeated, and reports what was done before', async () => {
    const prefix = randomUUID();
    const doneResults: BatchResult[] = [];
    isLost = () => sent.length === 2;
    const many = Array.from({ length: 501 }, (_, index) => node(`${prefix}-${index}`));
    const failed = batch(client, many, { onResults: (results) => doneResults.push(...results) });
    await expect(failed).rejects.toMatchObject({ http: 0, operation: 'runBatch', retryable: false });
    expect([sent.length, doneResults.length]).toEqual([2, 500]);
  });
});

describe('a plan', () => {
  const desired = (prefix: string, count: number) => ({
    scope: { name_prefix: prefix },
    desired: {
      nodes: Array.from({ length: count }, (_, index) => ({
        node_type: 'generic' as const,
        node_name: `${prefix}-${index}`,
        address: `${prefix}-${index}`,
      })),
    },
  });

  test('is applied as returned, also with a lost reply', async () => {
    const prefix = randomUUID();
    const plan = await planScope(client, desired(prefix, 3));
    expect(plan).toMatchObject({ state: 'planned', add: 3 });
    isLost = () => sent.length === 2;
    const states: string[] = [];
    for await (const { state } of applyPlan(client, plan)) states.push(state);
    expect(states.at(-1)).toBe('done');
    expect((await listNodes(client, { name_prefix: prefix })).nodes).toHaveLength(3);
    // Nothing remains: no request.
    const again = await planScope(client, desired(prefix, 3));
    const count = sent.length;
    expect(await applyPlan(client, again).next()).toEqual({ done: true, value: undefined });
    expect(sent.length).toBe(count);
  });

  test('whose application is aborted is cancelled, and the reason is thrown', async () => {
    const plan = await planScope(client, desired(randomUUID(), 3));
    const controller = new AbortController();
    const reason = new Error('enough');
    isLost = (request) => {
      if (request !== 'POST /v1/reconcile') return false;
      controller.abort(reason);
      return true;
    };
    const application = applyPlan(client, plan, { signal: controller.signal }).next();
    await expect(application).rejects.toBe(reason);
    expect(sent.at(-1)).toBe(`POST /v1/reconcile/${plan.plan_id}/cancel`);
    isLost = () => false;
    expect((await getReconciliation(client, { plan_id: plan.plan_id! })).state).toMatch(/cancelled|done/);
  });
});

test('an import above one request reports each line, and a dry run knows earlier lines', async () => {
  const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const lines = Array.from({ length: 1001 }, (_, index) => ({
    kind: 'node' as const,
    object: { node_type: 'generic' as const, node_id: id(index), node_name: `import-${index}`, address: 'a' },
  }));
  const agent = { agent_type: 'pmm_agent' as const, agent_id: id(5000), runs_on_node_id: id(0) };
  const all = [...lines, { kind: 'agent' as const, object: agent }, { kind: 'end' as const, complete: true }];
  const indexes: number[] = [];
  const dry = await importLines(client, all, { dryRun: true, onResult: (_, index) => indexes.push(index) });
  expect(dry).toEqual({ added: 1002, changed: 0, unchanged: 0, refused: 0 });
  expect(indexes).toEqual(Array.from({ length: 1002 }, (_, index) => index));
  expect(await importLines(client, all)).toEqual({ added: 1002, changed: 0, unchanged: 0, refused: 0 });
  isLost = () => sent.length % 5 === 0;
  expect(await importLines(client, all)).toEqual({ added: 0, changed: 0, unchanged: 1002, refused: 0 });
});

test('a rotation with a lost reply is repeated, and the new key is stored before its use', async () => {
  const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'rotated', role: 'Viewer' } });
  let key: string = body.key;
  const rotating = clientWith(() => key);
  let isFirst = true;
  isLost = (request) => {
    const strikes = isFirst && request === 'POST /v1/caller/rotate';
    if (strikes) isFirst = false;
    return strikes;
  };
  const stored: string[] = [];
  const { key_id } = await rotateKey(rotating, {
    overlap: '1h',
    store: (next) => {
      stored.push(next);
      key = next;
    },
  });
  expect(sent).toEqual(['POST /v1/caller/rotate', 'POST /v1/caller/rotate', 'GET /v1/caller']);
  expect([stored.length, stored[0] === body.key, key_id]).toEqual([1, false, body.key_id]);
  expect((await getCaller(rotating)).name).toBe('rotated');
});

test('a rotation whose key cannot be stored throws, and the former key still works', async () => {
  const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'unstored', role: 'Viewer' } });
  const rotating = clientWith(() => body.key);
  const reason = new Error('disk full');
  await expect(rotateKey(rotating, { overlap: '1h', store: () => Promise.reject(reason) })).rejects.toBe(reason);
  expect((await getCaller(rotating)).name).toBe('unstored');
});

describe('the fake server', () => {
  const node = { node_type: 'generic', node_name: 'same', address: 'a' };

  /** What differs between two runs. */
  const shape = ({ status, body }: { status: number; body: any }) => [
    status,
    Object.keys(body ?? {}).sort(),
    body?.status,
    body?.code,
    body?.revision,
    body?.outcome,
  ];

  test.each([
    [
      'adds, and refuses a name that is taken',
      [
        ['POST', '/v1/nodes', node],
        ['POST', '/v1/nodes', node],
      ],
    ],
    [
      'does not find',
      [
        ['GET', `/v1/nodes/${randomUUID()}`],
        ['DELETE', `/v1/nodes/${randomUUID()}`],
        ['GET', '/v1/nothing'],
      ],
    ],
    [
      'upserts',
      [
        ['PUT', '/v1/nodes/by-name/up', { node_type: 'generic', address: 'a' }],
        ['PUT', '/v1/nodes/by-name/up', { node_type: 'generic', address: 'a' }],
        ['PUT', '/v1/nodes/by-name/up', { node_type: 'generic', address: 'b' }],
      ],
    ],
  ] as [string, [string, string, object?][]][])('%s as the service does', async (_, requests) => {
    const fake = fakeServer();
    for (const [method, path, body] of requests) {
      const real = await inventory.request(method, path, { ...(body === undefined ? {} : { body }) });
      const reply = await fake.fetch(`http://fake${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const [status, fields, ...values] = shape({
        status: reply.status,
        body: JSON.parse((await reply.text()) || 'null'),
      });
      const [realStatus, realFields, ...realValues] = shape(real);
      expect([status, values]).toEqual([realStatus, realValues]);
      // The service has more fields, defaults for example.
      expect(realFields).toEqual(expect.arrayContaining(fields));
    }
  });

  test('fails on demand, once', async () => {
    const fake = fakeServer({ nodes: [node] });
    const faked = createClient({ url: 'http://fake', fetch: fake.fetch, attempts: 1 });
    fake.failNext('GET /v1/nodes', 'resourceExhausted');
    await expect(Promise.resolve(listNodes(faked))).rejects.toMatchObject({ http: 429, status: 'RESOURCE_EXHAUSTED' });
    expect((await listNodes(faked)).nodes).toMatchObject([node]);
  });
});
