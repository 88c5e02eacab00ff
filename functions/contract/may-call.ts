import { roleAllows } from '../../shared/auth/roles.ts';
import type { Caller } from './caller.ts';
import type { Endpoint } from './endpoint.ts';

/** The attributes of a caller that decide which endpoints it may call. */
export type CallerRights = Pick<Caller, 'role' | 'kind' | 'owners'>;

function hasRole({ role, kind, owners }: CallerRights, endpoint: Endpoint, least: Endpoint['role']): boolean {
  if (endpoint.role === 'none' || least === 'none') return true;
  if (endpoint.callers?.includes(kind) === false) return false;
  if (role === 'Editor' && owners !== undefined) {
    if (endpoint.limit === 'refused') return false;
    if (endpoint.team === true) return true;
  }
  if (role === 'Registrar') return endpoint.scoped === true;
  if (role === 'Relay') return endpoint.relay === true;
  if (role === 'Gateway') return endpoint.gateway === true;
  return roleAllows(role, least);
}

/**
 * Whether a caller may call an endpoint at all. The lower role of a contract depends on the body, which is checked later,
 * and so are the owners of the objects.
 */
export const mayCall = (caller: CallerRights, endpoint: Endpoint): boolean =>
  hasRole(caller, endpoint, endpoint.lowerRole?.role ?? endpoint.role);

/** Whether a caller may call an endpoint with every body. */
export const mayCallWithEveryBody = (caller: CallerRights, endpoint: Endpoint): boolean =>
  hasRole(caller, endpoint, endpoint.role);
