import { lambda } from '../../../runtime/endpoint-function.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { removeObject } from '../../../store/inventory/remove.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, query, ifMatch } = request;
  await removeObject(services.table, 'service', params.service_id, {
    ...query,
    ifMatch,
    origin: originOf(request, services),
  });
  return undefined;
});
