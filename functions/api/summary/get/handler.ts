import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toSummaryReply } from '../../../replies/summary.ts';
import { getSummary } from '../../../store/summary/summary.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ caller, query }, { table, clock }) => {
    const summary = await getSummary(table, clock, { maxAge: query.max_age });
    return { body: toSummaryReply(summary, caller().role, clock()) };
  },
);
