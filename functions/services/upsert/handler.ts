import { serviceUpsertion } from '../../behaviour/service.ts';
import { declaredName } from '../../catalogue/declared-name.ts';
import { lambda } from '../../lambda.ts';
import { originOf } from '../../table/origin.ts';
import { upsertService } from '../../table/upsert.ts';
import { upserted } from '../../upserted.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch, ifNoneMatch } = request;
  const { table, clock, newId } = services;
  const declared = { ...body, service_name: declaredName('service_name', params.service_name, body.service_name) };
  const options = { ifMatch, ifNoneMatch, origin: originOf(request, services) };
  const result = await upsertService(table, declared, options, serviceUpsertion({ newId, now: clock() }, declared));
  return upserted(result, ({ service_id: id }) => `/v1/services/${id}`);
});
