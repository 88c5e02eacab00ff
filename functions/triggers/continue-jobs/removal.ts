import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../../shared/http/errors.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { findForcedRemoval, type ForcedRemoval } from '../../store/jobs/forced-removals.ts';
import type { ObjectKind } from '../../store/table/keys.ts';
import { REMOVAL_PATIENCE_MS, removeObject } from '../../store/inventory/remove.ts';
import { LOOK_MS, WORK_MS } from './times.ts';

/** As much as one request would do. A removal once begun is finished for the caller who asked for it, also when the key is gone. */
async function removeMore(
  { table, clock }: Dependencies,
  { kind, id, actor, requestId }: ForcedRemoval,
): Promise<void> {
  // A caller whose scope is confined begins no such removal.
  const writeContext = { actor, requestId, scope: undefined, clock, minTimestamp: 0 };
  try {
    await removeObject(table, kind, id, { force: true, ifMatch: undefined, writeContext });
  } catch (error) {
    // Its time is up, or another request has removed the object.
    if (!(error instanceof ApiError) || !['unavailable', 'notFound'].includes(error.kind)) throw error;
  }
}

/**
 * Finishes a forced removal whose request has ended without it: the time was up, or the process was stopped. Waits while the
 * request may still be at work.
 *
 * @throws Error when it makes no headway in the time of one invocation: the caller repeats it later.
 */
export async function continueRemoval(dependencies: Dependencies, kind: ObjectKind, id: string): Promise<void> {
  const start = performance.now();
  for (;;) {
    const begun = await findForcedRemoval(dependencies.table, kind, id);
    if (begun === undefined) return;
    const passedMs = performance.now() - start;
    if (passedMs > WORK_MS) throw new Error(`the forced removal of ${kind} ${id} is not finished`);
    const age = Math.max(dependencies.clock().getTime() - begun.begunAt.getTime(), passedMs);
    if (age > REMOVAL_PATIENCE_MS) await removeMore(dependencies, begun);
    else await delay(Math.min(REMOVAL_PATIENCE_MS - age + 1, LOOK_MS));
  }
}
