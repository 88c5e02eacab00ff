import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { continueReconciliation } from '../functions/triggers/continue-jobs/reconciliation.ts';
import type { Dependencies } from '../functions/runtime/dependencies.ts';
import { describeError } from '../shared/http/log.ts';
import type { Functions } from './gateway.ts';

/** Waits between tries, after what did not work. */
const TRY_AGAIN_MS = [1000, 5000, 25_000];

const jobSchema = z.object({ plan_id: z.string() });

async function resumeJob(dependencies: Dependencies, planId: string): Promise<void> {
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
      if (wait !== undefined) await delay(wait, undefined, { ref: false });
    }
  }
}

/**
 * What the table's stream does in the cloud: a job that a reply tells of is gone on with. There is no stream here, so that a
 * job ends with the process: sent again, it goes on.
 */
export function withJobs(functions: Functions, dependencies: Dependencies): Functions {
  const reconcile = functions.handlers.get('reconcile');
  if (reconcile === undefined) throw new Error('there is no reconcile');
  const handlers = new Map(functions.handlers);
  handlers.set('reconcile', async (event, context) => {
    const reply = await reconcile(event, context);
    if (reply.statusCode === 202) void resumeJob(dependencies, z.parse(jobSchema, JSON.parse(reply.body)).plan_id);
    return reply;
  });
  return { ...functions, handlers };
}
