import { ApiError } from '../../../shared/core/errors.ts';
import { monotonicMs, pause } from '../../../shared/core/monotonic-clock.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { findForcedRemoval, type ForcedRemoval } from '../../store/jobs/forced-removals.ts';
import { jobContext } from '../../store/entities/write-context.ts';
import type { ObjectKind } from '../../store/table/keys.ts';
import { REMOVAL_PATIENCE_MS, removeObject } from '../../store/inventory/remove.ts';
import { LOOK_MS, WORK_MS } from './times.ts';

/**
 * Works as long as one request would. A removal that has begun is finished even if the caller's key has been removed.
 */
async function removeMore(
  { table, clock, ownerLabel }: Dependencies,
  { kind, id, actor, requestId, limit }: ForcedRemoval,
): Promise<void> {
  const writeContext = jobContext({ actor, requestId, limit, ownerLabel }, clock);
  try {
    await removeObject(table, kind, id, { force: true, ifMatch: undefined, writeContext });
  } catch (error) {
    // The timeout; another request has removed the object; or it was abandoned because of an object of another owner.
    if (!(error instanceof ApiError) || !['unavailable', 'notFound', 'permissionDenied'].includes(error.kind))
      throw error;
  }
}

/**
 * Finishes a forced removal whose request ended before it was finished: at the timeout, or because the process was
 * stopped. Waits while the request may still be working on it.
 *
 * @throws Error when it is not finished within one invocation: Lambda retries later.
 */
export async function continueRemoval(dependencies: Dependencies, kind: ObjectKind, id: string): Promise<void> {
  const start = monotonicMs(dependencies.table);
  for (;;) {
    const begun = await findForcedRemoval(dependencies.table, kind, id);
    if (begun === undefined) return;
    const passedMs = monotonicMs(dependencies.table) - start;
    if (passedMs > WORK_MS) throw new Error(`the forced removal of ${kind} ${id} is not finished`);
    const age = Math.max(dependencies.clock().getTime() - begun.begunAt.getTime(), passedMs);
    if (age > REMOVAL_PATIENCE_MS) await removeMore(dependencies, begun);
    else await pause(dependencies.table, Math.min(REMOVAL_PATIENCE_MS - age + 1, LOOK_MS));
  }
}
