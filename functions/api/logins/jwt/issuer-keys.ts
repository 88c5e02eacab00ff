import * as z from 'zod/mini';
import { ApiError } from '../../../../shared/core/errors.ts';
import { secondsOf } from '../../../../shared/core/seconds.ts';
import type { IdentityProvider } from '../../../domain/fields/identity-providers.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import {
  findIssuerDocuments,
  type IssuerKeys,
  issuerKeysSchema,
  keySetSchema,
  putIssuerDocuments,
} from '../../../store/credentials/issuer-documents.ts';
import { reasonOf } from '../provider-fetch.ts';
import { fetchJson } from './fetch-json.ts';

export type JwtProvider = Extract<IdentityProvider, { kind: 'jwt' }>;
export type KeySet = IssuerKeys['jwks'];
export type Services = Pick<Dependencies, 'table' | 'clock' | 'log'>;

/** How long keys are used without a request to the issuer. */
const FRESH_SECONDS = 600;

/** How long the last keys are used while the issuer does not answer. */
const USABLE_SECONDS = 24 * 3600;

/** A process asks an issuer at most this often, also for unknown key ids and after failures. */
const INTERVAL_SECONDS = 5;

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.string() });

/** Why an issuer cannot be used, in one sentence for the operator. */
class IssuerFailure extends ApiError {
  readonly sentence: string;

  constructor({ name }: JwtProvider, detail: string) {
    super('unavailable', 'The keys of the identity provider cannot be read at the moment. Try again.');
    this.sentence = `Identity provider "${name}": ${detail}`;
  }
}

/** Keys come over TLS, except from this machine to itself. */
function isAcceptable(address: string, { issuer }: JwtProvider): boolean {
  if (!URL.canParse(address)) return false;
  const [url, own] = [new URL(address), new URL(issuer)];
  return url.protocol === 'https:' || (own.protocol === 'http:' && url.origin === own.origin);
}

async function fetchKeys(provider: JwtProvider): Promise<KeySet> {
  const { issuer } = provider;
  const read = async (address: string) =>
    fetchJson(address).catch((error: unknown) => {
      const detail = `${address} cannot be read (${reasonOf(error)}). Check the issuer, and that this service can reach it.`;
      throw new IssuerFailure(provider, detail);
    });
  const metadata = z.safeParse(
    metadataSchema,
    await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
  );
  if (!metadata.success) throw new IssuerFailure(provider, `${issuer} has no usable OpenID configuration.`);
  if (metadata.data.issuer !== issuer)
    throw new IssuerFailure(
      provider,
      `the document at ${issuer} names another issuer. Set the issuer as it writes it.`,
    );
  const { jwks_uri: address } = metadata.data;
  if (!isAcceptable(address, provider)) throw new IssuerFailure(provider, 'the address of its keys has no https URL.');
  const keys = z.safeParse(keySetSchema, await read(address));
  if (!keys.success) throw new IssuerFailure(provider, `${address} contains no JSON Web Key Set.`);
  return keys.data;
}

interface Cache {
  keys: IssuerKeys | undefined;
  /** When the process last asked the issuer, in seconds since 1970. */
  askedAt: number;
  /** The request in progress, which all callers share. */
  asking: Promise<IssuerKeys> | undefined;
}

/** By table, provider and issuer: a process that serves several tables, as in tests, keeps them apart. */
const caches = new Map<string, Cache>();

function cacheOf({ name, issuer }: JwtProvider, { table }: Services): Cache {
  const id = `${table.name} ${name} ${issuer}`;
  const cache = caches.get(id) ?? { keys: undefined, askedAt: -Infinity, asking: undefined };
  caches.set(id, cache);
  return cache;
}

/** Clocks can be set back: a time in the future is not young. */
const ageOf = (time: number, now: number) => Math.abs(now - time);

/** Asks the issuer, and stores its keys for other processes. */
async function ask(provider: JwtProvider, { table, clock }: Services): Promise<IssuerKeys> {
  const jwks = await fetchKeys(provider);
  const keys = { issuer: provider.issuer, jwks, fetched_at: secondsOf(clock()) };
  await putIssuerDocuments(table, provider.name, keys);
  return keys;
}

/** @returns undefined when the process asked a moment ago. */
async function refreshed(provider: JwtProvider, cache: Cache, services: Services): Promise<IssuerKeys | undefined> {
  const now = secondsOf(services.clock());
  if (cache.asking === undefined) {
    if (ageOf(cache.askedAt, now) < INTERVAL_SECONDS) return undefined;
    cache.askedAt = now;
    cache.asking = ask(provider, services).finally(() => (cache.asking = undefined));
  }
  const keys = await cache.asking;
  cache.keys = keys;
  return keys;
}

/** As `refreshed`; a failure is written to the log, and is no error if other keys can be used. */
async function tryToRefresh(provider: JwtProvider, cache: Cache, services: Services) {
  try {
    return await refreshed(provider, cache, services);
  } catch (error) {
    const reason = error instanceof IssuerFailure ? error.sentence : reasonOf(error);
    services.log({ level: 'error', message: 'identity provider cannot be used', reason });
    return undefined;
  }
}

/**
 * The keys of a provider: those in the settings, or those that its issuer publishes. These are at most 10 minutes old, or
 * 24 hours while the issuer does not answer. A process without them reads the table once.
 *
 * @throws ApiError `unavailable` when no keys are known.
 */
export async function keysOf(provider: JwtProvider, services: Services): Promise<KeySet> {
  if (provider.keys !== undefined) return z.parse(keySetSchema, provider.keys);
  const now = secondsOf(services.clock());
  const cache = cacheOf(provider, services);
  const keptFor = (seconds: number) =>
    cache.keys !== undefined && ageOf(cache.keys.fetched_at, now) < seconds ? cache.keys.jwks : undefined;
  const kept = keptFor(FRESH_SECONDS);
  if (kept !== undefined) return kept;
  cache.keys = (await findIssuerDocuments(services.table, issuerKeysSchema, provider)) ?? cache.keys;
  const usable =
    keptFor(FRESH_SECONDS) ?? (await tryToRefresh(provider, cache, services))?.jwks ?? keptFor(USABLE_SECONDS);
  if (usable !== undefined) return usable;
  throw new IssuerFailure(provider, 'no keys are known.');
}

/** The keys once more, for a token with an unknown key; undefined when the issuer was asked a moment ago. */
export async function newerKeysOf(provider: JwtProvider, services: Services): Promise<KeySet | undefined> {
  if (provider.keys !== undefined) return undefined;
  return (await tryToRefresh(provider, cacheOf(provider, services), services))?.jwks;
}
