import { combinedGrant, missingClaims } from '../../../domain/access/grant.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { bindingsOf } from '../../../store/credentials/role-bindings.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ body }, { table }) => {
  const { provider, claims } = body;
  const all = await bindingsOf(table, provider);
  const { role, owners } = combinedGrant(all, claims) ?? {};
  const bindings = all.map((binding) => {
    const missing_claims = missingClaims(binding, claims);
    return { binding_id: binding.name, role: binding.role, matched: missing_claims.length === 0, missing_claims };
  });
  return {
    body: {
      ...(role === undefined ? {} : { role }),
      ...(owners === undefined ? {} : { owners: [...owners] }),
      bindings,
    },
  };
});
