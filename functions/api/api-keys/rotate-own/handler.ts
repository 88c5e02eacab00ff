import { lambda } from '../../../runtime/endpoint-function.ts';
import { rotated } from '../rotate-key.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, (request, services) =>
  rotated(request, services, { keyId: request.caller().keyId, rotatedBy: 'key' }),
);
