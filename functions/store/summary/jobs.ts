import type { Table } from '../../../shared/db/table.ts';
import { listForcedRemovals } from '../jobs/forced-removals.ts';
import { listedReconciliations } from '../jobs/reconciliations.ts';
import { type JobStatus, readJobs } from '../jobs/resumable-job.ts';

/** A removal that began before this is interrupted: the service finishes others sooner. */
const INTERRUPTED_MS = 60_000;

/** The most jobs of a summary. */
const MAX_JOBS = 100;

/** The jobs of the service: those that exist once, and the forced removals and reconciliations that have not ended well. */
export async function readJobStatuses(table: Table, now: Date): Promise<JobStatus[]> {
  const [single, removals, reconciliations] = await Promise.all([
    readJobs(table, ['cleanup', 'state_events', 'reopening', 'indexing'], now),
    listForcedRemovals(table),
    listedReconciliations(table, now),
  ]);
  return [
    ...single,
    ...removals.map(({ kind, id, actor, begunAt }): JobStatus => {
      const isInterrupted = now.getTime() - begunAt.getTime() > INTERRUPTED_MS;
      const state = isInterrupted ? 'waiting' : 'running';
      return { job: 'forced_removal', kind, id, actor: actor.name, state, begunAt: begunAt.getTime() };
    }),
    ...reconciliations.map(
      ({ plan_id: id, actor, state, created_at: created, busy_until: until = 0, total, done, reason }): JobStatus => ({
        ...{ job: 'reconciliation', id, actor: actor.name, begunAt: Date.parse(created), total, done },
        ...(reason === '' ? {} : { reason }),
        state: state !== 'applying' ? 'stopped' : until > now.getTime() ? 'running' : 'waiting',
      }),
    ),
  ].slice(0, MAX_JOBS);
}
