import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { removeRoleBinding } from '../../../store/credentials/role-bindings.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const target = { name: request.params.binding_id, ifMatch: request.ifMatch };
  await removeRoleBinding(dependencies.table, target, writeContextOf(request, dependencies));
  return undefined;
});
