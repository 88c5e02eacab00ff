import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { listJson } from '../../../replies/list-json.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listAgents } from '../../../store/lists/list-agents.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listAgents(dependencies.table, query, page, dependencies.clock()),
  );
  return { body: listJson('agents', objects, token) };
});
