import * as z from 'zod/mini';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { itemAt, startTable, withSend } from '../../../tests/support/table.ts';
import { jobKey } from '../table/keys.ts';
import { beginPart, readJobs, type ResumableJob, runPart } from './resumable-job.ts';

let table: Table;
let stop: () => Promise<void>;
beforeEach(async () => ({ table, stop } = await startTable(/STATE_PASS/)));
afterEach(() => stop());

const NOON = new Date('2026-05-01T12:00:00Z');
const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);
const job: ResumableJob<number> = { name: 'state_events', place: () => z.number() };
const options = (seconds: number) => ({ now: after(seconds), leaseMs: 10_000 });
const stateAt = async (seconds: number) => (await readJobs(table, ['state_events'], after(seconds)))[0];

test('a part continues the former one, and after the last one the job restarts', async () => {
  const places: unknown[] = [];
  for (const place of [1, 2, undefined, 1])
    await runPart(table, job, { clock: () => NOON, leaseMs: 10_000 }, (begin) => {
      places.push(begin);
      return Promise.resolve({ state: place === undefined ? 'done' : 'waiting', place });
    });
  expect(places).toEqual([undefined, 1, 2, undefined]);
});

test('of simultaneous processes one begins the part, and another may after its end or lease', async () => {
  const parts = await Promise.all(Array.from({ length: 8 }, () => beginPart(table, job, options(0))));
  const [part, ...others] = parts.filter((startedPart) => startedPart !== undefined);
  expect(others).toEqual([]);
  expect(await beginPart(table, job, options(9.999))).toBeUndefined();
  await part!.end({ state: 'waiting', place: 3 }, after(5));
  const next = await beginPart(table, job, options(6));
  expect(next?.place).toBe(3);
  // It was interrupted: its lease ends, and the place is the former one.
  const repeated = await beginPart(table, job, options(16));
  expect(repeated?.place).toBe(3);
  await next!.end({ state: 'waiting', place: 99 }, after(17));
  await next!.release();
  expect(await beginPart(table, job, options(17))).toBeUndefined();
  await repeated!.end({ state: 'waiting', place: 4 }, after(18));
  expect((await beginPart(table, job, options(19)))?.place).toBe(4);
});

test('an error returns the part and keeps the place', async () => {
  const at = (place: number) => () => Promise.resolve({ state: 'waiting', place } as const);
  await runPart(table, job, { clock: () => NOON, leaseMs: 10_000 }, at(7));
  const failing = runPart(table, job, { clock: () => NOON, leaseMs: 10_000 }, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect((await beginPart(table, job, options(0)))?.place).toBe(7);
});

test('the error of a part is reported also when the part cannot be returned', async () => {
  let hasFailed = false;
  const send = (command: any) => (hasFailed ? Promise.reject(new Error('lost')) : table.client.send(command));
  const failing = withSend(table, send);
  const part = runPart(failing, job, { clock: () => NOON, leaseMs: 10_000 }, () => {
    hasFailed = true;
    return Promise.reject(new Error('first'));
  });
  await expect(part).rejects.toThrow('first');
});

test('a stopped job states the reason and restarts', async () => {
  expect(await stateAt(0)).toBeUndefined();
  const part = await beginPart(table, job, options(0));
  expect(await stateAt(1)).toMatchObject({ state: 'running', begunAt: NOON.getTime() });
  await part!.end({ state: 'waiting', place: 1 }, after(2));
  expect(await stateAt(3)).toMatchObject({ state: 'waiting', begunAt: NOON.getTime(), updatedAt: after(2).getTime() });
  const second = await beginPart(table, job, options(4));
  expect(await stateAt(5)).toMatchObject({ state: 'running', begunAt: NOON.getTime() });
  await second!.end({ state: 'stopped', place: 5, reason: 'too many' }, after(6));
  expect(await stateAt(7)).toMatchObject({ state: 'stopped', reason: 'too many' });
  const third = await beginPart(table, job, options(8));
  expect(third?.place).toBeUndefined();
  expect(await stateAt(8)).toMatchObject({ state: 'running', reason: undefined });
  await third!.end({ state: 'done', place: undefined }, after(9));
  expect(await stateAt(10)).toMatchObject({ state: 'done', begunAt: after(8).getTime(), reason: undefined });
});

test("a part is not due before its caller's time", async () => {
  const part = await beginPart(table, job, options(0));
  await part!.end({ state: 'done', place: undefined }, NOON);
  const begin = (seconds: number) => beginPart(table, job, { ...options(20), endedBefore: after(seconds).getTime() });
  expect(await begin(-1)).toBeUndefined();
  expect(await begin(0)).toBeDefined();
});

test('a repetition finds a claim whose reply was lost', async () => {
  let calls = 0;
  const send = async (command: any) => {
    const reply = await table.client.send(command);
    calls += 1;
    // As the client repeats a call without a reply.
    return calls === 1 ? table.client.send(command) : reply;
  };
  expect(await beginPart(withSend(table, send), job, options(0))).toBeDefined();
});

test('an item of an older version has a place and no state', async () => {
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...jobKey('state_events'), done_at: 5 } }));
  expect(await stateAt(0)).toMatchObject({ state: 'done', updatedAt: 5 });
  expect((await beginPart(table, job, options(0)))?.place).toBeUndefined();
  expect(await itemAt(table, jobKey('state_events'))).toMatchObject({ claimed_at: NOON.getTime() });
});
