import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { removeObject } from '../../../store/inventory/remove.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, query, ifMatch } = request;
  await removeObject(dependencies.table, 'service', params.service_id, {
    ...query,
    ifMatch,
    writeContext: writeContextOf(request, dependencies),
  });
  return undefined;
});
