import * as z from 'zod/mini';
import type { Caller } from '../../../shared/http/caller.ts';
import type { AddressLimits } from '../../domain/fields/address.ts';
import type { Scope } from './key-scope.ts';

/** What whoever makes a change has shown: a key, a session, a password, an enrolment token; or it is the service itself. */
export const actorKinds = ['api_key', 'session', 'user', 'enrolment_token', 'system'] as const;

export const actorSchema = z.object({ kind: z.enum(actorKinds), id: z.string(), name: z.string() });

/** Whoever makes a change, as its record says. */
export type Actor = z.output<typeof actorSchema>;

/** The credential that a caller presented, as the table stores it. */
export interface Credential {
  /** Of a key or a session: the secret. */
  secret?: { digest: string; keyId: string };
  /** Of a user or a session: the version of the account whose password was checked. */
  account?: { name: string; version: string };
}

/** Where a change comes from: who makes it, in which request, and what that one is confined to. */
export interface WriteContext {
  actor: Actor;
  /** Undefined for an enrolment token and for the service itself; never stored. */
  credential?: Credential | undefined;
  requestId: string;
  /** The address that the request came from, as the gateway sees it; undefined when there is no request. */
  sourceIp?: string | undefined;
  scope: Scope;
  /** Which addresses a confined caller may give; undefined for other callers. */
  addresses?: AddressLimits | undefined;
  clock: () => Date;
  /** The latest time of a change that this request found in the table, in milliseconds: its own come after it. */
  minTimestamp: number;
}

interface Asked {
  caller: () => Caller;
  requestId: string;
  sourceIp: string;
}

/** Undefined when the context of the authorizer lacks a part: then the caller changes no credential. */
function credentialOf({ kind, keyId, name, secretDigest, accountVersion }: Caller): Credential | undefined {
  const secret = secretDigest === undefined ? undefined : { digest: secretDigest, keyId };
  const account = accountVersion === undefined ? undefined : { name, version: accountVersion };
  if (kind === 'api_key') return secret && { secret };
  if (kind === 'user') return account && { account };
  return secret && account && { secret, account };
}

/** The origin of what a request changes. */
export function writeContextOf({ caller, requestId, sourceIp }: Asked, { clock }: { clock: () => Date }): WriteContext {
  const presented = caller();
  const { kind, keyId, name, scope, allowedAddresses = '' } = presented;
  const actor = { kind, id: keyId, name };
  const allowed = allowedAddresses.split(' ').filter((entry) => entry !== '');
  const addresses = scope === undefined ? undefined : { source: sourceIp, allowed };
  return { actor, credential: credentialOf(presented), requestId, sourceIp, scope, addresses, clock, minTimestamp: 0 };
}
