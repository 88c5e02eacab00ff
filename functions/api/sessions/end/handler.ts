import { ApiError } from '../../../../shared/core/errors.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { removeSession } from '../../../store/credentials/sessions.ts';
import { ownSessions } from '../own-sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { session_id: id } = request.params;
  const isEnded = await removeSession(dependencies.table, id, {
    of: ownSessions(request.caller()),
    cause: writeContextOf(request, dependencies),
  });
  if (!isEnded) throw new ApiError('notFound', `Session with ID "${id}" not found.`);
  return undefined;
});
