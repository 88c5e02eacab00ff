import type { Key } from '../../../shared/db/item.ts';
import { items } from './items.ts';
import { byteOf, keyFrom, prefixFrom, textFrom } from './key-parts.ts';
import { TTL_ATTRIBUTE } from './table-key.ts';

// Keys, accounts, secrets --------------------------------------------------------------------------------------------

export const apiKeyItemKey = keyFrom(items.key);
/**
 * The attributes that the use of a key or a session writes. IAM lets the authorizer update no others in these items.
 */
export const useAttributes: readonly string[] = [
  'last_used_at',
  'last_used_from',
  'former_last_used_at',
  'former_last_used_from',
  'uses',
  'former_uses',
];
export const apiKeyIdKey = keyFrom(items.keyId);
export const sessionItemKey = keyFrom(items.session);
export const sessionIdKey = keyFrom(items.sessionId);

/** The part of a credential that tells how it was made. */
export interface Origin {
  kind: string;
  /** The identity provider of a session or of the key of a program. */
  provider?: string | undefined;
}

/**
 * Whether a log-in has made it: a session, or the key of a program. Such a credential has items in partitions of its own, which
 * are the only ones that the function for log-ins may write.
 */
export const isOfLogIn = ({ kind, provider }: Origin) => kind === 'session' || provider !== undefined;

/** The origin of sessions and keys of programs. */
export const OF_LOG_IN: Origin = { kind: 'session' };

/** The key of the item of a secret. */
export const secretItemKey = (of: Origin, hash: string): Key =>
  isOfLogIn(of) ? sessionItemKey(hash) : apiKeyItemKey(hash);

/** The key of the item by id. */
export const credentialIdKey = (of: Origin, id: string): Key => (isOfLogIn(of) ? sessionIdKey(id) : apiKeyIdKey(id));

export const API_KEYS_PARTITION = items.keyName.pk;
export const API_KEY_NAME_PREFIX = prefixFrom(items.keyName.sk);
export const apiKeyNameKey = keyFrom(items.keyName);
export const SERVICE_ACCOUNT_PREFIX = prefixFrom(items.serviceAccount.sk);
export const serviceAccountKey = keyFrom(items.serviceAccount);
/** The attributes of a count of requests. */
export const rateAttributes: readonly string[] = ['requests', TTL_ATTRIBUTE];
export const rateKey = keyFrom(items.rate);
export const enrolmentTokenKey = keyFrom(items.token);
export const ENROLMENT_TOKENS_PARTITION = items.tokenId.pk;
export const ENROLMENT_TOKEN_PREFIX = prefixFrom(items.tokenId.sk);
export const enrolmentTokenIdKey = keyFrom(items.tokenId);
export const apiKeyCounterKey = keyFrom(items.keyCounter)();
/**
 * Number of items that count the keys of nodes. DynamoDB refuses concurrent transactions on one item; with 64 of them,
 * 16 enrolments at once rarely meet. Fixed: the item of a key follows from its name.
 */
export const REGISTRAR_COUNTERS = 64;
const registrarCounter = keyFrom(items.registrarCounter);
/** @param name of the key, which it keeps when a repeated enrolment replaces it. */
export const registrarCounterKey = (name: string) => registrarCounter(byteOf(name) % REGISTRAR_COUNTERS);
export const SESSIONS_PARTITION = items.sessionSlot.pk;
/** The prefix of the sort keys of all items of a user in the partition of sessions. */
export const sessionsOfUser = textFrom(items.passwordMark.sk);
/** The number of the slot has two digits. */
export const sessionSlotKey = keyFrom(items.sessionSlot);
export const passwordMarkKey = keyFrom(items.passwordMark);
export const accountKey = keyFrom(items.account);
export const USERS_PARTITION = items.user.pk;
export const USER_PREFIX = prefixFrom(items.user.sk);
export const userKey = keyFrom(items.user);
/**
 * The attributes of a user that a log-in writes. IAM lets it write no others: not the role, the owners or `disabled` of a user
 * with a password.
 */
export const logInAttributes: readonly string[] = [
  ...['user_id', 'user_name', 'provider', 'subject', 'granted_role', 'version', 'created_at', 'created_by'],
  ...['password_hash', 'password_set_at', 'invitation_hash', 'invitation_expires_at', 'last_login_at'],
];
export const renewalKey = keyFrom(items.renewal);
export const providerKey = keyFrom(items.provider);
export const providerSessionKey = keyFrom(items.providerSession);
export const PROVIDER_SESSION_PREFIX = prefixFrom(items.providerSession.sk);
export const providerLogOutKey = keyFrom(items.providerLogOut);
export const usedProofKey = keyFrom(items.usedProof);
export const deviceKey = keyFrom(items.device);
export const userCodeKey = keyFrom(items.userCode);
export const ROLE_BINDINGS_PARTITION = items.roleBinding.pk;
export const ROLE_BINDING_PREFIX = prefixFrom(items.roleBinding.sk);
export const roleBindingKey = keyFrom(items.roleBinding);
export const idempotencyItemKey = keyFrom(items.request);
export const reconciliationKey = keyFrom(items.reconciliation);
export const reconciliationIdOf = (partition: string) => partition.slice(prefixFrom(items.reconciliation.pk).length);
const partKey = keyFrom(items.reconciliationPart);
export const reconciliationPartKey = (id: string, number: number) => partKey(id, String(number).padStart(4, '0'));
export const LISTED_RECONCILIATIONS_PARTITION = items.listedReconciliation.pk;
export const listedReconciliationKey = keyFrom(items.listedReconciliation);
export const collectorSessionKey = keyFrom(items.collectorSession);
export const SILENCES_PARTITION = items.silence.pk;
export const silenceKey = keyFrom(items.silence);
export const savedFiltersOf = textFrom(items.savedFilter.pk);
export const savedFilterKey = keyFrom(items.savedFilter);
export const FILTER_PREFIX = prefixFrom(items.savedFilter.sk);
export const pinKey = keyFrom(items.pin);
export const additionsKey = keyFrom(items.additions);
export const PIN_PREFIX = prefixFrom(items.pin.sk);
export const summaryKey = keyFrom(items.summary)();
export const pageTokenSecretKey = keyFrom(items.pageTokenSecret)();

/**
 * The format of the items of the table. A release raises it when the release before it cannot read what it writes
 * (tests/last-release.long.test.ts). A table without a format is older than 1. Format 2: words that readers of format 1
 * fail on, such as the type `otel_collector`; readers of 2 show or skip later ones.
 */
export const TABLE_FORMAT = 2;

export const formatKey = keyFrom(items.format)();
export const writeCheckKey = keyFrom(items.writeCheck)();
