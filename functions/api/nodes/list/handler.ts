import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listNodes } from '../../../store/lists/list-nodes.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const { objects, token } = await paged(services, endpoint.id, query, (page) =>
    listNodes(services.table, query, page, services.clock()),
  );
  return { body: { nodes: objects, ...token } };
});
