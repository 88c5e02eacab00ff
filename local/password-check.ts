import { createHmac, randomBytes } from 'node:crypto';
import type { CheckPassword } from '../functions/triggers/authorizer/check-password.ts';
import { fakePasswordHash, verifyPassword } from '../shared/auth/password.ts';
import { isTooLate } from '../shared/http/deadline.ts';
import { ApiError } from '../shared/http/errors.ts';
import { FailedAttempts } from './failed-attempts.ts';

/**
 * Checks at once. Each occupies a thread of libuv's pool, which has four: file reads, compression and name lookups of all other
 * requests use the rest.
 */
export const MAX_RUNNING = 2;

/** Checks that wait for one of those. A ninth is refused at once. */
export const MAX_WAITING = 8;

/** How long a good password is remembered. */
const REMEMBERED_MS = 10_000;

/** What may replace the parts of a check in tests. */
interface Parts {
  verify: (password: string, hash: string) => Promise<boolean>;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

function refuse(seconds: number): never {
  throw new ApiError('resourceExhausted', 'Too many password checks.', { headers: { 'Retry-After': String(seconds) } });
}

/** Lets MAX_RUNNING pieces of work run, MAX_WAITING wait in order of arrival, and refuses the others. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < MAX_RUNNING) running += 1;
    else if (waiting.length >= MAX_WAITING) refuse(1);
    // Whoever ends hands over its place, so that nobody who arrives meanwhile gets it first.
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
 * Verifies passwords against the hashes in the table, within bounds: a check takes a quarter of a second of CPU and 32 MiB. An
 * unknown user name costs the same.
 *
 * @throws ApiError `resourceExhausted` with Retry-After when too many checks wait, or the source address must wait.
 */
export function createPasswordCheck(parts: Partial<Parts> = {}): CheckPassword {
  const { verify = verifyPassword, now = () => performance.now() } = parts;
  const inTurn = createQueue();
  const failed = new FailedAttempts(now);
  // Digests of log-ins, under a key of this process: the text of a password is not kept.
  const secret = randomBytes(32);
  const remembered = new Map<string, number>();
  // Equal attempts at the same time are one check: a script that sends its password with twenty requests at once needs one.
  const underway = new Map<string, Promise<boolean>>();

  return async ({ account, user, password, sourceIp }) => {
    const hash = account?.password_hash ?? fakePasswordHash;
    // With the hash, so that a password is forgotten when it is changed.
    const digest = createHmac('sha256', secret)
      .update(JSON.stringify([user, password, hash]))
      .digest('base64');
    for (const [known, until] of remembered) if (until <= now()) remembered.delete(known);
    if (remembered.has(digest)) return true;

    const check = async (): Promise<boolean> => {
      // The address may have failed elsewhere while this waited, or the gateway may have given up.
      keepToDelay();
      if (isTooLate()) refuse(1);
      const isRight = (await verify(password, hash)) && account?.password_hash !== undefined;
      if (isRight) {
        failed.forget(sourceIp);
        remembered.set(digest, now() + REMEMBERED_MS);
      } else failed.add(sourceIp);
      return isRight;
    };
    const keepToDelay = () => {
      const seconds = failed.secondsToWait(sourceIp);
      if (seconds > 0) refuse(seconds);
    };
    keepToDelay();
    const attempt = JSON.stringify([digest, sourceIp]);
    const known = underway.get(attempt);
    if (known !== undefined) return known;
    const made = inTurn(check).finally(() => underway.delete(attempt));
    underway.set(attempt, made);
    return made;
  };
}
