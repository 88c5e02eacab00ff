import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Table } from '../../../shared/db/table.ts';
import { contextOf } from '../../../tests/support/store.ts';
import { itemAt, startTable } from '../../../tests/support/table.ts';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { keptRequest } from '../../domain/bulk/reconcile-request.ts';
import { reconciliationKey, reconciliationPartKey } from '../table/keys.ts';
import {
  cancelReconciliation,
  listedReconciliations,
  getKeptRequest,
  getReconciliation,
  keepReconciliation,
  noteBusy,
  noteProgress,
  type Progress,
} from './reconciliations.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

const now = new Date('2026-05-01T10:00:00.500Z');
// Rounded up, so that it does not end early.
const END = Date.parse('2026-05-02T10:00:01Z');
const actor = { kind: 'user' as const, id: 'admin', name: 'admin' };
const writeContext = contextOf({ actor, requestId: 'request' });
const request = z.parse(keptRequest, { scope: { name_prefix: 'x' }, desired: { nodes: [] }, max_removals_percent: 7 });
const planned: Progress = { state: 'planned', total: 3, done: 0, failed: 0, failures: [] };

async function keep(progress: Progress = planned, kept: object = {}) {
  const planId = randomUUID();
  const made = { planId, callerId: 'caller', writeContext, now };
  const stored = await keepReconciliation(table, made, { request, ...kept }, progress);
  const asked = (more: object = {}) => ({ planId, callerId: 'caller', now, ...more });
  return { planId, stored, asked, get: (more: object = {}) => getReconciliation(table, asked(more)) };
}

test('a reconciliation is read as it was stored', async () => {
  const { planId, stored, get } = await keep(planned, { fingerprints: ['a', 'b'] });
  const { parts, ...foundPlan } = await get();
  expect(stored).toEqual({
    plan_id: planId,
    ...planned,
    actor,
    request_id: 'request',
    created_at: now.toISOString(),
    expires_at: new Date(END).toISOString(),
  });
  expect([foundPlan, parts]).toEqual([{ ...stored, skipped: 0 }, 1]);
  expect(await getKeptRequest(table, planId, parts)).toEqual({ request, fingerprints: ['a', 'b'] });
  expect((await itemAt(table, reconciliationKey(planId)))?.['ttl']).toBe(END / 1000);
});

test('a plan belongs to its caller for a day, and the service itself finds it too', async () => {
  const { get } = await keep();
  await expect(get({ callerId: 'another' })).rejects.toMatchObject({ kind: 'notFound' });
  await expect(get({ callerId: undefined })).resolves.toMatchObject({ state: 'planned' });
  await expect(get({ planId: randomUUID() })).rejects.toMatchObject({ kind: 'notFound' });
  await expect(get({ now: new Date(END - 1) })).resolves.toMatchObject({ state: 'planned' });
  await expect(get({ now: new Date(END) })).rejects.toMatchObject({ kind: 'notFound' });
});

test('a large request is stored in parts of 350,000 bytes, and read in order', async () => {
  const node = (name: string) => ({ node_type: 'generic', node_name: name, address: 'a', custom_labels: {} });
  // Random, so that it cannot be compressed.
  const nodes = Array.from({ length: 1500 }, () => node(randomBytes(240).toString('hex')));
  const large = z.parse(keptRequest, { scope: { name_prefix: 'x' }, desired: { nodes } });
  const { planId, get } = await keep(planned, { request: large });
  const { parts } = await get();
  expect(parts).toBe(2);
  const size = async (index: number) =>
    ((await itemAt(table, reconciliationPartKey(planId, index)))!['text'] as Uint8Array).length;
  expect(await size(0)).toBe(350_000);
  expect(await getKeptRequest(table, planId, parts)).toEqual({ request: large, fingerprints: undefined });
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: reconciliationPartKey(planId, 1) }));
  await expect(getKeptRequest(table, planId, parts)).rejects.toMatchObject({ kind: 'notFound' });
});

test.each(['applying', 'done', 'cancelled'] as const)('%s: only what is applied is busy', async (state) => {
  const { planId, get } = await keep({ ...planned, state, done: 1 });
  await noteBusy(table, planId, 5);
  expect(await get()).toMatchObject({ state, total: 3, done: 1 });
  expect((await get()).busy_until).toBe(state === 'applying' ? 5 : undefined);
});

