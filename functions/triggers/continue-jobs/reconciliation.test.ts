import { randomUUID } from 'node:crypto';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Disturbance, disturbed } from '../../../tests/consistency/disturbances.ts';
import { addNode } from '../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { contextOf } from '../../../tests/support/store.ts';
import { keptRequest } from '../../domain/bulk/reconcile-request.ts';
import { changeObject } from '../../store/inventory/entities.ts';
import { getReconciliation, keepReconciliation, noteBusy } from '../../store/jobs/reconciliations.ts';
import { continueReconciliation } from './reconciliation.ts';
import { LOOK_MS } from './times.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let inventory: Inventory;
let waits: number[];
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());
beforeEach(() => {
  waits = [];
  inventory.clock.now = testTime();
});

/** The dependencies of a worker whose pauses end at once: both clocks are then later. */
function worker(disturbance: Disturbance = (command, next) => next(command)) {
  const { passing, clock, table, dependencies } = inventory;
  const after: typeof passing.after = (milliseconds, work) => {
    // Deadlines.
    if (milliseconds > LOOK_MS) return passing.after(milliseconds, work);
    waits.push(milliseconds);
    passing.advance(milliseconds);
    clock.now = new Date(dependencies.clock().getTime() + milliseconds);
    setImmediate(work);
    return () => undefined;
  };
  const monotonic = { now: () => passing.now(), after };
  return { ...dependencies, table: { ...disturbed(table, [disturbance]), monotonic } };
}

/** A job that removes one of two nodes; a request works on it for `busyMs`. */
async function begun({ busyMs = 0, percent = 100 } = {}) {
  const { table, dependencies } = inventory;
  const name = randomUUID();
  const [kept, removed] = [
    await addNode(inventory, { node_name: `${name}-kept`, address: 'a' }),
    await addNode(inventory, { node_name: `${name}-removed`, address: 'a' }),
  ];
  const desired = { nodes: [{ node_type: 'generic', node_name: kept.node_name, address: 'a' }] };
  const request = z.parse(keptRequest, { scope: { name_prefix: name }, desired, max_removals_percent: percent });
  const now = dependencies.clock();
  const planId = randomUUID();
  const writeContext = { ...contextOf(), actor: { kind: 'user' as const, id: 'admin', name: 'admin' } };
  const progress = { total: 1, done: 0, failed: 0, failures: [], busy_until: now.getTime() + busyMs };
  await keepReconciliation(
    table,
    { planId, callerId: 'c', writeContext, now },
    { request },
    { state: 'applying', ...progress },
  );
  const job = () => getReconciliation(table, { planId, callerId: undefined, now: dependencies.clock() });
  return { planId, job, removedId: String(removed.node_id) };
}

const isRemoval = ({ input }: any) => input.TransactItems?.some((item: any) => item.Delete !== undefined) === true;

const status = async (id: string) => (await inventory.request('GET', `/v1/nodes/${id}`)).status;

test('a job is finished', async () => {
  const { planId, job, removedId } = await begun();
  await continueReconciliation(worker(), planId);
  expect(await job()).toMatchObject({ state: 'done', done: 1 });
  expect([waits, await status(removedId)]).toEqual([[], 404]);
});

test('a job is resumed only after its request has ended', async () => {
  const { planId, job } = await begun({ busyMs: LOOK_MS + 500 });
  await continueReconciliation(worker(), planId);
  expect(waits).toEqual([LOOK_MS, 500]);
  expect(await job()).toMatchObject({ state: 'done', done: 1 });
});

test('a job that a request takes up while the worker plans is resumed only after that request has ended', async () => {
  const { planId, job, removedId } = await begun();
  const waitsBefore: number[][] = [];
  const disturbance: Disturbance = async (command: any, next) => {
    // The plan reads the scope.
    if (command instanceof QueryCommand && waits.length === 0)
      await noteBusy(inventory.table, planId, inventory.dependencies.clock().getTime() + LOOK_MS + 500);
    if (isRemoval(command)) waitsBefore.push([...waits]);
    return next(command);
  };
  await continueReconciliation(worker(disturbance), planId);
  expect(waitsBefore).toEqual([[LOOK_MS, expect.any(Number)]]);
  expect([await job(), await status(removedId)]).toMatchObject([{ state: 'done', done: 1 }, 404]);
});

test('a job that would exceed the safety threshold stops with the reason, and removes nothing', async () => {
  const { planId, job, removedId } = await begun({ percent: 10 });
  await continueReconciliation(worker(), planId);
  expect(await job()).toMatchObject({ state: 'stopped', done: 0, reason: expect.stringContaining('10') });
  expect(await status(removedId)).toBe(200);
});

test('a job without progress fails, so that the stream delivers its record again', async () => {
  const { planId, job, removedId } = await begun();
  const context = { ifMatch: undefined, writeContext: contextOf() };
  let changes = 0;
  let isNoted = false;
  const disturbance: Disturbance = async (command: any, next) => {
    // Until the progress is stored: further rounds would finish the job.
    if (command instanceof UpdateCommand) isNoted = true;
    if (isRemoval(command) && !isNoted) {
      changes += 1;
      await changeObject(inventory.table, { kind: 'node', id: removedId, ...context }, (old) => ({
        ...old,
        distro: String(changes),
      }));
    }
    return next(command);
  };
  await expect(continueReconciliation(worker(disturbance), planId)).rejects.toThrow(`no progress with plan ${planId}`);
  expect(await job()).toMatchObject({ state: 'applying', done: 0 });
});
