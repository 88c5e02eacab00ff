import * as z from 'zod/mini';
import { inTime } from '../../../shared/core/deadline.ts';
import { describeError } from '../../../shared/core/log.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { STATE_EVENTS_WORK_SECONDS } from '../../domain/records/state-events.ts';
import { createDependencies, type Dependencies } from '../../runtime/dependencies.ts';
import { jobContext } from '../../store/entities/write-context.ts';
import { publishStates } from '../../store/inventory/publish-states.ts';
import { type ResumableJob, runPart } from '../../store/jobs/resumable-job.ts';

/** Time for what a pass has begun when its work ends. */
const FINISH_SECONDS = 30;

/** Nodes with an error that the log names. A fault of the table concerns all of them alike. */
const MAX_LOGGED = 10;

const actor = { kind: 'system', id: 'state-events', name: 'state events' } as const;

/** Its place is the id of the node up to which the last pass came. */
export const stateEventsJob: ResumableJob<string> = { name: 'state_events', place: () => z.string() };

/**
 * One pass over the states of all nodes: publishes those that have changed. A pass that has no time left ends, and the next
 * one continues.
 *
 * @param workSeconds how long a pass begins further work.
 * @throws Error when the state of a node could not be published: the alarm counts errors, and the next pass tries again.
 */
export function publishStatesOnSchedule(
  { table, clock, log, newId }: Dependencies,
  workSeconds = STATE_EVENTS_WORK_SECONDS,
) {
  return async (): Promise<void> => {
    const end = monotonicMs(table) + workSeconds * 1000;
    const requestId = newId();
    const writeContext = jobContext({ actor, requestId, limit: undefined }, clock);
    const line = { request_id: requestId, level: 'info' } as const;
    const leaseMs = (workSeconds + FINISH_SECONDS) * 1000;
    const pass = await runPart(table, stateEventsJob, { clock, leaseMs }, async (after) => {
      const options = { writeContext, after, isLate: () => monotonicMs(table) > end };
      const result = await inTime(table, leaseMs, () => publishStates(table, options));
      return { ...result, place: result.next, state: result.next === undefined ? 'done' : 'waiting' } as const;
    });
    if (pass === undefined) {
      log({ ...line, message: 'another pass over the states is in progress' });
      return;
    }
    const { read, published, failed, next } = pass;
    for (const { nodeId, error } of failed.slice(0, MAX_LOGGED)) {
      const about = { message: 'the state was not published', node_id: nodeId, error: describeError(error) };
      log({ ...line, level: 'error', ...about });
    }
    const totals = { nodes: read, ...published, failed: failed.length, is_finished: next === undefined };
    log({ ...line, message: 'state events', ...totals });
    if (failed.length > 0) throw new Error(`The states of ${failed.length} nodes could not be published.`);
  };
}

export const handler = () => publishStatesOnSchedule(createDependencies())();
