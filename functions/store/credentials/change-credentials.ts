import { isDeepStrictEqual } from 'node:util';
import { refusalMessages } from '../../../shared/auth/refusal-messages.ts';
import { secondsOf, timeText } from '../../../shared/core/seconds.ts';
import {
  absent,
  and,
  type Condition,
  equals,
  isAbove,
  isAtLeast,
  isAtMost,
  or,
} from '../../../shared/db/conditions.ts';
import { targetOf } from '../../../shared/db/item-writes.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { type TransactItem, transact } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { SupersededSecret } from '../../contract/refusal.ts';
import type { AccessContext } from '../audit/access-events.ts';
import { accountKey, nameOfKey, roleBindingKey, secretItemKey, userKey } from '../table/keys.ts';
import { hasVersion } from '../entities/binding-versions.ts';
import type { BindingVersions, Credential } from '../entities/write-context.ts';

/** The effect of a change of credentials, as far as the credential of its caller limits it. */
export interface CredentialChange {
  /**
   * When the last secret that it makes ends, in seconds since 1970; Infinity: never. A token counts with the key that it
   * is exchanged for. Undefined: it makes none.
   */
  until?: number;
  /** Open to a superseded secret: nothing that grants access, or a rotation that checks the secret itself. */
  isOpenToSuperseded?: boolean;
}

/** Of a change on condition of the credential of its caller that grants nothing: a silence, a saved filter. */
export const NO_CREDENTIAL: CredentialChange = { isOpenToSuperseded: true };

/** The condition under which a credential may make the change, also as a function of an item that was read. */
interface Validity {
  key: Key;
  condition: Condition;
  /** Why the credential in this item may not make the change; undefined when it may. */
  refusal: (item: Item) => ApiError | undefined;
}

/** The error when the caller's credential has ended. */
export const endedCredential = (actor: AccessContext['actor']) =>
  new ApiError('unauthenticated', actor.kind === 'user' ? refusalMessages.password : refusalMessages.invalid);

const outlives = (end: number) =>
  new ApiError(
    'permissionDenied',
    `Access denied: this API key expires at ${timeText(end)}, so it cannot make a key, secret or token for a longer time.`,
  );

/** The gateway cached the owners of the caller before they were narrowed. */
const narrowed = () =>
  new ApiError('permissionDenied', 'Access denied: the owners of this key have changed. Try again in five minutes.');

/**
 * Of a key, only the newest secret changes credentials, because a superseded one may be stolen; and a key with an end
 * makes nothing that ends later. A session has an end too, but its user can open another one.
 */
function keyValidity(
  { digest, keyId, provider }: NonNullable<Credential['secret']>,
  { actor, now, limit }: AccessContext,
  { until = 0, isOpenToSuperseded = false }: CredentialChange,
): Validity {
  const nowSeconds = secondsOf(now);
  const least = actor.kind === 'api_key' ? until : 0;
  const hasEnd = and(isAbove('expires_at', nowSeconds), isAtLeast('expires_at', least));
  return {
    key: secretItemKey({ kind: actor.kind, provider }, digest),
    condition: and(
      equals('key_id', keyId),
      least === Infinity ? absent('expires_at') : or(absent('expires_at'), hasEnd),
      ...(isOpenToSuperseded ? [] : [absent('superseded')]),
      ...(limit === undefined ? [] : [equals('owners', limit.owners)]),
    ),
    refusal: ({ key_id: id, expires_at: end = Infinity, superseded, owners }) => {
      if (id !== keyId || typeof end !== 'number' || end <= nowSeconds) return endedCredential(actor);
      if (superseded === true && !isOpenToSuperseded) return new SupersededSecret();
      if (limit !== undefined && !isDeepStrictEqual(owners, limit.owners)) return narrowed();
      return end < least ? outlives(end) : undefined;
    },
  };
}

/** A user whose version was raised (another role, disabled, another password) has ended the credentials of before. */
const userValidity = ({ id, version }: NonNullable<Credential['user']>, { actor }: AccessContext): Validity => ({
  key: userKey(id),
  condition: equals('version', version),
  refusal: ({ version: present, disabled }) =>
    present === version && disabled !== true ? undefined : endedCredential(actor),
});

/** A binding that was removed or narrowed has ended the credentials that rest on it. */
const bindingValidities = (versions: BindingVersions, { actor }: AccessContext): Validity[] =>
  Object.entries(versions).map(([name, version]) => ({
    key: roleBindingKey(name),
    condition: hasVersion(version),
    refusal: ({ created_at: created, version: present = created }) =>
      present === version ? undefined : endedCredential(actor),
  }));

function validitiesOf(
  { secret, account, user, bindings = {} }: Credential,
  cause: AccessContext,
  change: CredentialChange,
): Validity[] {
  const validities = secret === undefined ? [] : [keyValidity(secret, cause, change)];
  validities.push(...bindingValidities(bindings, cause));
  if (user !== undefined) validities.push(userValidity(user, cause));
  if (account !== undefined)
    validities.push({
      key: accountKey(account.name),
      // In the cloud the version is the later one of `updated_at` and of the time at which the secret got its value.
      condition: isAtMost('updated_at', account.version),
      refusal: ({ updated_at: since }) =>
        typeof since === 'string' && since <= account.version ? undefined : endedCredential(cause.actor),
    });
  return validities;
}

function withCondition(step: TransactItem, { condition, refusal }: Validity, ended: () => ApiError): TransactItem {
  const { condition: ownCondition, onConditionFailed: ownRefusal = ended } = step;
  return {
    ...step,
    condition: ownCondition === undefined ? condition : and(ownCondition, condition),
    onConditionFailed: (item) => (item === undefined ? ended() : (refusal(item) ?? ownRefusal(item))),
  };
}

/**
 * A transaction may contain an item only once: if a transact item writes the credential already, the condition is added
 * to it.
 */
function withValidity(
  steps: readonly TransactItem[],
  validity: Validity,
  ended: () => ApiError,
): readonly TransactItem[] {
  const { key, condition } = validity;
  const isCredential = (step: TransactItem) => nameOfKey(targetOf(step)) === nameOfKey(key);
  if (steps.some(isCredential))
    return steps.map((step) => (isCredential(step) ? withCondition(step, validity, ended) : step));
  return [withCondition({ check: key, condition }, validity, ended), ...steps];
}

function withValidCaller(
  steps: readonly TransactItem[],
  cause: AccessContext,
  change: CredentialChange,
): readonly TransactItem[] {
  const { actor, credential } = cause;
  // The service itself has no credential. An enrolment consumes its token in the same transaction.
  if (actor.kind === 'system' || actor.kind === 'enrolment_token') return steps;
  const ended = () => endedCredential(actor);
  if (credential === undefined) throw ended();
  return validitiesOf(credential, cause, change).reduce((all, validity) => withValidity(all, validity, ended), steps);
}

/**
 * Adds, changes or removes credentials, on condition that the caller's credential is still valid and may do so. The
 * gateway caches replies of the authorizer, so it may have admitted a caller whose key was removed or rotated, or whose
 * password was changed. Every transaction that writes keys, sessions or enrolment tokens uses this function.
 *
 * @throws ApiError `unauthenticated` when the caller's credential has ended; SupersededSecret; `permissionDenied` when the
 *   change makes a secret that ends later than the caller's key; otherwise as `transact`.
 */
export async function changeCredentials(
  table: Table,
  steps: readonly TransactItem[],
  cause: AccessContext,
  change: CredentialChange = {},
): Promise<void> {
  await transact(table, withValidCaller(steps, cause, change));
}
