import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toUserReply } from '../../../replies/user.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { renewUser } from '../../../store/credentials/users.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body } = request;
  const user = await renewUser(
    dependencies.table,
    params.user_id,
    ({ role: presentRole, disabled: isDisabled = false }) => {
      const { role = presentRole, disabled = isDisabled } = body;
      if (role === presentRole && disabled === isDisabled) return undefined;
      const fields = { role, disabled: disabled ? (true as const) : undefined };
      return { event: 'user.changed', after: { role, disabled }, fields };
    },
    writeContextOf(request, dependencies),
    // An Admin key with an end could otherwise give its rights to a user without one.
    { until: Infinity },
  );
  return { body: toUserReply(user) };
});
