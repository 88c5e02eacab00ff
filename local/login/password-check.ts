import { createHmac, randomBytes } from 'node:crypto';
import type { CheckPassword } from '../../shared/auth/check-password.ts';
import { fakePasswordHash, verifyPassword } from '../../shared/auth/password.ts';
import { isTooLate } from '../../shared/core/deadline.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { FailedAttempts } from './failed-attempts.ts';

/**
 * Number of checks in parallel. Each occupies one of the four threads of libuv's pool; file reads, compression and name
 * lookups of other requests use the others.
 */
export const MAX_RUNNING = 2;

/** Number of checks that may wait for one of those. Further ones are refused at once. */
export const MAX_WAITING = 8;

/** How long a correct password is cached. */
const REMEMBERED_MS = 10_000;

/** Number of right passwords, and of wrong ones, that are known. The oldest is removed first. */
const MAX_KNOWN = 1000;

function learn(digests: Set<string>, digest: string): void {
  digests.add(digest);
  const [oldest] = digests;
  if (digests.size > MAX_KNOWN && oldest !== undefined) digests.delete(oldest);
}

/** The parts of a check that tests may replace. */
interface Parts {
  verify: (password: string, hash: string) => Promise<boolean>;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}

function refuse(seconds: number): never {
  throw new ApiError('resourceExhausted', 'Too many password checks.', { headers: { 'Retry-After': String(seconds) } });
}

/** Runs MAX_RUNNING calls in parallel, lets MAX_WAITING wait in order of arrival, and refuses the others. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < MAX_RUNNING) running += 1;
    else if (waiting.length >= MAX_WAITING) refuse(1);
    // A finished call passes its place on directly, so that no later arrival can take it.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/**
 * Verifies passwords against the hashes in the table, with limits: a check takes a quarter of a second of CPU and 32
 * MiB. An unknown user name costs the same.
 *
 * @throws ApiError `resourceExhausted` with Retry-After when too many checks wait, or the source address must wait.
 */
export function createPasswordCheck(parts: Partial<Parts> = {}): CheckPassword {
  const { verify = verifyPassword, now = processClock.now } = parts;
  const inTurn = createQueue();
  const failed = new FailedAttempts(now);
  // HMACs of logins, with a key of this process: passwords are not stored.
  const secret = randomBytes(32);
  const remembered = new Map<string, number>();
  // A client with a password that was right before does not wait for the failures of others behind the same address.
  const right = new Set<string>();
  // A wrong password that is repeated is no further guess: it needs no check, and nobody waits because of it. So a
  // program with an old password does not lock out the others behind its address.
  const wrong = new Set<string>();
  // Equal simultaneous attempts share one check: a script that sends its password with twenty parallel requests needs
  // one.
  const underway = new Map<string, Promise<boolean>>();

  return async ({ account, user, password, sourceIp }) => {
    const hash = account?.password_hash ?? fakePasswordHash;
    // Includes the hash, so that a changed password is no longer cached.
    const digest = createHmac('sha256', secret)
      .update(JSON.stringify([user, password, hash]))
      .digest('base64');
    for (const [rememberedDigest, until] of remembered) if (until <= now()) remembered.delete(rememberedDigest);
    if (remembered.has(digest)) return true;
    if (wrong.has(digest)) return false;

    const check = async (): Promise<boolean> => {
      // In the meantime the address may have failed in another request, or the gateway may have timed out.
      keepToDelay();
      if (isTooLate()) refuse(1);
      const isRight = (await verify(password, hash)) && account?.password_hash !== undefined;
      if (isRight) {
        // A client that never waits does not reset the failures: others behind the address would guess faster.
        if (!right.has(digest)) failed.forget(sourceIp);
        remembered.set(digest, now() + REMEMBERED_MS);
        learn(right, digest);
      } else {
        failed.add(sourceIp);
        learn(wrong, digest);
      }
      return isRight;
    };
    const keepToDelay = () => {
      const seconds = right.has(digest) ? 0 : failed.secondsToWait(sourceIp);
      if (seconds > 0) refuse(seconds);
    };
    keepToDelay();
    const attempt = JSON.stringify([digest, sourceIp]);
    const running = underway.get(attempt);
    if (running !== undefined) return running;
    const made = inTurn(check).finally(() => underway.delete(attempt));
    underway.set(attempt, made);
    return made;
  };
}
