import { ABSENT, and, isAbove, isAtMost, or, orAbsent, PRESENT } from '../../../shared/db/conditions.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type TransactItem, transact } from '../../../shared/db/transact.ts';
import { accountKey, credentialIdKey, passwordMarkKey } from '../table/keys.ts';
import { bindingChecks } from '../entities/binding-versions.ts';
import type { Actor, BindingVersions } from '../entities/write-context.ts';

/** Thrown by the conditions below; does not leave this file. */
class InvalidCredential extends Error {}

const ended = () => new InvalidCredential();

const keySteps = ({ kind, id }: Actor, provider: string | undefined, now: Date): TransactItem[] => [
  {
    check: credentialIdKey({ kind, provider }, id),
    condition: and(PRESENT, orAbsent(isAbove('expires_at', secondsOf(now)))),
    onConditionFailed: ended,
  },
];

/** A new password ends the jobs that were started with the previous one, and the sessions that it opened. */
const passwordSteps = ({ name }: Actor, since: string): TransactItem[] => [
  {
    check: accountKey(name),
    condition: or(ABSENT, isAtMost('updated_at', since)),
    onConditionFailed: ended,
  },
  {
    check: passwordMarkKey(name),
    condition: or(ABSENT, isAtMost('account_version', since)),
    onConditionFailed: ended,
  },
];

/**
 * Whether the credential that started a job is still valid: the key or session exists and has not expired, and the
 * password and its role bindings are the same. A rotated key is the same key. One transaction of conditions; it returns no items.
 *
 * @param since when the job was started, as RFC 3339.
 * @param provider the identity provider of the log-in that made the credential.
 * @param restsOn the role bindings on which the credential rests.
 */
export async function isStillValid(
  table: Table,
  actor: Actor,
  {
    since,
    now,
    provider,
    restsOn,
  }: { since: string; now: Date; provider?: string | undefined; restsOn?: BindingVersions | undefined },
): Promise<boolean> {
  const steps = [
    ...(actor.kind === 'user' ? [] : keySteps(actor, provider, now)),
    ...(actor.kind === 'api_key' ? [] : passwordSteps(actor, since)),
    ...bindingChecks(restsOn, ended),
  ];
  try {
    await transact(table, steps);
    return true;
  } catch (error) {
    if (error instanceof InvalidCredential) return false;
    throw error;
  }
}
