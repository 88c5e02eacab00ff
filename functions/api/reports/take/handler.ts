import type * as z from 'zod/mini';
import { ApiError, invalidRequest } from '../../../../shared/core/errors.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from '../../../bulk/partial-failure.ts';
import { runInOrder } from '../../../bulk/scheduler.ts';
import type { agentReport, takenReports } from '../../../domain/agent/report.ts';
import { AT_ONCE } from '../../../domain/bulk/limits.ts';
import { takenReportReply } from '../../../replies/taken-report.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { type RoutineReport, takeReport } from '../../../store/heartbeats/report.ts';
import { type HostReport, takeAllWithoutNews } from '../../../store/heartbeats/relayed-reports.ts';
import { targetsHashOf } from '../../../replies/host-targets.ts';
import { reporterOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

type Report = HostReport & Pick<z.output<typeof agentReport>, 'with_targets_hash'>;

type HostResult = RoutineReport & { targetsHash?: string };

type Result = z.input<typeof takenReports>['results'][number];

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async (request, { table, clock, log, ownerLabel }) => {
    const { invalidItems, requestId } = request;
    const { reports } = request.body;
    const reporter = reporterOf(request, { ownerLabel });
    const part = partsOf({ endpointId: endpoint.id, requestId }, { log, table });
    // A report of a limited caller is checked by itself: groups contain hosts of all owners.
    const isLimited = reporter.limit !== undefined || reporter.scope !== undefined;
    const withoutNews = isLimited ? new Map<string, HostResult>() : await takeAllWithoutNews(table, reports, clock());
    const take = async ({
      pmm_agent_id: pmmAgentId,
      with_targets_hash: isAsked,
      ...contents
    }: Report): Promise<HostResult> => {
      const taken =
        withoutNews.get(pmmAgentId) ?? (await takeReport(table, { pmmAgentId, contents, ...reporter, now: clock() }));
      if (isAsked !== true) return taken;
      return { ...taken, targetsHash: await targetsHashOf(table, taken.heartbeat) };
    };
    const outcomes = await runInOrder(
      reports.map((report) => ({ conflictKeys: [], run: () => part(() => take(report)) })),
      AT_ONCE,
    );
    throwIfAllUnavailable(outcomes);
    const refused = (error: ApiError): Result => ({ status: error.httpStatus, error: errorOf(error, requestId) });
    const results = outcomes.map((outcome, index): Result => {
      const id = reports[index]?.pmm_agent_id ?? '';
      if (outcome instanceof ApiError) return { pmm_agent_id: id, ...refused(outcome) };
      return { pmm_agent_id: id, status: 200, report: takenReportReply(id, outcome, outcome.targetsHash) };
    });
    for (const [index, wrong] of [...invalidItems].sort(([left], [right]) => left - right))
      results.splice(index, 0, refused(invalidRequest(wrong)));
    const isRoutine =
      invalidItems.size === 0 && outcomes.every((outcome) => !(outcome instanceof ApiError) && !outcome.hasNews);
    return { body: { results }, isRoutine };
  },
);
