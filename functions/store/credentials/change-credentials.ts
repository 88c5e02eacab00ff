import { refusalMessages } from '../../../shared/auth/refusal-messages.ts';
import { secondsOf } from '../../../shared/db/seconds.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { type TransactItem, transact } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import type { AccessContext } from '../audit/access-events.ts';
import { accountKey, apiKeyItemKey, nameOfKey } from '../table/keys.ts';
import type { Credential } from '../entities/write-context.ts';

/**
 * The condition under which a credential is valid, as a DynamoDB expression and as a function of an item that was read.
 */
interface Validity {
  key: Key;
  condition: string;
  values: Record<string, unknown>;
  holds: (found: Item) => boolean;
}

/** The error when the caller's credential has ended. */
export const endedCredential = (actor: AccessContext['actor']) =>
  new ApiError('unauthenticated', actor.kind === 'user' ? refusalMessages.password : refusalMessages.invalid);

function validitiesOf({ secret, account }: Credential, nowSeconds: number): Validity[] {
  const validities: Validity[] = [];
  if (secret !== undefined)
    validities.push({
      key: apiKeyItemKey(secret.digest),
      condition: '(key_id = :caller_id AND (attribute_not_exists(expires_at) OR expires_at > :caller_now))',
      values: { ':caller_id': secret.keyId, ':caller_now': nowSeconds },
      holds: ({ key_id: id, expires_at: end }) =>
        id === secret.keyId && (end === undefined || (typeof end === 'number' && end > nowSeconds)),
    });
  if (account !== undefined)
    validities.push({
      key: accountKey(account.name),
      // In the cloud the version is the later one of `updated_at` and of the time at which the secret got its value.
      condition: 'updated_at <= :caller_version',
      values: { ':caller_version': account.version },
      holds: ({ updated_at: since }) => typeof since === 'string' && since <= account.version,
    });
  return validities;
}

interface Conditional {
  ConditionExpression?: string | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

const both = <T extends Conditional>(action: T, { condition, values }: Validity): T => ({
  ...action,
  ConditionExpression:
    action.ConditionExpression === undefined ? condition : `(${action.ConditionExpression}) AND ${condition}`,
  ExpressionAttributeValues: { ...action.ExpressionAttributeValues, ...values },
});

function withCondition(step: TransactItem, validity: Validity, ended: () => ApiError): TransactItem {
  const { onConditionFailed: ownRefusal } = step;
  const refused = (found: Item | undefined) =>
    ownRefusal === undefined || found === undefined || !validity.holds(found) ? ended() : ownRefusal(found);
  if ('Put' in step) return { ...step, Put: both(step.Put, validity), onConditionFailed: refused };
  if ('Update' in step) return { ...step, Update: both(step.Update, validity), onConditionFailed: refused };
  if ('Delete' in step) return { ...step, Delete: both(step.Delete, validity), onConditionFailed: refused };
  return { ...step, ConditionCheck: both(step.ConditionCheck, validity), onConditionFailed: refused };
}

const keyOf = (step: TransactItem): Partial<Record<keyof Key, unknown>> => {
  if ('Put' in step) return step.Put.Item ?? {};
  if ('Update' in step) return step.Update.Key ?? {};
  return ('Delete' in step ? step.Delete.Key : step.ConditionCheck.Key) ?? {};
};

/**
 * A transaction may contain an item only once: if a transact item writes the credential already, the condition is added
 * to it.
 */
function withValidity(
  steps: readonly TransactItem[],
  validity: Validity,
  ended: () => ApiError,
): readonly TransactItem[] {
  const item = nameOfKey(validity.key);
  if (steps.some((step) => nameOfKey(keyOf(step)) === item))
    return steps.map((step) => (nameOfKey(keyOf(step)) === item ? withCondition(step, validity, ended) : step));
  const { key: Key, condition: ConditionExpression, values: ExpressionAttributeValues } = validity;
  return [
    { ConditionCheck: { Key, ConditionExpression, ExpressionAttributeValues }, onConditionFailed: ended },
    ...steps,
  ];
}

function withValidCaller(
  steps: readonly TransactItem[],
  { actor, credential, now }: AccessContext,
): readonly TransactItem[] {
  // The service itself has no credential. An enrolment consumes its token in the same transaction.
  if (actor.kind === 'system' || actor.kind === 'enrolment_token') return steps;
  const ended = () => endedCredential(actor);
  if (credential === undefined) throw ended();
  return validitiesOf(credential, secondsOf(now)).reduce((all, validity) => withValidity(all, validity, ended), steps);
}

/**
 * Adds, changes or removes credentials, on condition that the caller's credential is still valid. The gateway caches
 * replies of the authorizer, so it may have admitted a caller whose key was removed or rotated, or whose password was
 * changed. Every transaction that writes keys, sessions or enrolment tokens uses this function.
 *
 * @throws ApiError `unauthenticated` when the caller's credential has ended; otherwise as `transact`.
 */
export async function changeCredentials(
  table: Table,
  steps: readonly TransactItem[],
  cause: AccessContext,
): Promise<void> {
  await transact(table, withValidCaller(steps, cause));
}
