import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { listJson } from '../../../replies/list-json.ts';
import { listReader } from '../../../runtime/list-reader.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listNodes } from '../../../store/lists/list-nodes.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query, caller }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listNodes(dependencies.table, query, page, listReader(dependencies, caller().scope)),
  );
  return { body: listJson('nodes', objects, token) };
});
