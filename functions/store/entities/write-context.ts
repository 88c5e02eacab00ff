import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import type { Caller } from '../../contract/caller.ts';
import { DEFAULT_OWNER_LABEL } from '../../domain/fields/owner-label.ts';
import type { AddressLimits } from '../../domain/fields/address.ts';
import type { HostKey } from './key-use.ts';
import type { Scope } from './key-scope.ts';
import type { OwnerLimit } from '../../domain/access/owned-objects.ts';

/** The kinds of credentials by which a change is made; `system` is the service itself. */
export const actorKinds = ['api_key', 'session', 'user', 'enrolment_token', 'system'] as const;

export const actorSchema = z.object({ kind: openEnum(actorKinds), id: z.string(), name: z.string() });

/** The actor of a change, as its record contains it. */
export type Actor = z.output<typeof actorSchema>;

/**
 * The role bindings on which a credential rests: their names, each with its version. The credential ends with the first
 * of them that is removed or narrowed.
 */
export type BindingVersions = Readonly<Record<string, string>>;

/** The credential of the caller, as the table stores it. */
export interface Credential {
  /** Of a key or a session; `provider` is that of a log-in. */
  secret?: { digest: string; keyId: string; provider?: string | undefined };
  /** Of a user or a session: the version of the account whose password was checked. */
  account?: { name: string; version: string };
  /** Of a session of another user than `admin`: the version of the user with which it was opened. */
  user?: { id: string; version: string };
  /** Of a key or a session whose role follows from role bindings. */
  bindings?: BindingVersions;
}

/** The context of a write: its actor, its request, and the limits of the caller. */
export interface WriteContext {
  actor: Actor;
  /** Undefined for an enrolment token and for the service itself. Never stored. */
  credential?: Credential | undefined;
  requestId: string;
  /** The source address of the request, as the gateway saw it; undefined without a request. */
  sourceIp?: string | undefined;
  scope: Scope;
  /** The owners to which the writes of the caller are limited; undefined: no limit. A job has the limit of its caller. */
  limit: OwnerLimit | undefined;
  /** The owner label of the deployment; default: `team`. */
  ownerLabel?: string | undefined;
  /** The addresses that a confined caller may give; undefined for other callers. */
  addresses?: AddressLimits | undefined;
  /**
   * The time of the request, or of one transaction of a long job: the same in everything that it writes, except the times
   * of changes.
   */
  now: Date;
  /** For the times of changes, which are those of the attempt (see transact-items.ts), and for long jobs. */
  clock: () => Date;
  /**
   * The latest time of a change that this request found in the table, in milliseconds; its own changes get a later
   * time.
   */
  minTimestamp: number;
}

/**
 * The write context of the service itself, or of a job that continues without its caller. No caller that is confined to a
 * node begins a job, but one with owners does: the job has its limit.
 */
export function jobContext(
  by: Pick<WriteContext, 'actor' | 'requestId' | 'limit' | 'ownerLabel'>,
  clock: () => Date,
): WriteContext {
  return { ...by, scope: undefined, now: clock(), clock, minTimestamp: 0 };
}

/** The context of the next transaction of a long job, with a time of its own. */
export const atPresent = (writeContext: WriteContext): WriteContext => ({ ...writeContext, now: writeContext.clock() });

interface RequestContext {
  caller: () => Caller;
  requestId: string;
  sourceIp: string;
}

/**
 * Undefined when the authorizer's context lacks a part of the credential. Then the caller cannot change credentials.
 */
function credentialOf({
  kind,
  keyId,
  name,
  secretDigest,
  accountVersion,
  userId,
  provider,
  restsOn,
}: Caller): Credential | undefined {
  const secret = secretDigest === undefined ? undefined : { digest: secretDigest, keyId, provider };
  const bindings = restsOn === undefined ? {} : { bindings: restsOn };
  if (userId !== undefined)
    return secret && accountVersion !== undefined
      ? { secret, user: { id: userId, version: accountVersion }, ...bindings }
      : undefined;
  const account = accountVersion === undefined ? undefined : { name, version: accountVersion };
  if (kind === 'api_key') return secret && { secret, ...bindings };
  if (kind === 'user') return account && { account };
  return secret && account && { secret, account };
}

/** The limit of a caller with owners. @param ownerLabel default: `team`. */
export const limitOf = (
  { owners }: Pick<Caller, 'owners'>,
  { ownerLabel = DEFAULT_OWNER_LABEL }: { ownerLabel?: string | undefined },
): OwnerLimit | undefined => owners && { label: ownerLabel, owners };

/** The limits of a caller that reports for hosts: a host reports for its node, whatever the owner of the node is. */
export const reportLimits = (caller: Pick<Caller, 'scope' | 'owners'>, label: Parameters<typeof limitOf>[1]) => ({
  scope: caller.scope,
  limit: caller.scope === undefined ? limitOf(caller, label) : undefined,
});

/** The key of a host that reports with it; undefined for any other caller. */
function hostKeyOf({ scope, secretDigest }: Caller, sourceIp: string): HostKey | undefined {
  return scope === undefined || secretDigest === undefined ? undefined : { secretDigest, sourceIp };
}

export const reporterOf = (
  { caller, sourceIp }: Pick<RequestContext, 'caller' | 'sourceIp'>,
  label: Parameters<typeof limitOf>[1],
) => ({ ...reportLimits(caller(), label), hostKey: hostKeyOf(caller(), sourceIp) });

export function writeContextOf(
  { caller, requestId, sourceIp }: RequestContext,
  { clock, ownerLabel }: { clock: () => Date; ownerLabel?: string | undefined },
): WriteContext {
  const presented = caller();
  const { kind, keyId, name, scope, allowedAddresses = '' } = presented;
  const actor = { kind, id: keyId, name };
  const allowed = allowedAddresses.split(' ').filter((entry) => entry !== '');
  const addresses = scope === undefined ? undefined : { source: sourceIp, allowed };
  return {
    ...jobContext({ actor, requestId, limit: limitOf(presented, { ownerLabel }), ownerLabel }, clock),
    credential: credentialOf(presented),
    sourceIp,
    scope,
    addresses,
  };
}
