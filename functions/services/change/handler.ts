import { changedService } from '../../behaviour/service.ts';
import { lambda } from '../../lambda.ts';
import { changeObject } from '../../table/objects.ts';
import { originOf } from '../../table/origin.ts';
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
