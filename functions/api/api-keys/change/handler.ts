import { lambda } from '../../../runtime/endpoint-function.ts';
import { changeRateLimit } from '../../../store/credentials/api-keys.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body } = request;
  await changeRateLimit(services.table, params.key_id, body.rate_limit_per_minute, originOf(request, services));
  return undefined;
});
