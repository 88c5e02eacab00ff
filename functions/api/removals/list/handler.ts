import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listRemovals, RESTORE_SECONDS } from '../../../store/history/removal-record.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { table, clock } = dependencies;
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listRemovals(table, page, clock()),
  );
  const removals = objects.map(({ removalId, removedAt, actor, requestId, objects: removed }) => ({
    removal_id: removalId,
    removed_at: removedAt.toISOString(),
    restorable_until: new Date(removedAt.getTime() + RESTORE_SECONDS * 1000).toISOString(),
    actor,
    request_id: requestId,
    objects: removed,
  }));
  return { body: { removals, ...token } };
});
