import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from '../../../shared/core/errors.ts';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { addService } from '../../../tests/support/add.ts';
import { LAST_BEGIN_MS } from '../../domain/bulk/limits.ts';
import { keptRequest } from '../../domain/bulk/reconcile-request.ts';
import { notBegun, partsOf } from '../partial-failure.ts';
import type { Outcomes } from './outcomes.ts';
import { isSkipped } from './outcomes.ts';
import { planned } from './compute-plan.ts';
import { jobContext } from '../../store/entities/write-context.ts';
import { getReconciliation, keepReconciliation } from '../../store/jobs/reconciliations.ts';
import { contextOf } from '../../../tests/support/store.ts';
import type { Step } from './plan/step.ts';
import { fingerprintOf } from './plan/planner.ts';
import { apply, resume } from './run.ts';
import type { Watch } from './watch.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useInventory } from '../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(async () => expect(await checkInvariants(inventory.table)).toEqual([]));

/** A team of nodes, of which the last one must be removed. */
async function team(size: number) {
  const name = randomUUID();
  const node = (number: number) => ({
    node_type: 'generic' as const,
    node_name: `${name}-${number}`,
    address: 'a',
    custom_labels: { team: name },
  });
  const nodes = Array.from({ length: size }, (_, number) => node(number));
  const ids: string[] = [];
  for (const body of nodes) ids.push((await inventory.request('POST', '/v1/nodes', { body })).body.node_id);
  const scope = { selector: `team=${name}` };
  const desired = { nodes: nodes.slice(0, -1), services: [], agents: [] };
  const request = z.parse(keptRequest, { scope, desired, max_removals_percent: 20 });
  const { dependencies } = inventory;
  const applyAfter = async (meanwhile: () => Promise<unknown>, isShown = false): Promise<Outcomes> => {
    const first = await planned(dependencies, request, undefined);
    expect(first).toMatchObject({ removals: 1, inScope: size });
    await meanwhile();
    const part = partsOf({ endpointId: 'test', requestId: 'r' }, dependencies);
    const actor = { kind: 'system' as const, id: 'test', name: 'test' };
    const writeContext = jobContext({ actor, requestId: 'r', limit: undefined }, dependencies.clock);
    const shown = isShown ? new Set(first.groups.flat().map(fingerprintOf)) : undefined;
    return apply({ dependencies, writeContext, part, start: monotonicMs(dependencies.table) }, request, first, shown);
  };
  const path = `/v1/nodes/${ids.at(-1)}`;
  const change = (body: object) => inventory.request('PATCH', path, { body });
  const left = async () => (await inventory.request('GET', `/v1/nodes?name_prefix=${name}`)).body.nodes.length;
  return { node, path, change, left, applyAfter };
}

test('max_removals_percent limits each round, so that objects that entered the scope later stay', async () => {
  const { node, change, left, applyAfter } = await team(5);
  const outcomes = await applyAfter(async () => {
    await change({ address: 'b' });
    for (const number of [10, 11]) await inventory.request('POST', '/v1/nodes', { body: node(number) });
  });
  expect(await left()).toBe(7);
  expect(outcomes.progress()).toMatchObject({ state: 'applying', done: 0 });
});

test('a second round does what the first could not', async () => {
  const { change, left, applyAfter } = await team(5);
  const outcomes = await applyAfter(() => change({ address: 'b' }));
  expect(outcomes.progress()).toMatchObject({ state: 'done', done: 1, skipped: 0 });
  expect(await left()).toBe(4);
});

test('a plan that its caller saw has no second round, and keeps an outdated step', async () => {
  const { change, left, applyAfter } = await team(5);
  const outcomes = await applyAfter(() => change({ address: 'b' }), true);
  expect(outcomes.progress()).toMatchObject({ state: 'applying', done: 0 });
  expect(await left()).toBe(5);
});

