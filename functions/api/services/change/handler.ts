import { changedService } from '../../../transitions/service.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { changeObject } from '../../../store/inventory/entities.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch } = request;
  const { object } = await changeObject(
    services.table,
    { kind: 'service', id: params.service_id, ifMatch, origin: originOf(request, services) },
    (old) => changedService(old, body),
  );
  return { body: object };
});
