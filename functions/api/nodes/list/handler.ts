import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { listJson } from '../../../replies/list-json.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listNodes } from '../../../store/lists/list-nodes.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listNodes(dependencies.table, query, page, dependencies.clock()),
  );
  return { body: listJson('nodes', objects, token) };
});
