import * as z from 'zod/mini';
import { roles } from '../../../shared/auth/roles.ts';
import { described, time } from './api-key.ts';
import { idOf } from '../fields/common-fields.ts';

export const SESSION_HOURS = 12;

/** The most open sessions of one user. */
export const MAX_SESSIONS = 100;

export const sessionSchema = z
  .strictObject({
    session_id: idOf('session'),
    user_name: described('Name of the user who logged in.'),
    role: z.enum(roles).check(z.meta({ description: 'What the session may do: the role of the user at the log-in.' })),
    created_at: time('When the user logged in.'),
    expires_at: time('When it ends.'),
    last_used_at: z.optional(time('When it was last used, to within five minutes; absent when never.')),
    source_ip: described('The address that the user logged in from, as the gateway sees it.'),
    current: z.optional(
      z.literal(true).check(z.meta({ description: 'This is the session that calls; absent for every other one.' })),
    ),
  })
  .register(z.globalRegistry, { id: 'Session', description: 'A session that is open, without its key.' });
