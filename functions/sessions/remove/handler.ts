import { lambda } from '../../lambda.ts';
import { removeSession } from '../../table/api-keys.ts';
import { originOf } from '../../table/origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  await removeSession(services.table, request.caller().keyId, originOf(request, services));
  return undefined;
});
