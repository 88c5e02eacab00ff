import {
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  JSON_ATTRIBUTE_COMPARISON,
  OperationProcessingError,
  processDiscoveryResponse,
} from 'oauth4webapi';
import * as z from 'zod/mini';
import { secondsOf } from '../../../../shared/core/seconds.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import {
  findIssuerDocuments,
  keySetSchema,
  providerMetadataSchema,
  type ProviderDocuments,
  providerDocumentsSchema,
  putIssuerDocuments,
} from '../../../store/credentials/issuer-documents.ts';
import type { OidcProvider } from './provider.ts';
import { noteFailure, ProviderFailure } from './provider-failure.ts';
import { providerFetch, reasonOf } from '../provider-fetch.ts';

/** How long documents are used without a request to the provider. */
const FRESH_SECONDS = 600;

/** How long the last documents are used while the provider does not answer. */
const USABLE_SECONDS = 24 * 3600;

/** After a failure no other request is sent for this time. */
const RETRY_SECONDS = 10;

/** An unknown key id causes a request at most this often in a process. */
const REFETCH_SECONDS = 5;

/** Only settings for development have an issuer without TLS: those check it. */
export const requestOptions = ({ issuer }: Pick<OidcProvider, 'issuer'>) => ({
  [customFetch]: providerFetch,
  [allowInsecureRequests]: new URL(issuer).protocol === 'http:',
});

function metadataFailure(provider: OidcProvider, error: unknown): ProviderFailure {
  const { issuer } = provider;
  if (error instanceof OperationProcessingError && error.code === JSON_ATTRIBUTE_COMPARISON)
    return new ProviderFailure(
      provider,
      'metadata',
      `the document at ${issuer} names another issuer. Set the issuer exactly as the provider writes it.`,
    );
  if (error instanceof OperationProcessingError)
    return new ProviderFailure(
      provider,
      'metadata',
      `${issuer} has no usable OpenID configuration. Check the issuer: it is the address before /.well-known/.`,
    );
  return new ProviderFailure(
    provider,
    'unreachable',
    `${issuer} does not answer (${reasonOf(error)}). Check the address, and that this service can reach it.`,
  );
}

/** The document, by its schema. @throws OperationProcessingError: an error class of the schemas would bundle all of Zod. */
function parsed<Schema extends z.ZodMiniType>(schema: Schema, document: unknown): z.output<Schema> {
  const result = z.safeParse(schema, document);
  if (!result.success) throw new OperationProcessingError('The document lacks a field.');
  return result.data;
}

async function fetchDocuments(provider: OidcProvider, now: Date): Promise<ProviderDocuments> {
  try {
    const options = requestOptions(provider);
    const issuer = new URL(provider.issuer);
    const response = await discoveryRequest(issuer, options);
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    const metadata = parsed(providerMetadataSchema, await processDiscoveryResponse(issuer, response));
    if (!options[allowInsecureRequests])
      for (const url of [metadata.jwks_uri, metadata.token_endpoint, metadata.authorization_endpoint])
        if (!url.startsWith('https://')) throw new OperationProcessingError('An endpoint has no TLS.');
    const keys = await providerFetch(metadata.jwks_uri, { headers: { accept: 'application/json' } });
    if (keys.status !== 200) throw new Error(`status ${keys.status} for its keys`);
    const jwks = parsed(keySetSchema, await keys.json());
    return { issuer: provider.issuer, metadata, jwks, fetched_at: secondsOf(now) };
  } catch (error) {
    throw metadataFailure(provider, error);
  }
}

interface CacheEntry {
  documents: ProviderDocuments;
  /** Seconds since 1970. */
  until: number;
}

/** By table and issuer: a process that serves several tables, as in tests, keeps them apart. */
const cache = new Map<string, CacheEntry>();
const failures = new Map<string, { failure: ProviderFailure; until: number }>();
const requested = new Map<string, number>();

type Services = Pick<Dependencies, 'table' | 'clock' | 'log'>;

const nameOf = ({ issuer }: OidcProvider, { table }: Services) => `${table.name} ${issuer}`;

interface Storing {
  /** False for a function without access to the table: it keeps documents in memory only. */
  isStored: boolean;
}

/** Fetches the documents, keeps them in memory, and stores them for other processes. */
async function refresh(
  provider: OidcProvider,
  services: Services,
  { isStored }: Storing = { isStored: true },
): Promise<ProviderDocuments> {
  const { table, clock } = services;
  const now = clock();
  const name = nameOf(provider, services);
  requested.set(name, secondsOf(now));
  const documents = await fetchDocuments(provider, now);
  cache.set(name, { documents, until: secondsOf(now) + FRESH_SECONDS });
  if (isStored) await putIssuerDocuments(table, provider.name, documents);
  return documents;
}

/** As `refresh`, but not soon after a failure: people who wait must not make others wait. */
async function refreshUnlessFailed(
  provider: OidcProvider,
  services: Services,
  storing: Storing,
): Promise<ProviderDocuments> {
  const now = secondsOf(services.clock());
  const name = nameOf(provider, services);
  const known = failures.get(name);
  if (known !== undefined && known.until > now && known.until <= now + RETRY_SECONDS) throw known.failure;
  try {
    return await refresh(provider, services, storing);
  } catch (error) {
    if (error instanceof ProviderFailure) failures.set(name, { failure: error, until: now + RETRY_SECONDS });
    throw error;
  }
}

/**
 * The documents of a provider: at most 10 minutes old, or 24 hours while it does not answer. In a process that has none,
 * one read of the table; usually no request.
 *
 * @throws ProviderFailure
 */
export async function documentsOf(
  provider: OidcProvider,
  services: Services,
  storing: Storing = { isStored: true },
): Promise<ProviderDocuments> {
  const now = secondsOf(services.clock());
  const name = nameOf(provider, services);
  const kept = cache.get(name);
  if (kept !== undefined && kept.until > now && kept.until <= now + FRESH_SECONDS) return kept.documents;
  const stored = storing.isStored
    ? await findIssuerDocuments(services.table, providerDocumentsSchema, provider)
    : kept?.documents;
  const age = stored === undefined ? Infinity : Math.abs(now - stored.fetched_at);
  if (stored !== undefined && age < FRESH_SECONDS) {
    cache.set(name, { documents: stored, until: stored.fetched_at + FRESH_SECONDS });
    return stored;
  }
  try {
    return await refreshUnlessFailed(provider, services, storing);
  } catch (error) {
    if (stored === undefined || age > USABLE_SECONDS || !(error instanceof ProviderFailure)) throw error;
    noteFailure(error, services.log);
    return stored;
  }
}

/** The documents with new keys, for a token of an unknown key; undefined when they were fetched a moment ago. */
export async function refetchedDocuments(
  provider: OidcProvider,
  services: Services,
): Promise<ProviderDocuments | undefined> {
  const last = requested.get(nameOf(provider, services));
  if (last !== undefined && Math.abs(secondsOf(services.clock()) - last) < REFETCH_SECONDS) return undefined;
  return refresh(provider, services);
}
