import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { type ProviderDocuments, providerDocumentsSchema } from '../../store/credentials/issuer-documents.ts';
import { documentCache } from '../provider-documents.ts';
import { providerFetch } from '../provider-fetch.ts';
import type { OidcProvider } from './provider.ts';

/** Only settings for development have an issuer without TLS: those check it. */
export const requestOptions = ({ issuer }: Pick<OidcProvider, 'issuer'>, signal?: AbortSignal) => ({
  [customFetch]: providerFetch,
  ...(signal === undefined ? {} : { signal }),
  [allowInsecureRequests]: new URL(issuer).protocol === 'http:',
});

export const { documentsOf, newerDocumentsOf } = documentCache<OidcProvider, ProviderDocuments>({
  schema: providerDocumentsSchema,
  used: ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'end_session_endpoint'],
});
