import { lambda } from '../../lambda.ts';
import { originOf } from '../../table/origin.ts';
import { removeSession } from '../../table/sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { keyId, name: user } = request.caller();
  // One that has ended in the meantime is fine.
  await removeSession(services.table, keyId, { of: { user }, cause: originOf(request, services) });
  return undefined;
});
