import { inTime } from '../../../shared/core/deadline.ts';
import { describeError } from '../../../shared/core/log.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { STATE_EVENTS_WORK_SECONDS } from '../../domain/records/state-events.ts';
import { createDependencies, type Dependencies } from '../../runtime/dependencies.ts';
import { jobContext } from '../../store/entities/write-context.ts';
import { publishStates } from '../../store/inventory/publish-states.ts';
import { keepUnfinishedPass, unfinishedPass } from '../../store/inventory/unfinished-pass.ts';

/** Time for what a pass has begun when its work ends. */
const FINISH_SECONDS = 30;

/** Nodes with an error that the log names. A fault of the table concerns all of them alike. */
const MAX_LOGGED = 10;

const actor = { kind: 'system', id: 'state-events', name: 'state events' } as const;

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
    const writeContext = jobContext({ actor, requestId }, clock);
    const line = { request_id: requestId, level: 'info' } as const;
    const after = await unfinishedPass(table);
    const options = { writeContext, after, isLate: () => monotonicMs(table) > end };
    const { read, published, failed, next } = await inTime((workSeconds + FINISH_SECONDS) * 1000, () =>
      publishStates(table, options),
    );
    if (after !== undefined || next !== undefined) await keepUnfinishedPass(table, next);
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
