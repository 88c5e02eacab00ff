import { newService } from '../../../transitions/service.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { addObject } from '../../../store/inventory/entities.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { body, idempotency } = request;
  const { table, clock, newId } = services;
  const now = clock();
  const origin = originOf(request, services);
  const { object } = await addObject(table, { kind: 'service', idempotency, origin }, () =>
    newService({ newId, now }, body),
  );
  return { body: object, location: `${endpoint.path}/${object.service_id}` };
});
