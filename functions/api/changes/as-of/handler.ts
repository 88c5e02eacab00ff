import { ApiError } from '../../../../shared/core/errors.ts';
import { timeTextOfMs } from '../../../../shared/core/seconds.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { shownFields } from '../../../replies/change.ts';
import { readAsOf } from '../../../store/history/object-as-of.ts';
import { endpoint } from './endpoint.ts';

const inTheFuture = () => {
  const message = 'Must not be in the future.';
  return new ApiError('invalidArgument', `time: ${message}`, {
    details: [{ field: 'time', reason: 'out_of_range', message }],
  });
};

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params: { kind, object_id: id }, query }, { table, clock }) => {
    const now = clock();
    const time = query.time === undefined ? now : new Date(query.time);
    const object = { kind, id, removal: query.removal };
    const { presence, from, until, fields } = await readAsOf(table, object, { time, now });
    // The time of a change can be ahead of this clock: that of the feed never decreases.
    const isReached = time <= now || until !== undefined || (from !== undefined && from >= time.getTime());
    if (!isReached) throw inTheFuture();
    return {
      body: {
        ...{ kind, id, presence, time: time.toISOString() },
        ...(from === undefined ? {} : { from: timeTextOfMs(from) }),
        ...(until === undefined ? {} : { until: timeTextOfMs(until) }),
        ...(fields === undefined ? {} : { object: shownFields(fields) }),
      },
    };
  },
);
