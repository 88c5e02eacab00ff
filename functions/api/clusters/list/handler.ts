import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listClusters } from '../../../store/lists/list-clusters.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listClusters(dependencies.table, query.name_prefix ?? '', page, dependencies.clock()),
  );
  return { body: { clusters: objects, ...token } };
});
