import { cleanupReport } from '../../../replies/cleanup-report.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { cleanUp } from '../../../store/inventory/cleanup.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { dry_run: dryRun, max_share: maxShare } = request.body;
  const origin = originOf(request, services);
  return { body: cleanupReport(await cleanUp(services.table, { dryRun, maxShare, origin })) };
});
