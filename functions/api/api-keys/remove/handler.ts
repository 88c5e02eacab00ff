import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { removeApiKey } from '../../../store/credentials/remove-api-key.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  await removeApiKey(dependencies.table, request.params.key_id, writeContextOf(request, dependencies));
  return undefined;
});
