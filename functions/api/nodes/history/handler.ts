import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { toChangeReply } from '../../../replies/change.ts';
import { readHistory } from '../../../store/history/object-history.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params, query, caller }, dependencies) => {
    const of = { kind: 'node', id: params.node_id, scope: caller().scope } as const;
    const { objects, token } = await paged(dependencies, `${endpoint.id} ${of.id}`, query, (page) =>
      readHistory(dependencies.table, of, { ...page, now: dependencies.clock() }),
    );
    return { body: { changes: objects.map(toChangeReply), ...token } };
  },
);
