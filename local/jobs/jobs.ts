import * as z from 'zod/mini';
import { continueReconciliation } from '../../functions/triggers/continue-jobs/reconciliation.ts';
import { LOOK_MS } from '../../functions/triggers/continue-jobs/times.ts';
import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { describeError } from '../../shared/core/log.ts';
import { pause } from '../../shared/core/monotonic-clock.ts';
import type { Functions } from '../gateway/gateway.ts';

/** Pauses between attempts, after a failure. */
const TRY_AGAIN_MS = [1000, 5000, 25_000];

const jobSchema = z.object({ plan_id: z.string() });

async function resumeJob(dependencies: Dependencies, planId: string): Promise<void> {
  // A client that waits for the end of the job sends its next request now, and has precedence.
  await pause(dependencies.table, LOOK_MS, { ref: false });
  for (const wait of [...TRY_AGAIN_MS, undefined]) {
    try {
      await continueReconciliation(dependencies, planId);
      return;
    } catch (error) {
      dependencies.log({
        level: 'error',
        message: 'a job made no progress',
        plan_id: planId,
        cause: describeError(error),
      });
      if (wait !== undefined) await pause(dependencies.table, wait, { ref: false });
    }
  }
}

/**
 * Replaces the table's stream of the cloud: resumes a job that a reply reports as unfinished. Without a stream, a job
 * ends with the process; the same request again resumes it.
 */
export function withJobs(functions: Functions, dependencies: Dependencies): Functions {
  const reconcile = functions.handlers.get('reconcile');
  if (reconcile === undefined) throw new Error('there is no reconcile');
  const resumed = new Set<string>();
  const resumeOnce = (planId: string) => {
    if (resumed.has(planId)) return;
    resumed.add(planId);
    void resumeJob(dependencies, planId).finally(() => resumed.delete(planId));
  };
  const handlers = new Map(functions.handlers);
  handlers.set('reconcile', async (event, context) => {
    const reply = await reconcile(event, context);
    if (reply.statusCode === 202) resumeOnce(z.parse(jobSchema, JSON.parse(reply.body)).plan_id);
    return reply;
  });
  return { ...functions, handlers };
}
