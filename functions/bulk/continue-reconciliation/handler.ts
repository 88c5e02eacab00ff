import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { ApiError } from '../../../shared/http/errors.ts';
import { describeError } from '../../../shared/http/log.ts';
import { type Services, services } from '../../services.ts';
import { reconciliationIdOf } from '../../table/keys.ts';
import { getReconciliation, noteProgress, type Reconciliation } from '../../table/reconciliations.ts';
import { partsOf } from '../settle.ts';
import { watchJob } from '../reconcile/watch.ts';
import { goOn } from '../reconcile/work.ts';

/** One invocation begins nothing more after this: a round takes at most half a minute, and Lambda ends it after 15 minutes. */
export const WORK_MS = 600_000;

/** How often it is looked whether the request that works on a job is done. */
const LOOK_MS = 2000;

type Job = Reconciliation & { parts: number };

async function jobOf({ table, clock }: Services, planId: string): Promise<Job | undefined> {
  try {
    return await getReconciliation(table, { planId, callerId: undefined, now: clock() });
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

/** Errors that the next time would be the same: the inventory has moved on, or too much would be removed. */
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && ['revisionMismatch', 'failedPrecondition', 'notFound'].includes(error.kind);

/** As much as a request would do. What can never be done stops the job, and says why. */
async function workOn(services: Services, job: Job): Promise<{ done: number }> {
  const { log, table, clock } = services;
  const { plan_id: planId, request_id: requestId, actor } = job;
  // Whose scope is confined cannot reconcile (role Editor).
  const origin = { actor, requestId, scope: undefined, clock, latest: 0 };
  const part = partsOf({ endpointId: 'continueReconciliations', requestId }, log);
  const watch = watchJob(services, job);
  await watch.look();
  const ending = watch.ending();
  if (ending !== undefined) {
    log({ level: 'info', message: 'a reconciliation stopped', plan_id: planId, cause: ending.reason });
    await noteProgress(table, planId, { ...job, ...ending, busy_until: 0 });
    return job;
  }
  try {
    return (await goOn({ services, origin, part, watch, start: performance.now() }, job)).progress;
  } catch (error) {
    if (!isFinal(error)) throw error;
    log({ level: 'info', message: 'a reconciliation stopped', plan_id: planId, cause: describeError(error) });
    await noteProgress(table, planId, { ...job, state: 'stopped', reason: error.message, busy_until: 0 });
    return job;
  }
}

/**
 * Goes on with a job until nothing is left to do, or somebody else has done it. What is left when the time is up is noted, and
 * that note in the table's stream begins the next invocation.
 *
 * @throws Error when it does not get on: whoever called comes again later.
 */
export async function continueReconciliation(services: Services, planId: string): Promise<void> {
  const start = performance.now();
  while (performance.now() - start < WORK_MS) {
    const job = await jobOf(services, planId);
    if (job?.state !== 'applying') return;
    const busyMs = (job.busy_until ?? 0) - services.clock().getTime();
    if (busyMs > 0) {
      await delay(Math.min(busyMs, LOOK_MS));
      continue;
    }
    const { done } = await workOn(services, job);
    const now = await jobOf(services, planId);
    if (now?.state === 'applying' && done <= job.done) throw new Error(`nothing could be done of plan ${planId}`);
  }
}

const recordSchema = z.object({ dynamodb: z.object({ Keys: z.object({ pk: z.object({ S: z.string() }) }) }) });

/** Takes up what requests leave behind, from the table's stream. What fails is handed in again by Lambda. */
export function continueWith(make: () => Services) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
    const ids = Records.map((record) => reconciliationIdOf(z.parse(recordSchema, record).dynamodb.Keys.pk.S));
    for (const id of new Set(ids)) await continueReconciliation(make(), id);
  };
}

export const handler = continueWith(services);
