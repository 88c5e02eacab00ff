import { ApiError } from '../../../../shared/http/errors.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { removeSession } from '../../../store/credentials/sessions.ts';
import { ownSessions } from '../own-sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { session_id: id } = request.params;
  const isEnded = await removeSession(services.table, id, {
    of: ownSessions(request.caller()),
    cause: originOf(request, services),
  });
  if (!isEnded) throw new ApiError('notFound', `Session with ID "${id}" not found.`);
  return undefined;
});
