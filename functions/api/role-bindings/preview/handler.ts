import { combinedGrant, countedClaims, missingClaims } from '../../../domain/access/grant.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { identityProvidersOf } from '../../../runtime/identity-providers.ts';
import { bindingsOf } from '../../../store/credentials/role-bindings.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ body }, dependencies) => {
  const { provider } = body;
  const settings = identityProvidersOf(dependencies).find(({ name }) => name === provider);
  const claims = countedClaims(body.claims, settings ?? {});
  const all = await bindingsOf(dependencies.table, provider);
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
