import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { ranks } from '../../../shared/auth/roles.ts';
import { ABSENT, equals, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { endAfter, timeText } from '../../../shared/core/seconds.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { SESSION_HOURS } from '../../domain/access/session.ts';
import { LOCAL_PROVIDER, MAX_USERS } from '../../domain/access/user.ts';
import type { AccessEventWord } from '../../domain/records/audit-events.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { passwordMarkKey, TTL_ATTRIBUTE, USER_PREFIX, userKey, USERS_PARTITION } from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { additionStep } from '../table/additions.ts';
import { queryCount, queryUpTo, readItem } from '../table/read.ts';
import { deletion } from './api-keys.ts';
import { changeCredentials, type CredentialChange } from './change-credentials.ts';

const userSchema = z.object({
  user_id: z.string(),
  user_name: z.string(),
  /** `local`, or the name of the identity provider. */
  provider: z.string(),
  /** Of a user of a provider: the stable id there. */
  subject: z.optional(z.string()),
  /** Of a user of a provider, the role at the last log-in: it grants nothing, because a session has the roles of bindings. */
  role: openEnum(ranks),
  /** The owners that limit the writes of an Editor. */
  owners: z.optional(z.array(z.string())),
  /**
   * A time that grows with every change of role, password or state. Sessions are valid for the present version only, so
   * each of these changes ends them.
   */
  version: z.string(),
  created_at: z.string(),
  created_by: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  disabled: z.optional(z.literal(true)),
  password_hash: z.optional(z.string()),
  password_set_at: z.optional(z.string()),
  /** The digest of the present invitation, and its end in seconds since 1970. */
  invitation_hash: z.optional(z.string()),
  invitation_expires_at: z.optional(z.int()),
  /** Seconds since 1970. */
  last_login_at: z.optional(z.int()),
});

/** A user beside `admin`, who logs in by `POST /v1/logins`. The id of a local user is the user name. */
export type User = z.output<typeof userSchema>;

/** The id of a user of a provider: a digest of issuer and subject, so that it is the same whatever the name. */
export const providerUserId = (issuer: string, subject: string) =>
  `oidc:${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 40)}`;

/**
 * The role of a user of a provider has an attribute of its own: a log-in writes it, and it is no role of a user with a password.
 */
function toUser(item: Item): User {
  const { provider, role, granted_role: granted = role } = item;
  return z.parse(userSchema, { ...item, role: provider === LOCAL_PROVIDER ? role : granted });
}

const notFoundUser = (id: string) => new ApiError('notFound', `User with ID "${id}" not found.`);

/** The user with this id. One strongly consistent read. */
export async function findUser(table: Table, id: string): Promise<User | undefined> {
  const item = await readItem(table, userKey(id));
  return item === undefined ? undefined : toUser(item);
}

/** The users by id. One query. */
export async function listUsers(table: Table, { size, after }: PageOptions): Promise<Page<User>> {
  const { items, more } = await queryUpTo(table, {
    partition: USERS_PARTITION,
    sort: USER_PREFIX,
    ConsistentRead: true,
    size,
    ExclusiveStartKey: after && userKey(after[0]),
  });
  const users = items.map(toUser);
  const last = users.at(-1)?.user_id;
  return { objects: users, next: more && last !== undefined ? [last, last] : undefined };
}

const subjectOf = ({ user_id: id, user_name: name }: User) => ({ id, name });

/** The version of a change: later than the one before, also when the clock of this function is behind. */
const versionAfter = (previous: string, now: Date) =>
  new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();

/** Lists and jobs read it instead of the user: older sessions have ended. */
const markStep = ({ user_id: id, version }: Pick<User, 'user_id' | 'version'>, more: object = {}): TransactItem => ({
  put: { ...passwordMarkKey(id), user_name: id, account_version: version, ...more },
});

/** Jobs know the name of their user only, which for a user of a provider is not the id. */
const markSteps = (user: Pick<User, 'user_id' | 'user_name' | 'version'>, more: object = {}): TransactItem[] => {
  const { user_id: id, user_name: name } = user;
  return [markStep(user, more), ...(name === id ? [] : [markStep({ ...user, user_id: name }, more)])];
};

/**
 * Adds a user with an invitation.
 *
 * @throws ApiError `alreadyExists`, `resourceExhausted` at the limit; as `changeCredentials`.
 */
export const addUser = (table: Table, user: User, cause: AccessContext): Promise<void> =>
  retryOnContention(table, () => tryToAdd(table, user, cause));

/** One attempt of `addUser`. */
async function tryToAdd(table: Table, user: User, cause: AccessContext, content: Item = user): Promise<void> {
  const { user_id: id, role, owners, invitation_expires_at: end } = user;
  const addition = await additionStep(table, USERS_PARTITION, cause.now);
  if ((await queryCount(table, { partition: USERS_PARTITION }, MAX_USERS)) >= MAX_USERS)
    throw new ApiError('resourceExhausted', `The maximum of ${MAX_USERS} users is reached. Remove one first.`);
  const after = { role, owners, ...(end === undefined ? {} : { invitation_expires_at: timeText(end) }) };
  const steps: TransactItem[] = [
    {
      update: userKey(id),
      set: content,
      condition: ABSENT,
      onConditionFailed: () => new ApiError('alreadyExists', `User with name "${id}" already exists.`),
    },
    addition,
    ...markSteps(user),
    accessStep({ event: 'user.added', subject: subjectOf(user), after }, cause),
  ];
  await changeCredentials(table, steps, cause, { until: Infinity });
}

/** A log-in by a provider knows the user by name only after the provider has confirmed it. */
interface ProviderUser {
  user_id: string;
  user_name: string;
  provider: string;
  subject: string;
  role: User['role'];
}

/**
 * The user of an identity at a provider, added at the first log-in, with the present name and role. One read, and one
 * transaction or write if something changed. Sessions go on: each reads its own role.
 *
 * @throws ApiError `resourceExhausted` at the limit of users.
 */
export async function ensureProviderUser(table: Table, identity: ProviderUser, cause: AccessContext): Promise<User> {
  const { user_id: id, user_name, role } = identity;
  return retryOnContention(table, async () => {
    const stored = await findUser(table, id);
    if (stored === undefined) {
      const time = cause.now.toISOString();
      const { actor } = cause;
      const user: User = { ...identity, version: time, created_at: time, created_by: { ...actor } };
      const { role: granted_role, ...others } = user;
      await tryToAdd(table, user, cause, { ...others, granted_role });
      return user;
    }
    if (stored.user_name === user_name && stored.role === role) return stored;
    const steps: TransactItem[] = [
      {
        update: userKey(id),
        set: { user_name, granted_role: role },
        condition: equals('version', stored.version),
        onConditionFailed: stale,
      },
    ];
    await changeCredentials(table, steps, cause);
    return { ...stored, user_name, role };
  });
}

/** The fields of a user that a change may set; undefined removes a field. */
export type UserFields = Partial<{ [Field in keyof User]: User[Field] | undefined }>;

interface Change {
  event: AccessEventWord;
  /** The properties for the audit. */
  after?: Record<string, unknown>;
  fields: UserFields;
}

/** The steps that change the user, unless another change was faster. All sessions end. */
export function renewSteps(user: User, { event, after, fields }: Change, cause: AccessContext) {
  const version = versionAfter(user.version, cause.now);
  const renewed = z.parse(userSchema, { ...user, ...fields, version });
  const steps: TransactItem[] = [
    {
      // Only what changes: a log-in, and a function that ends sessions, may write no role.
      update: userKey(user.user_id),
      set: { ...fields, version },
      remove: Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [name] : [])),
      condition: equals('version', user.version),
      onConditionFailed: stale,
    },
    ...markSteps(renewed),
    accessStep({ event, subject: subjectOf(user), ...(after === undefined ? {} : { after }) }, cause),
  ];
  return { renewed, steps };
}

