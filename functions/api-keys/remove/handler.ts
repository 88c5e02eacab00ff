import { lambda } from '../../lambda.ts';
import { removeApiKey } from '../../table/api-keys.ts';
import { originOf } from '../../table/origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  await removeApiKey(services.table, request.params.key_id, originOf(request, services));
  return undefined;
});
