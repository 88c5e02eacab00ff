import { commandCall } from '../../../../tests/support/command-call.ts';
import { cancel, get, wait } from './job.ts';

const job = (more: object = {}) => ({ plan_id: 'p', state: 'done', failures: [], ...more });

/** The command for the job `p`, which is as each of these replies says. */
async function run(action: typeof get, ...replies: object[]) {
  const call = commandCall({ args: ['p'], options: { output: 'json' }, answer: () => replies.shift() });
  const exit = await action.run(call);
  const shown: unknown = JSON.parse(call.out());
  return { exit, shown, err: call.err(), requests: call.sent.map(({ method, path }) => `${method} ${path}`) };
}

test.each([
  ['get', get, 'GET /v1/reconcile/p'],
  ['wait', wait, 'GET /v1/reconcile/p'],
  ['cancel', cancel, 'POST /v1/reconcile/p/cancel'],
])('job %s shows the job', async (_, action, request) => {
  expect(await run(action, job())).toEqual({ exit: undefined, shown: job(), err: '', requests: [request] });
});

test('wait reads the job until it no longer applies', async () => {
  const { shown, requests } = await run(wait, job({ state: 'applying' }), job({ state: 'applying' }), job());
  expect([shown, requests.length]).toEqual([job(), 3]);
});

test('a stopped job, or one with failures, is partial, and each failure is named', async () => {
  const failures = [
    { item: { kind: 'node', node_name: 'db-1' }, message: 'Taken.' },
    { item: { kind: 'service', service_name: 'orders' }, message: 'No node.' },
    { item: { kind: 'agent', id: 'a-1' }, message: 'Gone.' },
  ];
  for (const reply of [job({ state: 'stopped' }), job({ failures: failures.slice(0, 1) })])
    expect((await run(get, reply)).exit).toBe('partial');
  const { exit, err } = await run(get, job({ failures }));
  expect([exit, err]).toEqual(['partial', 'node db-1: Taken.\nservice orders: No node.\nagent a-1: Gone.\n']);
});
