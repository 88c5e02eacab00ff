import { lambda } from '../../lambda.ts';
import { endedCredential } from '../../table/change-credentials.ts';
import { originOf } from '../../table/origin.ts';
import { removeSession } from '../../table/sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { keyId, name: user } = request.caller();
  const cause = originOf(request, services);
  if (!(await removeSession(services.table, keyId, { of: { user }, cause }))) throw endedCredential(cause.actor);
  return undefined;
});
