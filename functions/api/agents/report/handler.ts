import { PreparedJson } from '../../../../shared/http/prepared-json.ts';
import { takenReportReply } from '../../../replies/taken-report.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { takeReport } from '../../../store/heartbeats/report.ts';
import { targetsHashOf } from '../../../replies/host-targets.ts';
import { reporterOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async (request, { table, clock, ownerLabel }) => {
    const { agent_id: pmmAgentId } = request.params;
    const { body } = request;
    const reporter = reporterOf(request, { ownerLabel });
    const taken = await takeReport(table, { pmmAgentId, contents: body, ...reporter, now: clock() });
    const hash = body.with_targets_hash === true ? await targetsHashOf(table, taken.heartbeat) : undefined;
    // Made field by field of values that are valid: a schema would take longer than the report.
    const reply = new PreparedJson(JSON.stringify(takenReportReply(pmmAgentId, taken, hash)));
    return { body: reply, isRoutine: !taken.hasNews };
  },
);
