import { newRecord } from '../../../domain/fields/record.ts';
import { toRoleBindingReply } from '../../../replies/role-binding.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { checkBinding } from '../../../runtime/identity-providers.ts';
import { addRoleBinding } from '../../../store/credentials/role-bindings.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { body } = request;
  checkBinding(body, dependencies);
  const writeContext = writeContextOf(request, dependencies);
  const { actor, now } = writeContext;
  const binding = { ...body, created_by: actor, ...newRecord(now) };
  await addRoleBinding(dependencies.table, binding, writeContext);
  return { body: toRoleBindingReply(binding), location: `${endpoint.path}/${binding.name}` };
});
