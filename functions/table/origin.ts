import type { Caller } from '../../shared/http/caller.ts';
import type { Scope } from './scope.ts';

/** What whoever makes a change has shown: a key, a session, a password, an enrolment token; or it is the service itself. */
export const actorKinds = ['api_key', 'session', 'user', 'enrolment_token', 'system'] as const;

/** Whoever makes a change, as its record says. */
export interface Actor {
  kind: (typeof actorKinds)[number];
  id: string;
  name: string;
}

/** The credential that a caller presented, as the table stores it: a secret of a key or session, or a version of an account. */
export type Credential =
  { kind: 'secret'; digest: string; keyId: string } | { kind: 'account'; name: string; version: string };

/** Where a change comes from: who makes it, in which request, and what that one is confined to. */
export interface Origin {
  actor: Actor;
  /** Undefined for an enrolment token and for the service itself; never stored. */
  credential?: Credential | undefined;
  requestId: string;
  scope: Scope;
  clock: () => Date;
  /** The latest time of a change that this request found in the table, in milliseconds: its own come after it. */
  latest: number;
}

interface Asked {
  caller: () => Caller;
  requestId: string;
}

function credentialOf({ keyId, name, secretDigest, accountVersion }: Caller): Credential | undefined {
  if (secretDigest !== undefined) return { kind: 'secret', digest: secretDigest, keyId };
  return accountVersion === undefined ? undefined : { kind: 'account', name, version: accountVersion };
}

/** The origin of what a request changes. */
export function originOf({ caller, requestId }: Asked, { clock }: { clock: () => Date }): Origin {
  const presented = caller();
  const { kind, keyId, name, scope } = presented;
  const actor = { kind, id: keyId, name };
  return { actor, credential: credentialOf(presented), requestId, scope, clock, latest: 0 };
}
