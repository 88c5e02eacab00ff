import * as z from 'zod/mini';
import { secondsOf } from '../../shared/core/seconds.ts';
import type { IdentityProvider } from '../domain/fields/identity-providers.ts';
import type { Dependencies } from '../runtime/dependencies.ts';
import { findIssuerDocuments, type IssuerKeys, putIssuerDocuments } from '../store/credentials/issuer-documents.ts';
import { clockFailure } from './provider-clock.ts';
import { noteFailure, ProviderFailure } from './provider-failure.ts';
import { providerFetch, reasonOf, requestTime } from './provider-fetch.ts';

/** How long documents are used without a request to the provider. */
const FRESH_SECONDS = 600;

/** How long the last documents are used while the provider does not answer. */
const USABLE_SECONDS = 24 * 3600;

/** A process asks a provider at most this often, also for unknown key ids and after failures. */
const INTERVAL_SECONDS = 5;

export interface Services extends Pick<Dependencies, 'clock' | 'log'> {
  /** Undefined: documents are kept in memory only. */
  table: Dependencies['table'] | undefined;
}

const metadataSchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** Keys and tokens are sent over TLS, except from this machine to itself. */
function isAcceptable(address: unknown, { issuer }: IdentityProvider): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const [url, issuerUrl] = [new URL(address), new URL(issuer)];
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (issuerUrl.protocol === 'http:' && url.origin === issuerUrl.origin);
}

/** Gets a JSON document. @throws ProviderFailure */
async function read(
  provider: IdentityProvider,
  address: string,
  signal: AbortSignal,
): Promise<{ content: unknown; headers: Headers }> {
  try {
    const response = await providerFetch(address, { headers: { accept: 'application/json' }, signal });
    const { status, headers } = response;
    if (status !== 200) throw new Error(`status ${status}`);
    return { content: await response.json(), headers };
  } catch (error) {
    const detail = `${address} cannot be read (${reasonOf(error)}). Check the issuer, and that this service can reach it.`;
    throw new ProviderFailure(provider, 'unreachable', detail);
  }
}

export const configurationOf = ({ issuer }: Pick<IdentityProvider, 'issuer'>) =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/**
 * The OpenID configuration of a provider and its public keys, as it publishes them now. Two requests within 3 seconds. A
 * difference of the clocks is noted in the log: a token of a program that is refused for it does not show the reason.
 *
 * @param used names of the addresses in the configuration that the service calls, or sends people to.
 * @throws ProviderFailure
 */
async function fetchDocuments<Documents extends IssuerKeys>(
  provider: IdentityProvider,
  { schema, used }: DocumentKind<Documents>,
  { clock, log }: Services,
): Promise<Documents> {
  const { issuer } = provider;
  const now = clock();
  const wrong = (detail: string) => new ProviderFailure(provider, 'metadata', detail);
  const time = requestTime();
  const { content: configuration, headers } = await read(provider, configurationOf(provider), time);
  const { data: metadata } = z.safeParse(metadataSchema, configuration);
  const unusable = `${issuer} has no usable OpenID configuration. Check the issuer: it is the address before /.well-known/.`;
  if (metadata === undefined) throw wrong(unusable);
  if (metadata.issuer !== issuer)
    throw wrong(`the document at ${issuer} names another issuer. Set the issuer exactly as the provider writes it.`);
  // The schema says which of them may be absent.
  const unsafe = ['jwks_uri', ...used].find(
    (name) => metadata[name] !== undefined && !isAcceptable(metadata[name], provider),
  );
  if (unsafe !== undefined)
    throw wrong(`${unsafe} of the OpenID configuration of ${issuer} is no https URL, or contains a password.`);
  const { content: jwks } = await read(provider, metadata.jwks_uri, time);
  const { data: documents } = z.safeParse(schema, { issuer, metadata, jwks, fetched_at: secondsOf(now) });
  if (documents === undefined) throw wrong(`${unusable} Its keys must be a JSON Web Key Set.`);
  // The log-in of a person tells the operator by itself.
  const failure = provider.kind === 'jwt' ? clockFailure(provider, headers, now) : undefined;
  if (failure !== undefined) noteFailure(failure, log);
  return documents;
}

interface Cache<Documents> {
  documents: Documents | undefined;
  /** When the process last asked the provider, in seconds since 1970, and why that failed. */
  askedAt: number;
  failure: ProviderFailure | undefined;
  /** The request in progress, which all callers share. */
  asking: Promise<Documents> | undefined;
}

interface Storing {
  /** False for a function without access to the table: it keeps documents in memory only. */
  isStored: boolean;
}

