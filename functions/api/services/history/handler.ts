import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { shownChange } from '../../../replies/change.ts';
import { readHistory } from '../../../store/history/object-history.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, query, caller }, services) => {
  const of = { kind: 'service', id: params.service_id, scope: caller().scope } as const;
  const { objects, token } = await paged(services, `${endpoint.id} ${of.id}`, query, (page) =>
    readHistory(services.table, of, { ...page, now: services.clock() }),
  );
  return { body: { changes: objects.map(shownChange), ...token } };
});
