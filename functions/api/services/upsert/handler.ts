import { serviceUpsertion } from '../../../transitions/service.ts';
import { declaredName } from '../../../domain/fields/name-in-path.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { upsertService } from '../../../store/inventory/upsert.ts';
import { toUpsertReply } from '../../../replies/upsert-reply.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body, ifMatch, ifNoneMatch } = request;
  const { table, newId } = dependencies;
  const declared = { ...body, service_name: declaredName('service_name', params.service_name, body.service_name) };
  const writeContext = writeContextOf(request, dependencies);
  const options = { ifMatch, ifNoneMatch, writeContext };
  const result = await upsertService(
    table,
    declared,
    options,
    serviceUpsertion({ newId, now: writeContext.now }, declared),
  );
  return toUpsertReply(result, ({ service_id: id }) => `/v1/services/${id}`);
});
