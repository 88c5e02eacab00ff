import { byteOf, part } from './key-parts.ts';
import { TTL_ATTRIBUTE } from './table-key.ts';

// Keys, accounts, secrets --------------------------------------------------------------------------------------------

export const apiKeyItemKey = (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' });
/**
 * The attributes that the use of a key or a session writes. IAM lets the authorizer update no others in these items.
 */
export const useAttributes: readonly string[] = [
  'last_used_at',
  'last_used_from',
  'former_last_used_at',
  'former_last_used_from',
];
export const apiKeyIdKey = (keyId: string) => ({ pk: `KEY_ID#${keyId}`, sk: 'KEY_ID' });
export const API_KEYS_PARTITION = 'API_KEYS';
export const API_KEY_NAME_PREFIX = 'KEY#';
export const apiKeyNameKey = (name: string) => ({ pk: API_KEYS_PARTITION, sk: `${API_KEY_NAME_PREFIX}${name}` });
export const SERVICE_ACCOUNT_PREFIX = 'SERVICE_ACCOUNT#';
export const serviceAccountKey = (id: number) => ({ pk: API_KEYS_PARTITION, sk: `${SERVICE_ACCOUNT_PREFIX}${id}` });
/** The attributes of a count of requests. */
export const rateAttributes: readonly string[] = ['requests', TTL_ATTRIBUTE];
export const rateKey = (keyId: string, minute: number | string) => ({ pk: `RATE#${keyId}#${minute}`, sk: 'RATE' });
export const enrolmentTokenKey = (hash: string) => ({ pk: `ENROLMENT#${hash}`, sk: 'ENROLMENT' });
export const ENROLMENT_TOKENS_PARTITION = 'ENROLMENT_TOKENS';
export const ENROLMENT_TOKEN_PREFIX = 'TOKEN#';
export const enrolmentTokenIdKey = (tokenId: string) => ({
  pk: ENROLMENT_TOKENS_PARTITION,
  sk: `${ENROLMENT_TOKEN_PREFIX}${tokenId}`,
});
const COUNTER = 'COUNTER';
export const apiKeyCounterKey = { pk: API_KEYS_PARTITION, sk: COUNTER } as const;
/**
 * Number of items that count the keys of nodes. DynamoDB refuses concurrent transactions on one item; with 64 of them,
 * 16 enrolments at once rarely meet. Fixed: the item of a key follows from its name.
 */
export const REGISTRAR_COUNTERS = 64;
/** @param name of the key, which it keeps when a repeated enrolment replaces it. */
export function registrarCounterKey(name: string) {
  return { pk: API_KEYS_PARTITION, sk: `${COUNTER}#${byteOf(name) % REGISTRAR_COUNTERS}` };
}
export const SESSIONS_PARTITION = 'SESSIONS';
/** The prefix of the sort keys of all items of a user in the partition of sessions. */
export const sessionsOfUser = (user: string) => `${part(user)}#`;
/** @param number of the slot, two digits. */
export const sessionSlotKey = (user: string, number: string) => ({
  pk: SESSIONS_PARTITION,
  sk: `${sessionsOfUser(user)}${number}`,
});
export const passwordMarkKey = (user: string) => ({ pk: SESSIONS_PARTITION, sk: sessionsOfUser(user) });
export const accountKey = (name: string) => ({ pk: `ACCOUNT#${name}`, sk: 'ACCOUNT' });
export const idempotencyItemKey = (callerId: string, keyHash: string) => ({
  pk: `IDEMPOTENCY#${part(callerId)}#${keyHash}`,
  sk: 'REQUEST',
});
export const reconciliationKey = (id: string) => ({ pk: `RECONCILIATION#${id}`, sk: 'RECONCILIATION' });
export const reconciliationIdOf = (partition: string) => partition.slice(reconciliationKey('').pk.length);
export const reconciliationPartKey = (id: string, number: number) => ({
  pk: reconciliationKey(id).pk,
  sk: `PART#${String(number).padStart(4, '0')}`,
});
/** Named by the first releases, which listed only those that failed. */
export const LISTED_RECONCILIATIONS_PARTITION = 'FAILED_RECONCILIATIONS';
export const listedReconciliationKey = (id: string) => ({ pk: LISTED_RECONCILIATIONS_PARTITION, sk: id });
export const summaryKey = { pk: 'SUMMARY', sk: 'SUMMARY' } as const;
export const pageTokenSecretKey = { pk: 'SECRET#PAGE_TOKEN', sk: 'SECRET' } as const;

/**
 * The format of the items of the table. A release raises it when the release before it cannot read what it writes. A
 * table without a format is older than 1.
 */
export const TABLE_FORMAT = 1;

/** The format of the items of the table (format.ts). */
export const formatKey = { pk: 'FORMAT', sk: 'FORMAT' } as const;

/** Grants nothing. No code reads it. */
export const writeCheckKey = { pk: 'WRITE_CHECK', sk: 'WRITE_CHECK' } as const;

/** Whether the item concerns access, or the table itself, rather than the inventory. A restoration leaves such items. */
export function isAccessItem({ pk }: { pk: string }): boolean {
  return /^(KEY|KEY_ID|API_KEYS|SESSIONS|ACCOUNT|SECRET|ENROLMENT|ENROLMENT_TOKENS|RATE|AUDIT|CHANGE_SHARDS|FORMAT)(#|$)/.test(
    pk,
  );
}

/** Whether the item belongs to an API key or an enrolment token, which a restoration can include. A session does not. */
export function isKeyItem({ pk, kind }: { pk: string; kind?: unknown }): boolean {
  return /^(KEY|KEY_ID|API_KEYS|ENROLMENT|ENROLMENT_TOKENS)(#|$)/.test(pk) && kind !== 'session';
}

/**
 * Items that grant access (keys, the items that lead to them, tokens, accounts) and the audit of access events. Where
 * the table can be written by other means than the service, these are sealed (shared/db/seal.ts).
 */
export function isSealedItem({ pk, sk }: { pk: string; sk: string }): boolean {
  return (
    /^(KEY|KEY_ID|API_KEYS|SESSIONS|ACCOUNT|ENROLMENT|ENROLMENT_TOKENS)(#|$)|^AUDIT#ACCESS$/.test(pk) &&
    !/^COUNTER(#|$)/.test(sk)
  );
}

/**
 * The attributes of sealed items that grant nothing and so may change without a new seal: last use, rate limit, expiry.
 */
export const unsealedAttributes: ReadonlySet<string> = new Set([
  ...useAttributes,
  'rate_limit_per_minute',
  TTL_ATTRIBUTE,
]);
