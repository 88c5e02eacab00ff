import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { rotated } from '../rotate-key.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, (request, dependencies) =>
  rotated(request, dependencies, { keyId: request.params.key_id, rotatedBy: 'admin' }),
);
