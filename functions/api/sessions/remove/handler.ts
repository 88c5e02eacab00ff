import { lambda } from '../../../runtime/endpoint-function.ts';
import { endedCredential } from '../../../store/credentials/change-credentials.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { removeSession } from '../../../store/credentials/sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { keyId, name: user } = request.caller();
  const cause = originOf(request, services);
  if (!(await removeSession(services.table, keyId, { of: { user }, cause }))) throw endedCredential(cause.actor);
  return undefined;
});
