import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toUserReply } from '../../../replies/user.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { addUser, type User } from '../../../store/credentials/users.ts';
import { newInvitation } from '../invitation.ts';
import { endpoint } from './endpoint.ts';
import { LOCAL_PROVIDER } from '../../../domain/access/user.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { user_name: name, role, owners, invitation_time_to_live: seconds } = request.body;
  const writeContext = writeContextOf(request, dependencies);
  const { now, actor } = writeContext;
  const { invitation, fields } = newInvitation(dependencies.randomBytes, now, seconds);
  const time = now.toISOString();
  const user: User = {
    user_id: name,
    user_name: name,
    provider: LOCAL_PROVIDER,
    role,
    ...(owners === undefined ? {} : { owners }),
    version: time,
    created_at: time,
    created_by: actor,
    ...fields,
  };
  await addUser(dependencies.table, user, writeContext);
  return { body: { ...toUserReply(user), invitation } };
});
