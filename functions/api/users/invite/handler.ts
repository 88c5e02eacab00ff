import { timeText } from '../../../../shared/core/seconds.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toUserReply } from '../../../replies/user.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { renewUser } from '../../../store/credentials/users.ts';
import { assertLocal } from '../assert-local.ts';
import { newInvitation } from '../invitation.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body } = request;
  const writeContext = writeContextOf(request, dependencies);
  const { invitation, fields } = newInvitation(
    dependencies.randomBytes,
    writeContext.now,
    body.invitation_time_to_live,
  );
  const user = await renewUser(
    dependencies.table,
    params.user_id,
    ({ provider }) => {
      assertLocal(provider, 'It has no password here.');
      return {
        event: 'user.invited',
        after: { invitation_expires_at: timeText(fields.invitation_expires_at) },
        fields: { ...fields, password_hash: undefined, password_set_at: undefined },
      };
    },
    writeContext,
    { until: Infinity },
  );
  return { body: { ...toUserReply(user), invitation } };
});
