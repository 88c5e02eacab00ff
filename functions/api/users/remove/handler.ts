import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { removeUser } from '../../../store/credentials/users.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  await removeUser(dependencies.table, request.params.user_id, writeContextOf(request, dependencies));
  return undefined;
});
