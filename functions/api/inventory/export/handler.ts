import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { exportPage } from '../../../store/lists/export.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    exportPage(dependencies.table, page),
  );
  return { body: [...objects, { kind: 'end' as const, complete: token.next_page_token === undefined, ...token }] };
});
