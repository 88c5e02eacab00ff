import { toCleanupReply } from '../../../replies/cleanup-report.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import * as z from 'zod/mini';
import { makePageToken, type Position, readPageToken } from '../../../../shared/db/page-token.ts';
import { pageTokenSecret } from '../../../store/credentials/page-token-secret.ts';
import { cleanUp, cleanupPlace } from '../../../store/inventory/cleanup.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

const placeIn = ([text]: Position) => z.parse(cleanupPlace, JSON.parse(text));

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { dry_run: dryRun, max_removals_percent: maxRemovalsPercent, page_token: token } = request.body;
  const { table } = dependencies;
  // A count for one threshold does not apply to another one.
  const binding = JSON.stringify([endpoint.id, dryRun, maxRemovalsPercent]);
  const from = token === undefined ? undefined : placeIn(readPageToken(token, binding, await pageTokenSecret(table)));
  const writeContext = writeContextOf(request, dependencies);
  const result = await cleanUp(table, { dryRun, maxRemovalsPercent, writeContext, from });
  if (result.next === undefined) return { body: toCleanupReply(result) };
  const next = makePageToken([JSON.stringify(result.next), ''], binding, await pageTokenSecret(table));
  return { body: { ...toCleanupReply(result), next_page_token: next } };
});
