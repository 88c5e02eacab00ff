import { newService } from '../../../transitions/service.ts';
import { objectJson } from '../../../replies/object-json.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { addObject } from '../../../store/inventory/entities.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { body, idempotency } = request;
  const { table, newId } = dependencies;
  const writeContext = writeContextOf(request, dependencies);
  const { object } = await addObject(table, { kind: 'service', idempotency, writeContext }, () =>
    newService({ newId, now: writeContext.now }, body),
  );
  return { body: objectJson(object), location: `${endpoint.path}/${object.service_id}` };
});
