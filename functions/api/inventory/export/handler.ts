import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { exportPage } from '../../../store/lists/export.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const { objects, token } = await paged(services, endpoint.id, query, (page) => exportPage(services.table, page));
  return { body: [...objects, { kind: 'end' as const, complete: token.next_page_token === undefined, ...token }] };
});
