import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { renewUser } from '../../../store/credentials/users.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const writeContext = writeContextOf(request, dependencies);
  await renewUser(
    dependencies.table,
    request.params.user_id,
    () => ({ event: 'user.sessions_ended', fields: {} }),
    writeContext,
  );
  return undefined;
});
