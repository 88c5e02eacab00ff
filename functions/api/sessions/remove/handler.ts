import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { endedCredential } from '../../../store/credentials/change-credentials.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { removeSession } from '../../../store/credentials/sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { keyId, name, userId: user = name } = request.caller();
  const cause = writeContextOf(request, dependencies);
  if (!(await removeSession(dependencies.table, keyId, { of: { user }, cause }))) throw endedCredential(cause.actor);
  return undefined;
});
