import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { apiKeyPattern } from '../../shared/core/api-key-pattern.ts';
import { type Log, describeError } from '../../shared/core/log.ts';
import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import type { KeySource } from './http-send.ts';

/** The key in its store: the text, and the version of it. */
export interface StoredKey {
  text: string;
  setAt: Date;
  versionId: string;
}

const key = new RegExp(`^${apiKeyPattern}$`);

/** A store with versions, as Secrets Manager. */
export interface KeyStore {
  read: () => Promise<StoredKey>;
  /** Makes the text the present version. */
  write: (text: string) => Promise<void>;
  /**
   * Takes the right to replace a version, which one caller gets in each period. @param period a name of it.
   *
   * @returns whether this caller got it.
   */
  claim: (versionId: string, period: string) => Promise<boolean>;
}

/** No key is stored yet: an operator has to store one. */
export class MissingKey extends Error {}

/** A store that notes when the key that was read last was stored. */
export class DatedStore implements KeyStore {
  readonly claim: KeyStore['claim'];
  readonly write: KeyStore['write'];
  readonly #read: KeyStore['read'];
  #setAt: Date | undefined;

  constructor({ read, write, claim }: KeyStore) {
    [this.#read, this.write, this.claim] = [read, write, claim];
  }

  async read(): Promise<StoredKey> {
    const stored = await this.#read();
    this.#setAt = key.test(stored.text.trim()) ? stored.setAt : undefined;
    return stored;
  }

  /** Milliseconds since the key was stored; grows also while the store cannot be read. Undefined: none was read yet. */
  ageMs(now: Date): number | undefined {
    return this.#setAt === undefined ? undefined : now.getTime() - this.#setAt.getTime();
  }
}

/** How often a key that was refused is looked for again, by many requests at once. */
const RENEW_MS = 1000;

/** @throws MissingKey */
function keyIn(text: string): string {
  const trimmed = text.trim();
  if (!key.test(trimmed)) throw new MissingKey('The secret contains no key of the service.');
  return trimmed;
}

/** The key of the gateway from a store, read once and after it was refused. */
export function keySource(read: () => Promise<string>, monotonic: Pick<MonotonicClock, 'now'>): KeySource {
  let cached: Promise<string> | undefined;
  let readAt = -Infinity;
  const load = () => {
    readAt = monotonic.now();
    const loading = read().then(keyIn);
    // A failure is not kept.
    loading.catch(() => (cached = undefined));
    return (cached = loading);
  };
  return {
    current: () => cached ?? load(),
    renew: async (refused) => {
      const present = await cached?.catch(() => undefined);
      // Another request has read it in the meantime.
      if (present !== undefined && present !== refused) return true;
      if (monotonic.now() - readAt < RENEW_MS) return false;
      return (await load()) !== refused;
    },
  };
}

/** The key in a file, which another program replaces. */
export const keyFile = (path: string, monotonic: MonotonicClock): KeySource =>
  keySource(() => readFile(path, 'utf8'), monotonic);

/** The age at which a key is replaced, and how long its former secret works: other gateways read the new one after a 401. */
const ROTATE_AFTER_MS = 30 * 86_400_000;
const OVERLAP = '1d';

const rotatedSchema = z.object({ key: z.string(), expires_at: z.optional(z.string()) });

interface RotationOptions {
  store: KeyStore;
  /** Rotates the key that this text is: `POST /v1/caller/rotate`. @returns the body of the reply. */
  rotate: (key: string, overlap: string) => Promise<unknown>;
  log: Log;
  clock: () => Date;
}

/**
 * Replaces the key when its secret is old: rotates it, stores the new secret, and only then do requests use it. Of several
 * gateways one gets the right to do so in an hour. One that ends between the two steps leaves the former secret in the
 * store, which works until the overlap ends; an alarm on refused requests follows.
 *
 * @returns whether the key was replaced.
 */
export async function rotateWhenOld({ store, rotate, log, clock }: RotationOptions): Promise<boolean> {
  const { text, setAt, versionId } = await store.read();
  const now = clock();
  if (!key.test(text.trim()) || now.getTime() - setAt.getTime() < ROTATE_AFTER_MS) return false;
  if (!(await store.claim(versionId, now.toISOString().slice(0, 13)))) return false;
  const { key: next, expires_at: end } = z.parse(rotatedSchema, await rotate(keyIn(text), OVERLAP));
  await store.write(next);
  log({
    level: 'info',
    message: 'the key of the gateway was rotated',
    ...(end === undefined ? {} : { expires_at: end }),
  });
  return true;
}

/** The id of a version that claims another one. Secrets Manager refuses a second version with an id and another value. */
export function claimToken(versionId: string, period: string): string {
  const hex = createHash('sha256').update(`${versionId} ${period}`).digest('hex');
  return [8, 4, 4, 4, 12]
    .reduce<{ parts: string[]; at: number }>(
      ({ parts, at }, length) => ({ parts: [...parts, hex.slice(at, at + length)], at: at + length }),
      { parts: [], at: 0 },
    )
    .parts.join('-');
}

/** Logs a rotation that failed: it is repeated in an hour. */
export const logRotationFailure = (log: Log) => (error: unknown) =>
  log({ level: 'error', message: 'the key of the gateway could not be rotated', cause: describeError(error) });
