import { serviceUpsertion } from '../../../transitions/service.ts';
import { declaredName } from '../../../domain/fields/name-in-path.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { upsertService } from '../../../store/inventory/upsert.ts';
import { upserted } from '../../../replies/upsert-reply.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch, ifNoneMatch } = request;
  const { table, clock, newId } = services;
  const declared = { ...body, service_name: declaredName('service_name', params.service_name, body.service_name) };
  const options = { ifMatch, ifNoneMatch, origin: originOf(request, services) };
  const result = await upsertService(table, declared, options, serviceUpsertion({ newId, now: clock() }, declared));
  return upserted(result, ({ service_id: id }) => `/v1/services/${id}`);
});
