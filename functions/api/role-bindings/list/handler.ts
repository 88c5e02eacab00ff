import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { toRoleBindingReply } from '../../../replies/role-binding.ts';
import { listRoleBindings } from '../../../store/credentials/role-bindings.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listRoleBindings(dependencies.table, page),
  );
  return { body: { role_bindings: objects.map(toRoleBindingReply), ...token } };
});
