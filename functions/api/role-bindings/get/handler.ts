import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toRoleBindingReply } from '../../../replies/role-binding.ts';
import { getRoleBinding } from '../../../store/credentials/role-bindings.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ params }, { table }) => ({
  body: toRoleBindingReply(await getRoleBinding(table, params.binding_id)),
}));
