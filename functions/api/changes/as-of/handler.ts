import { ApiError } from '../../../../shared/core/errors.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { shownFields } from '../../../replies/change.ts';
import { readAsOf } from '../../../store/history/object-as-of.ts';
import { endpoint } from './endpoint.ts';

function inThePast(time: string, now: Date): Date {
  const past = new Date(time);
  if (past <= now) return past;
  const message = 'Must not be in the future.';
  throw new ApiError('invalidArgument', `time: ${message}`, {
    details: [{ field: 'time', reason: 'out_of_range', message }],
  });
}

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params: { kind, object_id: id }, query }, { table, clock }) => {
    const now = clock();
    const time = query.time === undefined ? now : inThePast(query.time, now);
    const { presence, from, until, fields } = await readAsOf(
      table,
      { kind, id, removal: query.removal },
      { time, now },
    );
    return {
      body: {
        ...{ kind, id, presence, time: time.toISOString() },
        ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
        ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
        ...(fields === undefined ? {} : { object: shownFields(fields) }),
      },
    };
  },
);
