import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { changeApiKey } from '../../../store/credentials/change-api-key.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body } = request;
  await changeApiKey(dependencies.table, params.key_id, body, writeContextOf(request, dependencies));
  return undefined;
});