test('a plan that uses up the time leaves its steps to a job, but a table that does not answer is an error', async () => {
  const { dependencies } = inventory;
  const name = randomUUID();
  const nodes = [{ node_type: 'generic', node_name: name, address: 'a' }];
  const request = z.parse(keptRequest, { scope: { name_prefix: name }, desired: { nodes } });
  const first = await planned(dependencies, request, undefined);
  const part = () => Promise.resolve(notBegun());
  const applied = (elapsedMs: number) => {
    const start = monotonicMs(dependencies.table) - elapsedMs;
    return apply({ dependencies, writeContext: contextOf(), part, start }, request, first);
  };
  expect((await applied(LAST_BEGIN_MS + 1000)).progress()).toMatchObject({ state: 'applying', total: 1, done: 0 });
  await expect(applied(0)).rejects.toMatchObject({ kind: 'unavailable' });
});

describe('a step that is refused', () => {
  /** Adds a service to a node outside the scope, after other requests. */
  async function addService(isShown: boolean, meanwhile: (node: { name: string; path: string }) => Promise<unknown>) {
    const { dependencies } = inventory;
    const name = randomUUID();
    const body = { node_type: 'generic', node_name: name, address: 'a' };
    const { node_id: id } = (await inventory.request('POST', '/v1/nodes', { body })).body;
    const service = { service_type: 'mysql', service_name: `${name}-db`, node_names: [name], address: 'a', port: 1 };
    const request = z.parse(keptRequest, { scope: { name_prefix: `${name}-` }, desired: { services: [service] } });
    const first = await planned(dependencies, request, undefined);
    await meanwhile({ name, path: `/v1/nodes/${id}` });
    const part = partsOf({ endpointId: 'test', requestId: 'r' }, dependencies);
    const work = { dependencies, writeContext: contextOf(), part, start: monotonicMs(dependencies.table) };
    const shown = isShown ? new Set(first.groups.flat().map(fingerprintOf)) : undefined;
    return (await apply(work, request, first, shown)).progress();
  }

  test.each([true, false])('is planned again and may succeed then (as shown: %p)', async (isShown) => {
    const progress = await addService(isShown, async ({ name, path }) => {
      await inventory.request('DELETE', path);
      await inventory.request('POST', '/v1/nodes', { body: { node_type: 'generic', node_name: name, address: 'b' } });
    });
    expect(progress).toMatchObject({ state: 'done', total: 1, done: 1, failed: 0 });
  });

  test('has failed if the next plan says why it is impossible', async () => {
    const progress = await addService(false, ({ path }) => inventory.request('DELETE', path));
    expect(progress).toMatchObject({
      ...{ state: 'done', total: 1, done: 0, failed: 1 },
      failures: [{ message: expect.stringContaining('does not exist and is not in desired') }],
    });
  });

  test('is performed at most twice', async () => {
    const { dependencies } = inventory;
    const name = randomUUID();
    const nodes = [{ node_type: 'generic', node_name: name, address: 'a' }];
    const request = z.parse(keptRequest, { scope: { name_prefix: name }, desired: { nodes } });
    let attempts = 0;
    const part: any = () => {
      attempts += 1;
      return Promise.resolve(new ApiError('alreadyExists', 'taken'));
    };
    const work = { dependencies, writeContext: contextOf(), part, start: monotonicMs(dependencies.table) };
    const outcomes = await apply(work, request, await planned(dependencies, request, undefined));
    expect([attempts, outcomes.progress()]).toMatchObject([2, { state: 'done', failed: 1 }]);
  });
});

test('after the job has ended, no round is planned, and former outcomes are kept', async () => {
  const { dependencies } = inventory;
  const request = z.parse(keptRequest, { scope: { name_prefix: 'none' }, desired: { nodes: [] } });
  const step = {
    ...{
      action: 'remove' as const,
      kind: 'node' as const,
      id: randomUUID(),
      named: {},
      changes: [],
      after: new Set<Step>(),
    },
  };
  const first = { groups: [[step]], blocked: [], inScope: 1, unchanged: 0, removals: 1 };
  const watch = {
    look: () => Promise.resolve(),
    ending: () => ({ state: 'cancelled' as const, reason: 'The reconciliation was cancelled.' }),
  };
  const part = partsOf({ endpointId: 'test', requestId: 'r' }, dependencies);
  const writeContext = contextOf({ clock: dependencies.clock });
  const work = { dependencies, writeContext, part, watch, start: monotonicMs(dependencies.table) };
  const outcomes = await apply(work, request, first);
  expect(outcomes.progress()).toMatchObject({ state: 'applying', total: 1, done: 0 });
  expect(outcomes.entries).toMatchObject([{ outcome: { message: 'Not done: The reconciliation was cancelled.' } }]);
});

