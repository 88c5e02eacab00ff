import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { changeRateLimit } from '../../../store/credentials/change-rate-limit.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body } = request;
  await changeRateLimit(
    dependencies.table,
    params.key_id,
    body.rate_limit_per_minute,
    writeContextOf(request, dependencies),
  );
  return undefined;
});
