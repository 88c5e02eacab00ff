import { ApiError } from '../../../shared/core/errors.ts';
import { describeError } from '../../../shared/core/log.ts';
import { monotonicMs, pause } from '../../../shared/core/monotonic-clock.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { jobContext } from '../../store/entities/write-context.ts';
import { findReconciliation, noteProgress, type StoredReconciliation } from '../../store/jobs/reconciliations.ts';
import { watchJob } from '../../bulk/reconcile/watch.ts';
import { resume, type Work } from '../../bulk/reconcile/run.ts';
import { partsOf } from '../../bulk/partial-failure.ts';
import { LOOK_MS, WORK_MS } from './times.ts';

const jobOf = ({ table, clock }: Dependencies, planId: string) =>
  findReconciliation(table, { planId, callerId: undefined, now: clock() });

/** How long a request works on it at most, in milliseconds; 0 or less: none does. */
const busyMs = ({ clock }: Dependencies, { busy_until: until = 0 }: StoredReconciliation) => until - clock().getTime();

/**
 * Errors that a repetition would cause again: the inventory has changed, too many objects would be removed, or a desired
 * object has another owner.
 */
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  ['revisionMismatch', 'failedPrecondition', 'notFound', 'invalidArgument', 'permissionDenied'].includes(error.kind);

/** Works as long as one request would. An error that is final stops the job, with the reason. */
async function workOn(dependencies: Dependencies, job: StoredReconciliation): Promise<{ done: number }> {
  const { log, table, clock, ownerLabel } = dependencies;
  const { plan_id: planId, request_id: requestId, actor, limit } = job;
  const writeContext = jobContext({ actor, requestId, limit, ownerLabel }, clock);
  let parts: Work['part'] | undefined;
  // No gateway waits for a job: the time of its parts begins with the first one, after the plan.
  const part: Work['part'] = (work) =>
    (parts ??= partsOf({ endpointId: 'continueJobs', requestId }, { log, table }))(work);
  const watch = watchJob(dependencies, job);
  await watch.look();
  const ending = watch.ending();
  if (ending !== undefined) {
    log({ level: 'info', message: 'a reconciliation stopped', plan_id: planId, cause: ending.reason });
    await noteProgress(table, planId, { ...job, ...ending, busy_until: 0 });
    return job;
  }
  const isOvertaken = async () => {
    const now = await jobOf(dependencies, planId);
    return now !== undefined && busyMs(dependencies, now) > 0;
  };
  try {
    const work = { dependencies, writeContext, part, watch, isOvertaken, start: monotonicMs(dependencies.table) };
    return (await resume(work, job)).progress;
  } catch (error) {
    if (!isFinal(error)) throw error;
    log({ level: 'info', message: 'a reconciliation stopped', plan_id: planId, cause: describeError(error) });
    await noteProgress(table, planId, { ...job, state: 'stopped', reason: error.message, busy_until: 0 });
    return job;
  }
}

/**
 * Resumes a job until no step is left, or another request has finished it. After the time of one invocation the
 * progress is stored; that write is in the table's stream and starts the next invocation.
 *
 * @throws Error when no step succeeds: Lambda retries later.
 */
export async function continueReconciliation(dependencies: Dependencies, planId: string): Promise<void> {
  const start = monotonicMs(dependencies.table);
  while (monotonicMs(dependencies.table) - start < WORK_MS) {
    const job = await jobOf(dependencies, planId);
    if (job?.state !== 'applying') return;
    const waitMs = busyMs(dependencies, job);
    if (waitMs > 0) {
      await pause(dependencies.table, Math.min(waitMs, LOOK_MS));
      continue;
    }
    const { done } = await workOn(dependencies, job);
    const now = await jobOf(dependencies, planId);
    if (now?.state === 'applying' && done <= job.done && busyMs(dependencies, now) <= 0)
      throw new Error(`no progress with plan ${planId}`);
  }
}