describe('a stored plan', () => {
  /** Stores the plan of new nodes as its caller saw it; resolves to a call that performs it. */
  async function stored(
    state: 'planned' | 'applying' | 'cancelled' = 'planned',
    more: readonly string[] = [],
    before: (name: string) => Promise<unknown> = () => Promise.resolve(),
  ) {
    const { dependencies } = inventory;
    const name = randomUUID();
    const node = { node_type: 'generic' as const, node_name: name, address: 'a' };
    const nodes = [node, ...more.map((suffix) => ({ ...node, node_name: `${name}-${suffix}` }))];
    const desired = { nodes };
    const request = z.parse(keptRequest, { scope: { name_prefix: name }, desired, max_removals_percent: 100 });
    await before(name);
    const { groups, blocked } = await planned(dependencies, request, undefined);
    const made = { planId: randomUUID(), callerId: 'c', writeContext: contextOf(), now: testTime() };
    const progress = { state, total: nodes.length, done: 0, failed: 0, failures: [] };
    const kept = { request, fingerprints: [...groups.flat(), ...blocked].map(fingerprintOf) };
    await keepReconciliation(inventory.table, made, kept, progress);
    const get = () => getReconciliation(inventory.table, { planId: made.planId, callerId: 'c', now: testTime() });
    const part = partsOf({ endpointId: 'test', requestId: 'r' }, dependencies);
    const work = { dependencies, writeContext: contextOf(), part, start: monotonicMs(dependencies.table) };
    const perform = async (watch?: Watch) => resume({ ...work, watch }, await get());
    const performAsWorker = async (isOvertaken: boolean) =>
      resume({ ...work, isOvertaken: () => Promise.resolve(isOvertaken) }, await get());
    return { name, node, nodes, get, perform, performAsWorker };
  }

  test('is performed as shown, with stored progress', async () => {
    const { get, perform } = await stored();
    expect((await perform()).progress).toMatchObject({ state: 'done', done: 1 });
    expect(await get()).toMatchObject({ state: 'done', done: 1, total: 1 });
  });

  test('is refused when the inventory has changed since, and stays', async () => {
    const { name, node, get, perform } = await stored();
    await inventory.request('POST', '/v1/nodes', { body: { ...node, node_name: `${name}-more` } });
    await expect(perform()).rejects.toMatchObject({ kind: 'revisionMismatch' });
    expect(await get()).toMatchObject({ state: 'planned', done: 0 });
  });

  test('is refused when one of its steps is no longer necessary, and performs no other one', async () => {
    const { name, nodes, get, perform } = await stored('planned', ['b', 'c']);
    await inventory.request('POST', '/v1/nodes', { body: nodes[1] });
    await expect(perform()).rejects.toMatchObject({
      kind: 'revisionMismatch',
      message: expect.stringContaining('No changes were made.'),
    });
    expect(await get()).toMatchObject({ state: 'planned', done: 0 });
    expect((await inventory.request('GET', `/v1/nodes?name_prefix=${name}`)).body.nodes).toHaveLength(1);
  });

  test('is performed with its blocked steps, as its caller saw them', async () => {
    const { node, name, perform } = await stored('planned', [], async (prefix) => {
      const other = { node_type: 'generic', node_name: `${prefix}-old`, address: 'a' };
      const { node_id: id } = (await inventory.request('POST', '/v1/nodes', { body: other })).body;
      await addService(inventory, { node_ids: [id] });
    });
    const { plan } = await perform();
    expect([plan.groups.length, plan.blocked.length]).toEqual([1, 1]);
    const { nodes } = (await inventory.request('GET', `/v1/nodes?name_prefix=${name}`)).body;
    expect(nodes.map((listed: any) => listed.node_name)).toEqual([node.node_name, `${name}-old`]);
  });

  test('that has begun performs only the remaining steps that its caller saw', async () => {
    const begun = await stored('applying', ['b', 'c']);
    await inventory.request('POST', '/v1/nodes', { body: begun.nodes[1] });
    expect((await begun.perform()).progress).toMatchObject({ state: 'done', total: 3, done: 3 });
    const other = await stored('applying', ['b']);
    await inventory.request('POST', '/v1/nodes', { body: { ...other.node, node_name: `${other.name}-unseen` } });
    await expect(other.perform()).rejects.toMatchObject({
      kind: 'revisionMismatch',
      message: expect.stringContaining('No further changes were made.'),
    });
  });

  test.each(['planned', 'applying'] as const)('that is %s is busy until its request has ended', async (state) => {
    const { get, perform } = await stored(state);
    const seen: unknown[] = [];
    inventory.clock.now = testTime();
    await perform({ look: async () => void seen.push(await get()), ending: () => undefined });
    inventory.clock.now = undefined;
    expect(seen).toMatchObject([{ state: 'applying', busy_until: testTime().getTime() + 30_000 }]);
    expect(await get()).toMatchObject({ state: 'done', busy_until: 0 });
  });

  test('that a request has taken up is left to it by the worker, which otherwise performs it', async () => {
    const { name, get, performAsWorker } = await stored('applying');
    const before = await get();
    expect((await performAsWorker(true)).progress).toMatchObject({ state: 'applying', done: 0 });
    expect([await get(), (await inventory.request('GET', `/v1/nodes?name_prefix=${name}`)).body.nodes]).toEqual([
      before,
      [],
    ]);
    expect((await performAsWorker(false)).progress).toMatchObject({ state: 'done', done: 1 });
  });

  test('that ends early is stored with the reason', async () => {
    const { get, perform } = await stored();
    const ending = { state: 'stopped' as const, reason: 'The key was removed.' };
    await perform({ look: () => Promise.resolve(), ending: () => ending });
    expect(await get()).toMatchObject({ ...ending, total: 1, done: 0 });
  });

  test('is refused after a cancellation', async () => {
    const { perform } = await stored('cancelled');
    await expect(perform()).rejects.toMatchObject({ kind: 'failedPrecondition' });
  });
});

