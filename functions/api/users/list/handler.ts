import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { toUserReply } from '../../../replies/user.ts';
import { listUsers } from '../../../store/credentials/users.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listUsers(dependencies.table, page),
  );
  return { body: { users: objects.map(toUserReply), ...token } };
});
