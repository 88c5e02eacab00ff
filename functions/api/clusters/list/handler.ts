import { DEFAULT_OWNER_LABEL } from '../../../domain/fields/owner-label.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listClusters } from '../../../store/lists/list-clusters.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { table, clock, ownerLabel = DEFAULT_OWNER_LABEL } = dependencies;
  const { name_prefix: prefix = '', include } = query;
  const details = { ownerLabel, withRegions: include === 'region', now: clock() };
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listClusters(table, prefix, page, details),
  );
  return { body: { clusters: objects, ...token } };
});
