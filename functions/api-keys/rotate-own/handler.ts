import { lambda } from '../../lambda.ts';
import { rotated } from '../rotated.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, (request, services) =>
  rotated(request, services, { keyId: request.caller().keyId, rotatedBy: 'key' }),
);
