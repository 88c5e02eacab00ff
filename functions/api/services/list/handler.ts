import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { listJson } from '../../../replies/list-json.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listServices } from '../../../store/lists/list-services.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listServices(dependencies.table, query, page, dependencies.clock()),
  );
  return { body: listJson('services', objects, token) };
});
