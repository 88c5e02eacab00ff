import { takenReportReply } from '../../../replies/taken-report.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { takeReport } from '../../../store/heartbeats/report.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params: { agent_id: pmmAgentId }, body, caller }, { table, clock }) => {
    const { scope } = caller();
    const taken = await takeReport(table, { pmmAgentId, entries: body.agents, scope, now: clock() });
    return { body: takenReportReply(pmmAgentId, taken), isRoutine: !taken.hasNews };
  },
);
