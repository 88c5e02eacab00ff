import { type Clock, platformClock } from '../clock.ts';
import { InventoryError } from '../error.ts';
import { getCaller, rotateOwnApiKey } from '../generated/operations.ts';
import type { NewApiKey, Rotation } from '../generated/types.ts';
import type { Client } from '../operation.ts';
import type { CallOptions } from '../options.ts';
import { backoff, pause } from '../wait.ts';

const MAX_ATTEMPTS = 4;

export interface RotateOptions extends CallOptions {
  /** How long the previous secret still works: `1h`. */
  overlap: Rotation['overlap'];
  /** Stores the new key where `key` of the client reads it. Until it has, the previous key is used. */
  store: (key: string) => void | Promise<void>;
  /** Instead of the timers of the platform: for tests. */
  clock?: Clock | undefined;
}

/**
 * Rotates the key of the client: gets the new one, stores it, and uses it once. The server allows to repeat a rotation
 * whose reply was lost, so this does, after the pause of other repetitions.
 *
 * @throws the error of `store`; the previous key then still works for the overlap, and the rotation can be repeated.
 */
export async function rotateKey(
  client: Client,
  { overlap, store, clock = platformClock, ...options }: RotateOptions,
): Promise<Omit<NewApiKey, 'key'>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { key, ...rest } = await rotateOwnApiKey(client, { overlap }, options);
      await store(key);
      await getCaller(client, {}, options);
      return rest;
    } catch (error) {
      const isUnclear =
        error instanceof InventoryError &&
        error.operation === 'rotateOwnApiKey' &&
        (error.http === 0 || error.http > 500);
      if (!isUnclear || attempt === MAX_ATTEMPTS) throw error;
      await pause(Math.max(backoff(attempt), (error.retryAfter ?? 0) * 1000), options.signal, clock);
      options.signal?.throwIfAborted();
    }
  }
}
