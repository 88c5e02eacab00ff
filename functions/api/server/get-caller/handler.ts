import { timeOf } from '../../../domain/fields/time.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, ({ caller }) => {
  const { kind, keyId: id, name, role, expiresAt, scope, owners, ratePerMinute, userId } = caller();
  const end = timeOf('expires_at', expiresAt);
  const limits = { ...end, user_id: userId, node_id: scope, owners, rate_limit_per_minute: ratePerMinute };
  return Promise.resolve({ body: { kind, id, name, role, ...limits } });
});
