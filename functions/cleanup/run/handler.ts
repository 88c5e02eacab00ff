import { cleanupReport } from '../../behaviour/cleanup-report.ts';
import { lambda } from '../../lambda.ts';
import { cleanUp } from '../../table/cleanup.ts';
import { originOf } from '../../table/origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { dry_run: dryRun, max_share: maxShare } = request.body;
  const origin = originOf(request, services);
  return { body: cleanupReport(await cleanUp(services.table, { dryRun, maxShare, origin })) };
});
