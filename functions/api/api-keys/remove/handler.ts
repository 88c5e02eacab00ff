import { lambda } from '../../../runtime/endpoint-function.ts';
import { removeApiKey } from '../../../store/credentials/api-keys.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  await removeApiKey(services.table, request.params.key_id, originOf(request, services));
  return undefined;
});
