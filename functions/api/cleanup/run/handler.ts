import { toCleanupReply } from '../../../replies/cleanup-report.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { cleanUp } from '../../../store/inventory/cleanup.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { dry_run: dryRun, max_removals_percent: maxRemovalsPercent } = request.body;
  const writeContext = writeContextOf(request, dependencies);
  return { body: toCleanupReply(await cleanUp(dependencies.table, { dryRun, maxRemovalsPercent, writeContext })) };
});
