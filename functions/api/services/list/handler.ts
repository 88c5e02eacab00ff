import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listServices } from '../../../store/lists/list-services.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const { objects, token } = await paged(services, endpoint.id, query, (page) =>
    listServices(services.table, query, page, services.clock()),
  );
  return { body: { services: objects, ...token } };
});
