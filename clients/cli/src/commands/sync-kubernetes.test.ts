import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeKubernetes } from '../../../../tests/cli/fake-kubernetes.ts';
import { type Answer, commandCall, type RecordedCall, refusal } from '../../../../tests/support/command-call.ts';
import { comesTrue, type ManualClock, manualClock } from '../../../../tests/support/manual-clock.ts';
import type { Clock } from '../core/clock.ts';
import { run, timers } from './sync-kubernetes.ts';

let kubernetes: FakeKubernetes;
let folder: string;
let tokenFile: string;
let clock: ManualClock;
let controller: AbortController;
let ended: Promise<unknown> | undefined;
beforeEach(async () => {
  [clock, controller] = [manualClock(), new AbortController()];
  kubernetes = await new FakeKubernetes().start();
  folder = await mkdtemp(join(tmpdir(), 'sync-kubernetes-'));
  tokenFile = join(folder, 'token');
  await writeFile(tokenFile, kubernetes.token);
});
afterEach(async () => {
  controller.abort(new Error('the end'));
  await expect(ended).rejects.toThrow('the end');
  await kubernetes.stop();
  await rm(folder, { recursive: true });
});

/** The clock of a command, which the test moves. */
const commandClock = (): Clock => ({
  now: clock.now,
  elapsed: clock.now,
  after: clock.after,
  pause: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(milliseconds, resolve);
      const stop = () => {
        cancel();
        reject(signal?.reason as Error);
      };
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
});

const plan = { items: [], add: 1, change: 0, remove: 0, unchanged: 0, blocked: 0 };
const progress = { total: 1, done: 1, failed: 0, failures: [] };

/** Follows the pods, with the replies of the inventory to each plan and to each part of its application. */
function follow(onPlan: () => unknown, onApply: () => unknown = () => ({}), options: object = {}): RecordedCall {
  const answer: Answer = ({ method, path, body }) => {
    // A plan for agents makes the command read those that the inventory has: none.
    if (method === 'GET') return { nodes: [], services: [], agents: [] };
    expect(path).toBe('/v1/reconcile');
    return body.mode === 'plan' ? onPlan() : onApply();
  };
  const call = commandCall({
    options: { cluster: 'shop', apiServer: kubernetes.url, tokenFile, ...options },
    world: { clock: commandClock(), signal: controller.signal },
    answer,
  });
  ended = run(call);
  ended.catch(() => undefined);
  return call;
}

const addPod = (name: string) =>
  kubernetes.put({
    metadata: { namespace: 'prod', name, annotations: { 'inventory/service-type': 'mysql' } },
    status: { podIP: '10.0.0.1' },
  });

/** Time passes for the command while it asks Kubernetes and the inventory, some milliseconds in each turn. */
const untilTrue = (isTrue: () => boolean, milliseconds = 1) =>
  comesTrue(() => {
    clock.advance(milliseconds);
    return isTrue();
  });

/** A minute passes, with turns for what it causes. */
async function minute(): Promise<void> {
  let turns = 0;
  await untilTrue(() => (turns += 1) > 6000, 10);
}

const plans = (call: RecordedCall) => call.sent.filter(({ body }) => body?.mode === 'plan');

test('pods are planned two seconds after their last change, and the plan is applied and reported', async () => {
  addPod('db-0');
  const done = { ...plan, plan_id: 'plan-1', state: 'done', progress };
  const call = follow(
    () => ({ ...plan, plan_id: 'plan-1', state: 'planned', progress: { ...progress, done: 0 } }),
    () => done,
  );
  expect(await untilTrue(() => call.out() !== '')).toBe(true);
  expect(call.out()).toBe('shop: done, 1 to add, 0 to change, 0 to remove: 1 done, 0 failed.\n');
  expect(plans(call)[0]?.body).toMatchObject({
    scope: { selector: 'kubernetes="shop"' },
    desired: { nodes: [{ node_name: 'shop/prod/db-0' }] },
  });
  const at = clock.now();
  addPod('db-1');
  expect(await untilTrue(() => plans(call).length === 2)).toBe(true);
  expect(clock.now() - at).toBeGreaterThanOrEqual(2000);
  expect(plans(call)[1]?.body.desired.nodes).toHaveLength(2);
  await minute();
  expect(call.sent).toHaveLength(4);
});