test.each(['planned', 'applying', 'stopped'] as const)('%s: can be cancelled', async (state) => {
  const { asked, get } = await keep({ ...planned, state });
  const later = new Date(now.getTime() + 1000);
  const cancelled = { state: 'cancelled', cancelled_by: actor, cancelled_at: later.toISOString() };
  expect(await cancelReconciliation(table, asked({ now: later }), actor)).toMatchObject(cancelled);
  // Once more: as it is.
  const other = { ...actor, id: 'other' };
  expect(await cancelReconciliation(table, asked(), other)).toMatchObject(cancelled);
  expect(await get()).toMatchObject(cancelled);
});

test("a finished job stays done, and another caller's job cannot be cancelled", async () => {
  const { asked } = await keep({ ...planned, state: 'done' });
  const done = await cancelReconciliation(table, asked(), actor);
  expect(done).toMatchObject({ state: 'done' });
  expect(done).not.toHaveProperty('cancelled_by');
  const { asked: askedOther, get } = await keep();
  await expect(cancelReconciliation(table, askedOther({ callerId: 'another' }), actor)).rejects.toMatchObject({
    kind: 'notFound',
  });
  expect(await get()).toMatchObject({ state: 'planned' });
});

describe('progress', () => {
  const failures = [{ item: { kind: 'node' }, message: 'taken' }];
  const progress: Progress = { state: 'applying', total: 5, done: 2, failed: 1, skipped: 1, failures, busy_until: 9 };

  test('replaces the earlier progress', async () => {
    const { planId, get } = await keep({ ...planned, reason: 'old', busy_until: 1, skipped: 4 });
    await noteProgress(table, planId, progress);
    expect(await get()).toMatchObject({ ...progress, reason: '' });
    await noteProgress(table, planId, { ...planned, state: 'done', reason: 'ended' });
    expect(await get()).toMatchObject({ ...planned, state: 'done', reason: 'ended', skipped: 0, busy_until: 0 });
  });

  test('of a cancelled reconciliation is stored without ending the cancellation', async () => {
    const { planId, asked, get } = await keep();
    await cancelReconciliation(table, asked(), actor);
    await noteProgress(table, planId, progress);
    expect(await get()).toMatchObject({ ...progress, state: 'cancelled', cancelled_by: actor });
  });

  test('of a missing reconciliation is an error', async () => {
    for (const state of ['applying', 'cancelled'] as const) {
      const planId = randomUUID();
      const noted = noteProgress(table, planId, { ...progress, state });
      await expect(noted).rejects.toBeDefined();
      expect(await itemAt(table, reconciliationKey(planId))).toBeUndefined();
    }
    await expect(noteProgress(table, randomUUID(), progress)).rejects.toMatchObject({ kind: 'notFound' });
  });
});

describe('a reconciliation is listed while it is', () => {
  const strict = { stop: () => Promise.resolve() };
  // Another table, because this list may be eventually consistent, and no other read of reconciliations.
  beforeAll(async () => {
    strict.stop = stop;
    ({ table, stop } = await startTable(/RECONCILIATION/));
  });
  afterAll(() => strict.stop());

  const isListed = async (planId: string, at = now) =>
    (await listedReconciliations(table, at)).some((listed) => listed.plan_id === planId);

  test.each<[string, Partial<Progress>, boolean]>([
    ['stopped', { state: 'stopped' }, true],
    ['done with failed steps', { state: 'done', done: 2, failed: 1 }, true],
    ['done without failed steps', { state: 'done', done: 3 }, false],
    ['unfinished', { state: 'applying' }, true],
    ['unfinished, while a request works on it', { state: 'applying', busy_until: now.getTime() + 1000 }, false],
    ['cancelled, with failed steps', { state: 'cancelled', failed: 1 }, false],
    ['planned', {}, false],
  ])('%s', async (_, progress, expected) => {
    const { planId } = await keep();
    await noteProgress(table, planId, { ...planned, ...progress });
    expect(await isListed(planId)).toBe(expected);
  });

  test('unfinished, also while another request resumes it', async () => {
    const { planId } = await keep({ ...planned, state: 'applying' });
    await noteProgress(table, planId, { ...planned, state: 'applying', busy_until: now.getTime() + 1000 });
    expect(await isListed(planId)).toBe(true);
  });

  test('failed, until it succeeds or expires', async () => {
    const { planId } = await keep();
    await noteProgress(table, planId, { ...planned, state: 'stopped' });
    expect(await listedReconciliations(table, now)).toContainEqual(expect.objectContaining({ plan_id: planId, actor }));
    expect(await isListed(planId, new Date(END - 1))).toBe(true);
    expect(await isListed(planId, new Date(END))).toBe(false);
    await noteProgress(table, planId, { ...planned, state: 'done', done: 3 });
    expect(await isListed(planId)).toBe(false);
  });
});
