import type { CallerKind } from '../../functions/contract/caller.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { isRank, type Role, roleAllows } from '../../shared/auth/roles.ts';

/** What the permissions of a credential depend on. */
export interface Holder {
  /** How the caller is authenticated; `none`: no credential. */
  caller: CallerKind | 'none';
  role: Role | 'none';
  owners?: readonly string[];
  /** The key has an end. */
  ends?: true;
  /** The secret was superseded, and works until the end of its overlap. */
  superseded?: true;
  /** The key is that of a program, of a log-in with a token. */
  program?: true;
  /** The session is that of a device. */
  device?: true;
}

/** Permissions that are narrower than the contracts, which know no more than roles and kinds of callers. */
const exceptions: readonly {
  operations: (endpoint: Endpoint) => boolean;
  of: (holder: Holder) => boolean;
  reason: string;
}[] = [
  {
    operations: ({ id }) => id === 'answerDevice',
    of: ({ device }) => device === true,
    reason: 'The session of a device answers no other device: access would not end with the log-in.',
  },
  {
    operations: ({ id }) => id === 'rotateOwnApiKey',
    of: ({ program }) => program === true,
    reason: 'The key of a program ends after some minutes: the program logs in again with a new token.',
  },
  {
    operations: ({ id }) => id === 'endSession',
    of: ({ caller, role }) => caller === 'api_key' && role !== 'Admin',
    reason: 'A caller that is no Admin ends only its own sessions, and a key has none.',
  },
  {
    operations: ({ accessEvents = [] }) =>
      accessEvents.some((event) => /^(user\.(added|changed|invited)|role_binding\.(added|changed))$/.test(event)),
    of: ({ caller, ends }) => caller === 'api_key' && ends === true,
    reason: 'A key with an end makes nothing that ends later, and users and role bindings have no end.',
  },
  {
    operations: ({ id, role, accessEvents = [] }) =>
      role !== 'none' &&
      id !== 'rotateOwnApiKey' &&
      accessEvents.some((event) => !/^(silence|saved_filter)\./.test(event)),
    of: ({ superseded }) => superseded === true,
    reason: 'A superseded secret may be stolen: it changes no credential. It repeats a rotation whose reply was lost.',
  },
];

/** Whether the contract of an endpoint opens it to a credential: stated again, beside the admission that it checks. */
function isOpenTo(endpoint: Endpoint, { caller, role, owners }: Holder): boolean {
  if (endpoint.role === 'none') return true;
  if (caller === 'none' || role === 'none' || endpoint.callers?.includes(caller) === false) return false;
  if (owners !== undefined && role === 'Editor' && (endpoint.limit === 'refused' || endpoint.team === true))
    return endpoint.limit !== 'refused';
  if (isRank(role)) return roleAllows(role, endpoint.lowerRole?.role ?? endpoint.role);
  return { Registrar: endpoint.scoped, Relay: endpoint.relay, Gateway: endpoint.gateway }[role] === true;
}

/**
 * - `yes`: there are requests of this credential that succeed;
 * - `never`: every request of this operation is refused for its role or its kind;
 * - `in effect never`: the operation is open to it, but no request succeeds.
 */
export type Permission = 'yes' | 'never' | 'in effect never';

export function permissionOf(endpoint: Endpoint, holder: Holder): Permission {
  if (!isOpenTo(endpoint, holder)) return 'never';
  return exceptions.some(({ operations, of }) => of(holder) && operations(endpoint)) ? 'in effect never' : 'yes';
}