test('a blocked agent is printed with its type and node', async () => {
  addPod('db-0');
  const agent = { kind: 'agent', action: 'remove', agent_type: 'pmm_agent', runs_on_node_name: 'n', blocked: 'Used.' };
  const call = follow(() => ({ ...plan, state: 'planned', progress, items: [agent], blocked: 1 }));
  expect(await untilTrue(() => call.err() !== '')).toBe(true);
  expect(call.err()).toBe('shop: agent pmm_agent on n: Used.\n');
});

test('programs read the result of a plan as JSON', async () => {
  addPod('db-0');
  const call = follow(
    () => ({ ...plan, plan_id: 'plan-1', state: 'planned', progress: { ...progress, done: 0 } }),
    () => ({ ...plan, plan_id: 'plan-1', state: 'done', progress }),
    { output: 'json' },
  );
  expect(await untilTrue(() => call.out() !== '')).toBe(true);
  expect(JSON.parse(call.out())).toEqual({
    ...{ cluster: 'shop', state: 'done', pods: 1, add: 1, change: 0, remove: 0, blocked: 0, progress },
  });
});

test.each([
  ['nothing to do', {}, ''],
  ['a refusal', { plan_id: 'plan-1', refusal: 'Too many removals.' }, 'shop: Too many removals.\n'],
  [
    'blocked items',
    {
      items: [
        { kind: 'node', action: 'add', node_name: 'n', blocked: 'Taken.' },
        { kind: 'service', action: 'add', service_name: 's', blocked: 'Taken.' },
      ],
      blocked: 2,
    },
    'shop: node n: Taken.\nshop: service s: Taken.\n',
  ],
])('a plan with %s is printed once, and made again only after pods change', async (_, more, told) => {
  addPod('db-0');
  const call = follow(() => ({ ...plan, state: 'planned', progress, ...more }));
  expect(await untilTrue(() => plans(call).length === 1)).toBe(true);
  await minute();
  expect([call.err(), call.out(), call.sent.length]).toEqual([told, '', 1]);
  addPod('db-1');
  expect(await untilTrue(() => plans(call).length === 2)).toBe(true);
});

test('a plan without a reply, or with a failed step, is repeated after twenty seconds', async () => {
  addPod('db-0');
  const planned = { ...plan, plan_id: 'plan-1', state: 'planned', progress: { ...progress, done: 0 } };
  const answers = [refusal(503), planned, planned];
  const results = [
    { ...planned, state: 'done', progress: { ...progress, done: 0, failed: 1 } },
    { ...planned, state: 'done', progress },
  ];
  const call = follow(
    () => answers.shift(),
    () => results.shift(),
  );
  const times: number[] = [];
  for (const count of [1, 2, 3]) {
    expect(await untilTrue(() => plans(call).length === count)).toBe(true);
    times.push(clock.now());
  }
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(20_000);
  expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(20_000);
  await minute();
  expect([plans(call).length, call.err().trim().split('\n').length]).toEqual([3, 1]);
  expect(call.out().trim().split('\n')).toHaveLength(2);
});

test('a wrong setting ends the watcher, because no later round can succeed', async () => {
  addPod('db-0');
  const call = follow(() => new Response('', { status: 302, headers: { Location: 'https://other.example' } }));
  const watcher = ended;
  let isOver = false;
  watcher?.catch(() => (isOver = true));
  expect(await untilTrue(() => isOver)).toBe(true);
  await expect(watcher).rejects.toThrow('redirects to https://other.example');
  expect(plans(call)).toHaveLength(1);
  ended = Promise.reject(new Error('the end'));
});

test('one of several replicas acts, by the lease with the given namespace and name', async () => {
  addPod('db-0');
  const call = follow(() => ({ ...plan, state: 'planned', progress }), undefined, { leaseNamespace: 'prod' });
  expect(await untilTrue(() => plans(call).length === 1)).toBe(true);
  expect(kubernetes.requests.filter((request) => request.startsWith('POST'))).toEqual([
    'POST /apis/coordination.k8s.io/v1/namespaces/prod/leases',
  ]);
  expect(kubernetes.lease('inventory-sync-kubernetes').spec).toMatchObject({ leaseDurationSeconds: 15 });
});

test('a cluster name is required', async () => {
  const call = commandCall({ world: { signal: controller.signal } });
  await expect(run(call)).rejects.toThrow('Give a name for the cluster of Kubernetes: --cluster NAME.');
  ended = Promise.reject(new Error('the end'));
});

test('the command waits as long as docs/kubernetes.md states', () => {
  expect(timers).toEqual({
    ...{ quiet: 2000, longest: 20_000, relist: 300_000 },
    ...{ retry: 1000, maxRetry: 30_000, lease: 15_000 },
  });
});
