import { randomUUID } from 'node:crypto';
import { ADMIN_PASSWORD } from '../../../../tests/support/inventory.ts';
import { getReconciliation, noteProgress } from '../../../store/jobs/reconciliations.ts';
import { continueReconciliation } from '../../../triggers/continue-jobs/reconciliation.ts';
import { partsOf } from '../../../bulk/partial-failure.ts';
import { jobContext } from '../../../store/entities/write-context.ts';
import { resume } from '../../../bulk/reconcile/run.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useCheckedInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useCheckedInventory();

type Caller = { as: 'Editor' | 'Admin' } | { headers: { Authorization: string } };

const EDITOR: Caller = { as: 'Editor' };
const bearer = (key: string): Caller => ({ headers: { Authorization: `Bearer ${key}` } });
const password = { headers: { Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` } };

async function newKey(more: object = {}) {
  const body = { name: randomUUID(), role: 'Editor', ...more };
  return (await inventory.request('POST', '/v1/api-keys', { body })).body;
}

/** A plan that adds two nodes. */
async function plan(by: Caller = EDITOR) {
  const name = randomUUID();
  const nodes = [1, 2].map((number) => ({ node_type: 'generic', node_name: `${name}-${number}`, address: 'a' }));
  const body = { scope: { name_prefix: name }, desired: { nodes } };
  const { plan_id: id } = (await inventory.request('POST', '/v1/reconcile', { body, ...by })).body;
  const added = async () => (await inventory.request('GET', `/v1/nodes?name_prefix=${name}`)).body.nodes.length;
  const job = () =>
    getReconciliation(inventory.table, { planId: id, callerId: undefined, now: inventory.dependencies.clock() });
  /** The progress of a request that was interrupted before its first step. */
  const begin = () =>
    noteProgress(inventory.table, id, { state: 'applying', total: 2, done: 0, failed: 0, failures: [] });
  return { id: String(id), added, job, begin };
}

const cancel = (id: string, by: Caller = EDITOR) => inventory.request('POST', `/v1/reconcile/${id}/cancel`, by);

test('a cancelled plan contains its canceller, cannot be applied, and a second cancellation changes nothing', async () => {
  const { id, added } = await plan();
  const first = await cancel(id);
  expect(first).toMatchObject({
    status: 200,
    body: {
      plan_id: id,
      state: 'cancelled',
      cancelled_by: { kind: 'api_key', name: 'test Editor' },
      progress: { done: 0 },
    },
  });
  expect((await cancel(id, { as: 'Admin' })).body).toEqual(first.body);
  expect((await inventory.request('GET', `/v1/reconcile/${id}`, EDITOR)).body).toEqual(first.body);
  const apply = await inventory.request('POST', '/v1/reconcile', { body: { plan_id: id, mode: 'apply' }, ...EDITOR });
  expect(apply).toMatchObject({ status: 400, body: { code: 9, message: expect.stringContaining('cancelled') } });
  expect(await added()).toBe(0);
});

test('completed steps stay completed', async () => {
  const { id, added } = await plan();
  await inventory.request('POST', '/v1/reconcile', { body: { plan_id: id, mode: 'apply' }, ...EDITOR });
  expect((await cancel(id)).body).toMatchObject({ state: 'done', progress: { done: 2 } });
  expect(await added()).toBe(2);
});

test('another Editor cannot cancel it; an Admin can', async () => {
  const { id } = await plan();
  const { key } = await newKey();
  expect(await cancel(id, bearer(key))).toMatchObject({ status: 404, body: { code: 5 } });
  expect(await cancel('nope')).toMatchObject({ status: 404 });
  expect((await cancel(id, { as: 'Admin' })).body).toMatchObject({
    state: 'cancelled',
    cancelled_by: { name: 'test Admin' },
  });
});

describe('a job does nothing more', () => {
  const stopped = { state: 'stopped', reason: expect.stringContaining('that started it was removed') };

  test('after its cancellation, and what was done before is counted', async () => {
    const { id, added, job, begin } = await plan();
    await begin();
    await cancel(id);
    await continueReconciliation(inventory.dependencies, id);
    expect(await job()).toMatchObject({ state: 'cancelled', done: 0 });
    await noteProgress(inventory.table, id, { state: 'done', total: 2, done: 1, failed: 0, failures: [] });
    expect(await job()).toMatchObject({ state: 'cancelled', done: 1 });
    expect(await added()).toBe(0);
  });

  test('after its key is removed', async () => {
    const { key, key_id: keyId } = await newKey();
    const { id, added, job, begin } = await plan(bearer(key));
    await begin();
    expect((await inventory.request('DELETE', `/v1/api-keys/${keyId}`)).status).toBe(204);
    await continueReconciliation(inventory.dependencies, id);
    expect(await job()).toMatchObject(stopped);
    expect(await added()).toBe(0);
  });

  test('after its key has expired', async () => {
    const { key } = await newKey({ time_to_live: '1h' });
    const { id, added, job, begin } = await plan(bearer(key));
    await begin();
    inventory.clock.now = testTime(3_601_000);
    await continueReconciliation(inventory.dependencies, id);
    expect(await job()).toMatchObject(stopped);
    expect(await added()).toBe(0);
  });

  test('after its session has ended', async () => {
    const { key } = (await inventory.request('POST', '/v1/sessions', password)).body;
    const { id, added, job, begin } = await plan(bearer(key));
    await begin();
    await inventory.request('DELETE', '/v1/sessions', bearer(key));
    await continueReconciliation(inventory.dependencies, id);
    expect(await job()).toMatchObject(stopped);
    expect(await added()).toBe(0);
  });

  test('after the step that notices this', async () => {
    const { added, job, begin } = await plan();
    await begin();
    let looks = 0;
    const watch = {
      look: async () => {
        looks += 1;
        await Promise.resolve();
      },
      ending: () => (looks > 1 ? { state: 'stopped' as const, reason: 'the end' } : undefined),
    };
    const reconciliation = await job();
    const writeContext = jobContext(
      { actor: reconciliation.actor, requestId: 'r', limit: undefined },
      inventory.dependencies.clock,
    );
    const part = partsOf({ endpointId: 'test', requestId: 'r' }, inventory.dependencies);
    await resume(
      { dependencies: inventory.dependencies, writeContext, part, watch, start: inventory.passing.now() },
      reconciliation,
    );
    expect(await job()).toMatchObject({ state: 'stopped', reason: 'the end' });
    expect(await added()).toBeLessThan(2);
  });
});

test('a rotated key still counts as the key that started the job', async () => {
  const { key, key_id: keyId } = await newKey();
  const { id, added, job, begin } = await plan(bearer(key));
  await begin();
  await inventory.request('POST', `/v1/api-keys/${keyId}/rotate`, { body: { overlap: '0s' } });
  await continueReconciliation(inventory.dependencies, id);
  expect(await job()).toMatchObject({ state: 'done', done: 2 });
  expect(await added()).toBe(2);
});
