import type { Scope } from './scope.ts';

/** What whoever makes a change has shown: a key, a session, a password, an enrolment token; or it is the service itself. */
export const actorKinds = ['api_key', 'session', 'user', 'enrolment_token', 'system'] as const;

/** Whoever makes a change, as its record says. */
export interface Actor {
  kind: (typeof actorKinds)[number];
  id: string;
  name: string;
}

/** Where a change comes from: who makes it, in which request, and what that one is confined to. */
export interface Origin {
  actor: Actor;
  requestId: string;
  /** The address that the request came from, as the gateway sees it; undefined when there is no request. */
  sourceIp?: string | undefined;
  scope: Scope;
  clock: () => Date;
  /** The latest time of a change that this request found in the table, in milliseconds: its own come after it. */
  latest: number;
}

interface Asked {
  caller: () => { kind: 'api_key' | 'session' | 'user'; keyId: string; name: string; scope?: string | undefined };
  requestId: string;
  sourceIp: string;
}

/** The origin of what a request changes. */
export function originOf({ caller, requestId, sourceIp }: Asked, { clock }: { clock: () => Date }): Origin {
  const { kind, keyId, name, scope } = caller();
  return { actor: { kind, id: keyId, name }, requestId, sourceIp, scope, clock, latest: 0 };
}