/** Clocks can be set back: a time in the future is not young. */
const ageOf = (time: number, now: number) => Math.abs(now - time);

interface DocumentKind<Documents extends IssuerKeys> {
  /** Of the documents, as they are used and stored. */
  schema: z.ZodMiniType<Documents>;
  /** The addresses in the configuration that are used, besides that of the keys. */
  used: readonly string[];
}

/** Where documents are read. */
interface Sources<Documents> {
  provider: IdentityProvider;
  /** The documents that another process has stored. */
  find: () => Promise<Documents | undefined>;
  /** Those of the provider, which are stored. @throws ProviderFailure */
  ask: () => Promise<Documents>;
}

/** @returns undefined when the process asked a moment ago. @throws ProviderFailure */
async function refreshed<Documents>(
  cache: Cache<Documents>,
  { ask }: Sources<Documents>,
  now: number,
): Promise<Documents | undefined> {
  if (cache.asking === undefined) {
    if (ageOf(cache.askedAt, now) < INTERVAL_SECONDS) return undefined;
    cache.askedAt = now;
    cache.asking = ask().finally(() => (cache.asking = undefined));
  }
  cache.failure = undefined;
  cache.documents = await cache.asking.catch((error: unknown) => {
    if (error instanceof ProviderFailure) cache.failure = error;
    throw error;
  });
  return cache.documents;
}

async function presentDocuments<Documents extends IssuerKeys>(
  cache: Cache<Documents>,
  sources: Sources<Documents>,
  { clock, log }: Services,
): Promise<Documents> {
  const now = secondsOf(clock());
  const keptFor = (seconds: number) =>
    cache.documents !== undefined && ageOf(cache.documents.fetched_at, now) < seconds ? cache.documents : undefined;
  const kept = keptFor(FRESH_SECONDS);
  if (kept !== undefined) return kept;
  cache.documents = (await sources.find()) ?? cache.documents;
  const stored = keptFor(FRESH_SECONDS);
  if (stored !== undefined) return stored;
  const usable = keptFor(USABLE_SECONDS);
  try {
    const documents = (await refreshed(cache, sources, now)) ?? usable;
    if (documents !== undefined) return documents;
  } catch (error) {
    if (usable === undefined || !(error instanceof ProviderFailure)) throw error;
    noteFailure(error, log);
    return usable;
  }
  throw cache.failure ?? new ProviderFailure(sources.provider, 'unreachable', 'its documents are not known.');
}

/** Caches the documents of the providers of a kind: in memory, and in the table for other processes. */
export function documentCache<Provider extends IdentityProvider, Documents extends IssuerKeys>(
  kind: DocumentKind<Documents>,
) {
  /** By table, provider and issuer: a process that serves several tables, as in tests, keeps them apart. */
  const caches = new Map<string, Cache<Documents>>();

  const cacheOf = ({ name, issuer }: Provider, { table }: Services): Cache<Documents> => {
    const id = `${table?.name ?? ''} ${name} ${issuer}`;
    const cache = caches.get(id) ?? { documents: undefined, askedAt: -Infinity, failure: undefined, asking: undefined };
    caches.set(id, cache);
    return cache;
  };

  const sourcesOf = (provider: Provider, services: Services, { isStored }: Storing): Sources<Documents> => {
    const { table } = services;
    const store = isStored ? table : undefined;
    return {
      provider,
      find: async () => (store === undefined ? undefined : findIssuerDocuments(store, kind.schema, provider)),
      ask: async () => {
        const documents = await fetchDocuments(provider, kind, services);
        if (store !== undefined) await putIssuerDocuments(store, provider.name, documents);
        return documents;
      },
    };
  };

  return {
    /**
     * The documents of a provider: at most 10 minutes old, or 24 hours while it does not answer. A process without them
     * reads the table once; usually no request.
     *
     * @throws ProviderFailure
     */
    documentsOf: (provider: Provider, services: Services, storing: Storing = { isStored: true }): Promise<Documents> =>
      presentDocuments(cacheOf(provider, services), sourcesOf(provider, services, storing), services),

    /**
     * The documents once more, for a token of an unknown key; undefined when the provider was asked a moment ago, or does
     * not answer.
     */
    newerDocumentsOf: async (provider: Provider, services: Services): Promise<Documents | undefined> => {
      const sources = sourcesOf(provider, services, { isStored: true });
      try {
        return await refreshed(cacheOf(provider, services), sources, secondsOf(services.clock()));
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        noteFailure(error, services.log);
        return undefined;
      }
    },
  };
}
