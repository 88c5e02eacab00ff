import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listAgents } from '../../../store/lists/list-agents.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const { objects, token } = await paged(services, endpoint.id, query, (page) =>
    listAgents(services.table, query, page, services.clock()),
  );
  return { body: { agents: objects, ...token } };
});
