import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { listJson } from '../../../replies/list-json.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listServices } from '../../../store/lists/list-services.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query, caller }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listServices(dependencies.table, query, page, {
      scope: caller().scope,
      now: dependencies.clock(),
      log: dependencies.log,
    }),
  );
  return { body: listJson('services', objects, token) };
});