/**
 * Changes a user, and ends all sessions of the user. One read, one transaction.
 *
 * @param changeOf computes the change from the user as read; undefined: nothing to do.
 * @throws ApiError `notFound`; as `changeCredentials`.
 */
export async function renewUser(
  table: Table,
  id: string,
  changeOf: (user: User) => Change | undefined,
  cause: AccessContext,
  limits: CredentialChange = {},
): Promise<User> {
  return retryOnContention(table, async () => {
    const user = await findUser(table, id);
    if (user === undefined) throw notFoundUser(id);
    const change = changeOf(user);
    if (change === undefined) return user;
    const { renewed, steps } = renewSteps(user, change, cause);
    await changeCredentials(table, steps, cause, limits);
    return renewed;
  });
}

/**
 * Removes a user. The mark of the sessions stays until the last of them would have expired.
 *
 * @param more steps of the same transaction.
 * @throws ApiError `notFound`; as `changeCredentials`.
 */
export async function removeUser(
  table: Table,
  id: string,
  cause: AccessContext,
  more: readonly TransactItem[],
): Promise<void> {
  await retryOnContention(table, async () => {
    const user = await findUser(table, id);
    if (user === undefined) throw notFoundUser(id);
    const version = versionAfter(user.version, cause.now);
    const end = { [TTL_ATTRIBUTE]: endAfter(cause.now, SESSION_HOURS * 3600) };
    const steps: TransactItem[] = [
      deletion(userKey(id)),
      ...markSteps({ ...user, version }, end),
      accessStep({ event: 'user.removed', subject: subjectOf(user) }, cause),
      ...more,
    ];
    await changeCredentials(table, steps, cause);
  });
}
