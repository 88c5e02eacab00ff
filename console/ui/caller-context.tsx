import { createContext, useContext } from 'react';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { mayCallWithEveryBody } from '../../functions/contract/may-call.ts';
import type { Caller } from '../api/session.tsx';

export const CallerContext = createContext<Caller | undefined>(undefined);

export function useCaller(): Caller {
  const caller = useContext(CallerContext);
  if (caller === undefined) throw new Error('nobody is logged in');
  return caller;
}

/** Whether the user may call an endpoint, by the API's own rule. */
export const useMay = (endpoint: Endpoint): boolean => mayCallWithEveryBody(useCaller(), endpoint);
