import { createContext, useContext } from 'react';
import { roleAllows } from '../../shared/auth/roles.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import type { Caller } from '../api/session.tsx';

export const CallerContext = createContext<Caller | undefined>(undefined);

export function useCaller(): Caller {
  const caller = useContext(CallerContext);
  if (caller === undefined) throw new Error('nobody is logged in');
  return caller;
}

/** Whether the user's role is enough for an endpoint, by the contract of the endpoint. */
export function useMay({ role }: Endpoint): boolean {
  const caller = useCaller();
  return role === 'none' || roleAllows(caller.role, role);
}
