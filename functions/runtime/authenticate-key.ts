import { roles } from '../../shared/auth/roles.ts';
import { hashApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { inTime } from '../../shared/core/deadline.ts';
import { faultOf } from '../../shared/core/errors.ts';
import { describeError } from '../../shared/core/log.ts';
import { secondsOf } from '../../shared/core/seconds.ts';
import type { Caller } from '../contract/caller.ts';
import { SESSION_HOURS } from '../domain/access/session.ts';
import { PROGRAM_KEY_SECONDS } from '../domain/fields/identity-providers.ts';
import { isUseWorthRecording, recordFirstUse, recordUse } from '../store/credentials/api-key-use.ts';
import { isOfLogIn, OF_LOG_IN } from '../store/table/keys.ts';
import { type ApiKey, findApiKey, findSecret } from '../store/credentials/api-keys.ts';
import { findNewestSecret } from '../store/credentials/newest-secret.ts';
import { countUse } from '../store/credentials/use-counts.ts';
import { areBindingsUnchanged } from '../store/entities/binding-versions.ts';
import type { Dependencies } from './dependencies.ts';
import type { RefusedCredential } from './refused-credential.ts';

/** Enough for a successful write. The use of a key is not essential, so the caller does not wait longer. */
const RECORD_USE_MS = 1000;

/** Clocks of functions differ: the one that logged the caller in can be ahead. */
const CLOCK_SKEW_SECONDS = 60;

/**
 * The latest end of a credential that a log-in has made, in seconds from now. A log-in is open to anybody: a session or key that
 * it writes ends, also if it is taken over.
 */
const longest = ({ kind }: ApiKey): number =>
  (kind === 'session' ? SESSION_HOURS * 3600 : PROGRAM_KEY_SECONDS.most) + CLOCK_SKEW_SECONDS;

/** The caller, or the reason why the key is refused. */
export type KeyOutcome = { caller: Caller } | RefusedCredential;

/**
 * Identifies the caller by the text of a key or a session key, and records the use of the key.
 *
 * @param presented `reports`: the request is a report, which the heartbeat records as a use of the key of its host.
 * @param hasPassword whether a session is of the present password of its user.
 * @throws ApiError `unavailable` when a first use that counts cannot be recorded.
 */
export async function authenticateKey(
  { text, sourceIp, reports = false }: { text: string; sourceIp: string; reports?: boolean },
  { table, clock, log }: Dependencies,
  hasPassword: (session: ApiKey) => Promise<boolean>,
): Promise<KeyOutcome> {
  const hash = hashApiKeySecret(text);
  // API keys first: they make most of the requests.
  const key = (await findApiKey(table, hash)) ?? (await findSecret(table, OF_LOG_IN, hash));
  // A role of a newer version permits nothing here.
  if (key === undefined || !roles.includes(key.role)) return { refusal: 'invalid' };
  const time = clock();
  const now = secondsOf(time);
  if (isOfLogIn(key) && (key.expires_at ?? Infinity) > now + longest(key)) return { refusal: 'invalid' };
  const subject = { kind: key.kind, id: key.key_id, name: key.name };
  const expired = { refusal: 'expired', subject } as const;
  if (key.expires_at !== undefined && key.expires_at <= now) return expired;
  if (key.disabled === true) return { refusal: 'disabled', subject };
  const { rests_on: restsOn } = key;
  const [newest, isOpen, isBound] = await Promise.all([
    findNewestSecret(table, key, hash),
    key.kind === 'api_key' || hasPassword(key),
    restsOn === undefined || areBindingsUnchanged(table, restsOn),
  ]);
  if (!isOpen || !isBound) return expired;
  if (newest === undefined) return { refusal: 'invalid' };
  // The heartbeat has the report of a host with its own key; its use is written once a day.
  if (!reports || key.node_id === undefined) countUse(table, key, time);
  const use = { key, hash, newest: newest.hash, nowSeconds: now, sourceIp };
  const { end: keyEndsAt } = newest;
  if (key.first_use_counts === true && key.last_used_at === undefined) {
    if (!(await recordFirstUse(table, use))) return { refusal: 'invalid' };
  } else if (isUseWorthRecording(key, now, reports))
    // A failure to record the use is no reason to refuse the caller.
    await inTime(table, RECORD_USE_MS, () => recordUse(table, use)).catch((error: unknown) =>
      log({ level: 'error', message: 'last use was not recorded', fault: faultOf(error), cause: describeError(error) }),
    );
  const { kind, key_id: keyId, name, role, expires_at: expiresAt, node_id: scope, rate_limit_per_minute: rate } = key;
  const { allowed_addresses: addresses, owners, rate_group: rateGroup } = key;
  const { account_version: version, user_id: userId, provider } = key;
  return {
    caller: {
      kind,
      keyId,
      name,
      role,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(keyEndsAt === undefined ? {} : { keyEndsAt }),
      ...(scope === undefined ? {} : { scope }),
      ...(addresses === undefined ? {} : { allowedAddresses: addresses.join(' ') }),
      ...(owners === undefined ? {} : { owners }),
      ...(rate === undefined ? {} : { ratePerMinute: rate }),
      ...(rateGroup === undefined ? {} : { rateGroup }),
      secretDigest: hash,
      ...(version === undefined ? {} : { accountVersion: version }),
      ...(userId === undefined ? {} : { userId }),
      ...(provider === undefined ? {} : { provider }),
      ...(restsOn === undefined ? {} : { restsOn }),
    },
  };
}
