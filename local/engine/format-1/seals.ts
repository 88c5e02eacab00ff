import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Item } from '../../../shared/db/item.ts';
import { StartFailure } from '../../process/failure.ts';

/*
 * Until format 1 of the data folder, the engine was another process, which let every user of the machine write. Items that
 * grant access had a seal: an HMAC with the key in this file.
 */

const SECRET_BYTES = 32;

/**
 * The key of the seals; undefined if there is none: then the items are trusted, as they were.
 *
 * @throws StartFailure for a damaged file.
 */
export function readSealKey(file: string): KeyObject | undefined {
  if (!existsSync(file)) return undefined;
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (secret.length === SECRET_BYTES) return createSecretKey(secret);
  throw new StartFailure(
    `${file} is damaged. Restore it from a backup. Without a backup, remove the file: then the service trusts the current content of the table.`,
  );
}

/** The attribute with the seal. */
export const SEAL = 'seal';

const sealedPartitions =
  /^(?:(?:KEY|KEY_ID|ACCOUNT|PROVIDER|LOGIN|DEVICE|USER_CODE|ENROLMENT)#|(?:API_KEYS|SESSIONS|USERS|ROLE_BINDINGS|ENROLMENT_TOKENS|AUDIT#ACCESS)$)/;

const counters = /^COUNTER(?:#|$)/;

const isSealed = ({ pk, sk }: Item) => sealedPartitions.test(String(pk)) && !counters.test(String(sk));

/** Attributes that grant nothing and changed by updates. */
const unsealed: readonly string[] = [
  ...['last_used_at', 'last_used_from', 'former_last_used_at', 'former_last_used_from', 'uses', 'former_uses'],
  ...['last_login_at', 'rate_limit_per_minute', 'ttl'],
];

/** The same string for equal values. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(',')}}`;
}

/** The seal of an item. */
export function sealOf(item: Item, key: KeyObject): string {
  const covered = Object.entries(item).filter(([name]) => name !== SEAL && !unsealed.includes(name));
  return createHmac('sha256', key)
    .update(canonical(Object.fromEntries(covered)))
    .digest('base64url');
}

/** The item without its seal; undefined for one that grants access and was not written by the service. */
export function genuine(item: Item, key: KeyObject | undefined): Item | undefined {
  if (!isSealed(item)) return item;
  const { [SEAL]: claimed, ...rest } = item;
  if (key === undefined) return rest;
  const [seal, expected] = [claimed, sealOf(item, key)].map((text) => Buffer.from(String(text)));
  return seal?.length === expected?.length && seal && expected && timingSafeEqual(seal, expected) ? rest : undefined;
}
