import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../../../shared/core/errors.ts';
import { OWNERS_RULE, ROLE_WITH_OWNERS } from '../../../domain/access/user.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toUserReply } from '../../../replies/user.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { renewUser, type User } from '../../../store/credentials/users.ts';
import { assertLocal } from '../assert-local.ts';
import { endpoint } from './endpoint.ts';

type Rights = Pick<User, 'role' | 'owners'> & { disabled: boolean };

type RightsChange = { [Field in keyof Rights]?: Rights[Field] | null | undefined };

/** @throws ApiError `failedPrecondition` for owners of another role than Editor. */
function rightsAfter(user: User, { role: newRole, owners: given, disabled: lock }: RightsChange): Rights {
  const role = newRole ?? user.role;
  if (role !== ROLE_WITH_OWNERS && given) throw new ApiError('failedPrecondition', OWNERS_RULE);
  const kept = role === ROLE_WITH_OWNERS && given !== null ? user.owners : undefined;
  return { role, owners: given ?? kept, disabled: lock ?? user.disabled ?? false };
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body } = request;
  const user = await renewUser(
    dependencies.table,
    params.user_id,
    (user) => {
      const after = rightsAfter(user, body);
      if (body.role !== undefined || body.owners !== undefined)
        assertLocal(user.provider, 'Its role and owners follow from role bindings: change those.');
      if (isDeepStrictEqual(after, rightsAfter(user, {}))) return undefined;
      return { event: 'user.changed', after, fields: { ...after, disabled: after.disabled || undefined } };
    },
    writeContextOf(request, dependencies),
    // An Admin key with an end could otherwise give its rights to a user without one.
    { until: Infinity },
  );
  return { body: toUserReply(user) };
});
