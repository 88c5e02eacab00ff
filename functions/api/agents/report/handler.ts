import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { takeReport } from '../../../store/heartbeats/report.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params, body, caller }, { table, clock }) => {
    const now = clock();
    const { heartbeat, taken, refused } = await takeReport(table, {
      pmmAgentId: params.agent_id,
      entries: body.agents,
      scope: caller().scope,
      now,
    });
    const stale = new Date(now.getTime() + heartbeat.life.staleAfter * 1000);
    return { body: { reported_at: now.toISOString(), stale_at: stale.toISOString(), taken, refused } };
  },
);
