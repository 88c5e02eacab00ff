import type * as z from 'zod/mini';
import { ApiError, invalidRequest } from '../../../../shared/core/errors.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from '../../../bulk/partial-failure.ts';
import { runInOrder } from '../../../bulk/scheduler.ts';
import { type admissionResults, MAX_ADMITTED_AGENTS } from '../../../domain/agent/admission.ts';
import { AT_ONCE } from '../../../domain/bulk/limits.ts';
import { asCaller } from '../../../runtime/as-caller.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { readHostObjects } from '../../../store/lists/host-objects.ts';
import { type Process, readProcess } from '../../../store/heartbeats/report.ts';
import { reportLimits } from '../../../store/entities/write-context.ts';
import { endpoint as reportAgents } from '../report/endpoint.ts';
import { endpoint } from './endpoint.ts';

type Result = z.input<typeof admissionResults>['results'][number];

/** The processes whose agents fit into the reply, without agents for the others. */
function withinReply(processes: readonly Process[]): { process: Process; isWhole: boolean }[] {
  let agents = 0;
  return processes.map((process) => {
    const isWhole = agents + process.agents.size <= MAX_ADMITTED_AGENTS;
    if (!isWhole) return { process: { ...process, agents: new Set() }, isWhole };
    agents += process.agents.size;
    return { process, isWhole };
  });
}

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ body: { admissions }, invalidItems, requestId }, dependencies) => {
    const { table, log } = dependencies;
    const part = partsOf({ endpointId: endpoint.id, requestId }, { log, table });
    const outcomes = await runInOrder(
      admissions.map(({ pmm_agent_id: id, authorization, source_ip: sourceIp }) => ({
        conflictKeys: [],
        run: () =>
          part(() =>
            asCaller(reportAgents, { authorization, sourceIp, requestId }, dependencies, (host) =>
              readProcess(table, id, reportLimits(host, dependencies)),
            ),
          ),
      })),
      AT_ONCE,
    );
    throwIfAllUnavailable(outcomes);
    const admitted = withinReply(outcomes.flatMap((outcome) => (outcome instanceof ApiError ? [] : outcome)));
    const hosts = await readHostObjects(
      table,
      admitted.map(({ process }) => process),
    );
    const refused = (error: ApiError): Result => ({ status: error.httpStatus, error: errorOf(error, requestId) });
    let next = 0;
    const results = outcomes.map((outcome, index): Result => {
      const pmm_agent_id = admissions[index]?.pmm_agent_id ?? '';
      if (outcome instanceof ApiError) return { pmm_agent_id, ...refused(outcome) };
      const { agents = [], services = [], node } = hosts[next] ?? {};
      const objects = admitted[next]?.isWhole === true ? { agents, services } : {};
      next += 1;
      return { status: 200, pmm_agent_id, node_id: outcome.nodeId, node_name: node?.node_name ?? '', ...objects };
    });
    for (const [index, wrong] of [...invalidItems].sort(([left], [right]) => left - right))
      results.splice(index, 0, refused(invalidRequest(wrong)));
    return { body: { results } };
  },
);
