import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toMetrics } from '../../../replies/metrics.ts';
import { getSummary } from '../../../store/summary/summary.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async (_, { table, clock, build, refusedConnections, databaseBytes }) => {
    const summary = await getSummary(table, clock);
    return {
      body: toMetrics(summary, clock(), {
        build,
        refusedConnections: refusedConnections?.(),
        databaseBytes: databaseBytes?.(),
      }),
    };
  },
);
