import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { ABSENT, equals, isAtMost, isBelow, or, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { logInMethods, MAX_SESSIONS } from '../../domain/access/session.ts';
import { accessStep, type AccessContext } from '../audit/access-events.ts';
import { addedStep, addition, apiKeyItem, apiKeySchema, idItem, toApiKey } from './api-keys.ts';
import { changeCredentials } from './change-credentials.ts';
import {
  renewalKey,
  sessionIdKey,
  sessionItemKey,
  SESSIONS_PARTITION,
  sessionSlotKey,
  sessionsOfUser,
  TTL_ATTRIBUTE,
} from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { readCollection, readItem, readItems } from '../table/read.ts';

/**
 * A session is a key that has the name of its user. It stores the version of the password and the source address. Its
 * slot is no property of it: its items contain the slot by which they are found.
 */
const sessionSchema = z.extend(z.omit(apiKeySchema, { slot: true }), {
  kind: z.literal('session'),
  expires_at: z.int(),
  account_version: z.string(),
  source_ip: z.string(),
  /** How the user logged in; undefined for sessions of older versions. */
  method: z.optional(openEnum(logInMethods)),
  /** Opened by the account `admin` while it is for emergencies. */
  emergency: z.optional(z.literal(true)),
  /** The names of the role bindings that give the role; undefined for sessions without an identity provider. */
  bindings: z.optional(z.array(z.string())),
  /** The name of the device, of a session that a person has approved for it. */
  device: z.optional(z.string()),
});

export type Session = z.output<typeof sessionSchema>;

/** The session in the item of its secret. */
export const toSession = (item: Item): Session => z.parse(sessionSchema, { ...item, ...toApiKey(item) });

/** Whose sessions to list or remove. */
export type SessionsOf = 'everybody' | 'nobody' | { user: string };

/**
 * A slot for an open session of a user; a user has MAX_SESSIONS of them. A session that ends without a write, by its
 * expiry or by a new password, also frees its slot. So no counter exists that could be wrong.
 */
const slotSchema = z.object({
  sk: z.string(),
  user_name: z.string(),
  session_id: z.string(),
  key_hash: z.string(),
  expires_at: z.int(),
  account_version: z.string(),
});

type Slot = z.output<typeof slotSchema>;

/** The time since which a user has the present password: an item of the same partition, written with the account. */
const markSchema = z.object({ user_name: z.string(), account_version: z.string() });

const rowSchema = z.union([slotSchema, markSchema]);

type Row = z.output<typeof rowSchema>;

/** The items of one user, or of all users, in the partition of sessions, in its order. */
async function readRows(table: Table, of: 'everybody' | { user: string }): Promise<Row[]> {
  const items = await readCollection(table, SESSIONS_PARTITION, of === 'everybody' ? '' : sessionsOfUser(of.user));
  return items.map((item) => z.parse(rowSchema, item));
}

/** The item that leads from an id to the items of its session. */
const knownSchema = z.object({
  key_hash: z.string(),
  name: z.string(),
  user_id: z.optional(z.string()),
  expires_at: z.int(),
  slot: z.string(),
  provider: z.optional(z.string()),
  /** Secrets that were renewed and still work. */
  previous: z.optional(z.array(z.looseObject({ key_hash: z.string() }))),
});

/** The user by which the items of a session are found. */
export const userOf = ({ name, user_id: id }: Pick<Session, 'name' | 'user_id'>) => id ?? name;

const slotName = (number: number) => String(number).padStart(2, '0');

const numbers = Array.from({ length: MAX_SESSIONS }, (_, number) => slotName(number));

/** The slots with an open session, for a user with the present password since `accountVersion`. */
function openSlots(rows: readonly Row[], { now, accountVersion }: { now: Date; accountVersion: string }) {
  return rows.filter(
    (row): row is Slot =>
      'session_id' in row && row.expires_at > secondsOf(now) && row.account_version >= accountVersion,
  );
}

/**
 * A random free slot for a new session, so that simultaneous logins rarely conflict.
 *
 * @throws ApiError `resourceExhausted` when the user has the maximum number of open sessions.
 */
async function freeSlot(table: Table, session: Session, now: Date) {
  const { name, account_version: accountVersion } = session;
  const user = userOf(session);
  const rows = await readRows(table, { user });
  const taken = new Set(openSlots(rows, { now, accountVersion }).map(({ sk }) => sk));
  const free = numbers.map((number) => sessionSlotKey(user, number)).filter(({ sk }) => !taken.has(sk));
  const slot = free[Math.floor(Math.random() * free.length)];
  if (slot === undefined)
    throw new ApiError(
      'resourceExhausted',
      `User "${name}" already has ${MAX_SESSIONS} sessions, the maximum. List them with GET /v1/sessions and end one ` +
        'with DELETE /v1/sessions/{session_id}, or wait until one expires.',
    );
  return slot;
}

/**
 * Adds a session, unless the password has changed since it was verified. DynamoDB deletes its items some time after its
 * end. One query, one transaction.
 *
 * @param more steps of the same transaction.
 * @throws ApiError `resourceExhausted`, `unauthenticated`.
 */
export async function addSession(
  table: Table,
  session: Session,
  hash: string,
  cause: AccessContext,
  more: readonly TransactItem[] = [],
): Promise<void> {
  const { key_id: session_id, expires_at, account_version, emergency } = session;
  const ttl = { [TTL_ATTRIBUTE]: expires_at };
  const added = addedStep(session, cause, { emergency });
  await retryOnContention(table, async () => {
    const { now } = cause;
    const slot = await freeSlot(table, session, now);
    const withSlot = { ...session, slot: slot.sk };
    const steps: TransactItem[] = [
      {
        put: { ...slot, user_name: userOf(session), session_id, key_hash: hash, expires_at, account_version, ...ttl },
        condition: or(ABSENT, isAtMost('expires_at', secondsOf(now)), isBelow('account_version', account_version)),
        onConditionFailed: stale,
      },
      addition({ ...apiKeyItem(withSlot, hash), ...ttl }),
      addition({ ...idItem(hash, withSlot), ...ttl }),
      added,
      ...more,
    ];
    await changeCredentials(table, steps, cause);
  });
}

async function findSession(table: Table, id: string): Promise<z.output<typeof knownSchema> | undefined> {
  const item = await readItem(table, sessionIdKey(id));
  return item?.['kind'] === 'session' ? z.parse(knownSchema, item) : undefined;
}

const isAmong = (of: SessionsOf, user: string) => of === 'everybody' || (of !== 'nobody' && of.user === user);

class SessionNotOpen extends Error {}

/**
 * Ends a session. One read, one transaction.
 *
 * @returns false when no session with this id is open, or when it does not belong to `of`.
 */
export async function removeSession(
  table: Table,
  id: string,
  { of, cause, after }: { of: SessionsOf; cause: AccessContext; after?: Record<string, unknown> },
): Promise<boolean> {
  const notOpen = () => new SessionNotOpen();
  const end = async () => {
    const session = await findSession(table, id);
    if (session === undefined || !isAmong(of, userOf(session))) return false;
    const { key_hash: hash, name, slot, expires_at: expiresAt, previous = [], provider } = session;
    if (expiresAt <= secondsOf(cause.now)) return false;
    const steps: TransactItem[] = [
      // Another session can only have taken the slot if this one had ended, because it was older than the password.
      {
        delete: { pk: SESSIONS_PARTITION, sk: slot },
        condition: equals('session_id', id),
        onConditionFailed: notOpen,
      },
      { delete: sessionItemKey(hash), condition: PRESENT, onConditionFailed: notOpen },
      {
        delete: sessionIdKey(id),
        // A renewal in the meantime has made another key, which must end too.
        condition: equals('key_hash', hash),
        onConditionFailed: (item) => (item === undefined ? notOpen() : stale()),
      },
      ...previous.map(({ key_hash: old }) => ({ delete: sessionItemKey(old) })),
      ...(provider === undefined ? [] : [{ delete: renewalKey(id) }]),
      accessStep({ event: 'session.removed', subject: { id, name }, ...(after === undefined ? {} : { after }) }, cause),
    ];
    await changeCredentials(table, steps, cause);
    return true;
  };
  try {
    return await retryOnContention(table, end);
  } catch (error) {
    if (error instanceof SessionNotOpen) return false;
    throw error;
  }
}

/**
 * The time since which each user has the present password, as far as the items say: the latest version of each user.
 */
function passwordTimes(rows: readonly Row[]): Map<string, string> {
  const times = new Map<string, string>();
  for (const { user_name: user, account_version: time } of rows)
    if (time > (times.get(user) ?? '')) times.set(user, time);
  return times;
}

/**
 * The open sessions. One query of all slots, a hundred for each user, and one round of batch reads for the sessions of
 * the page.
 */
export async function listSessions(
  table: Table,
  { of, now }: { of: SessionsOf; now: Date },
  { size, after }: PageOptions,
): Promise<Page<Session>> {
  if (of === 'nobody') return { objects: [], next: undefined };
  const rows = await readRows(table, of);
  const open = [...passwordTimes(rows)].flatMap(([user, accountVersion]) =>
    openSlots(
      rows.filter(({ user_name: name }) => name === user),
      { now, accountVersion },
    ),
  );
  const rest = open.filter(({ sk }) => after === undefined || sk > after[0]);
  const page = rest.slice(0, size);
  const sessionItems = await readItems(
    table,
    page.map(({ key_hash: hash }) => sessionItemKey(hash)),
  );
  // A kind that only a newer version knows is left out.
  const sessions = sessionItems.filter(({ kind }) => kind === 'session').map(toSession);
  const byId = new Map(sessions.map((session) => [session.key_id, session]));
  const last = page.at(-1);
  return {
    // A session that ended between the two reads is left out.
    objects: page.flatMap(({ session_id: id }) => byId.get(id) ?? []),
    next: last !== undefined && page.length < rest.length ? [last.sk, last.session_id] : undefined,
  };
}
