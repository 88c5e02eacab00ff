import { lambda } from '../../../runtime/endpoint-function.ts';
import { rotated } from '../rotate-key.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, (request, services) =>
  rotated(request, services, { keyId: request.params.key_id, rotatedBy: 'admin' }),
);
