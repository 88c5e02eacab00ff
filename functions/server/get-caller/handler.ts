import { timeOf } from '../../catalogue/time.ts';
import { lambda } from '../../lambda.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, ({ caller }) => {
  const { kind, keyId: id, name, role, expiresAt } = caller();
  return Promise.resolve({ body: { kind, id, name, role, ...timeOf('expires_at', expiresAt) } });
});