describe('a change of an object that another request removes at the same time', () => {
  test('is skipped, and not done; the object is added again', async () => {
    const { dependencies } = inventory;
    const name = randomUUID();
    const node = { node_type: 'generic' as const, node_name: name, address: 'a' };
    const { node_id: id } = (await inventory.request('POST', '/v1/nodes', { body: node })).body;
    const desired = { nodes: [{ ...node, address: 'b' }] };
    const request = z.parse(keptRequest, { scope: { name_prefix: name }, desired });
    const first = await planned(dependencies, request, undefined);
    await inventory.request('DELETE', `/v1/nodes/${id}`);
    const part = partsOf({ endpointId: 'test', requestId: 'r' }, dependencies);
    const work = { dependencies, writeContext: contextOf(), part, start: monotonicMs(dependencies.table) };
    const outcomes = await apply(work, request, first);
    expect(outcomes.entries.map(({ step, outcome }) => [step.action, outcome])).toEqual([
      ['change', { skipped: 'Another request removed the object; it was not changed.' }],
      ['add', 'done'],
    ]);
    expect(outcomes.progress()).toMatchObject({ state: 'done', total: 2, done: 1, skipped: 1 });
  });
});

describe('an unnecessary removal is skipped', () => {
  const reasonsOf = ({ entries }: Outcomes) =>
    entries.map(({ step, outcome }) => [step.action, isSkipped(outcome) ? outcome.skipped : outcome]);

  test('of an object that has left the scope', async () => {
    const { path, change, applyAfter } = await team(5);
    const outcomes = await applyAfter(() => change({ custom_labels: { team: 'other' } }));
    expect(reasonsOf(outcomes)).toEqual([['remove', 'The object left the scope and was not removed.']]);
    expect(outcomes.progress()).toMatchObject({ state: 'done', total: 1, done: 0, skipped: 1, failed: 0 });
    expect((await inventory.request('GET', path)).status).toBe(200);
  });

  test('of an object that another request has removed', async () => {
    const { path, applyAfter } = await team(5);
    const outcomes = await applyAfter(() => inventory.request('DELETE', path));
    expect(reasonsOf(outcomes)).toEqual([['remove', 'Another request removed the object.']]);
    expect(outcomes.progress()).toMatchObject({ state: 'done', total: 1, done: 0, skipped: 1 });
  });
});
