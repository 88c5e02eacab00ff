import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { documentsOf } from '../../../identity/oidc/oidc-documents.ts';
import { noteFailure, ProviderFailure } from '../../../identity/provider-failure.ts';
import { type OidcProvider, oidcProviders, scopeOf, titleOf } from '../../../identity/oidc/provider.ts';
import { endpoint } from './endpoint.ts';

/** The addresses of a provider; none while it cannot be used, so that the page says it before somebody tries. */
async function addressesOf(provider: OidcProvider, dependencies: Dependencies) {
  try {
    const { metadata } = await documentsOf(provider, dependencies, { isStored: false });
    const { authorization_endpoint, end_session_endpoint } = metadata;
    return { authorization_endpoint, ...(end_session_endpoint === undefined ? {} : { end_session_endpoint }) };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    noteFailure(error, dependencies.log);
    return {};
  }
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (_request, dependencies) => {
  const providers = await Promise.all(
    oidcProviders(dependencies).map(async (provider) => ({
      method: 'oidc' as const,
      title: titleOf(provider),
      provider: provider.name,
      ...(await addressesOf(provider, dependencies)),
      client_id: provider.clientId,
      scope: scopeOf(provider),
      redirect_uris: [...provider.redirectUris],
    })),
  );
  const { adminAccount: admin_account = 'enabled' } = dependencies;
  const title = admin_account === 'emergency' ? 'Password, or emergency log-in as admin' : 'Password';
  return { body: { methods: [{ method: 'password' as const, title, admin_account }, ...providers] } };
});
