import * as z from 'zod/mini';
import { roles } from '../../../shared/auth/roles.ts';
import { described, time } from './api-key.ts';
import { storedOwners } from './owners.ts';
import { idOf } from '../fields/common-fields.ts';
import { openEnum } from '../fields/open-enum.ts';

/** The most role bindings that a session names. */
export const MAX_NAMED_BINDINGS = 10;

export const SESSION_HOURS = 12;

/** The proofs of identity that open sessions. */
export const logInMethods = ['password', 'invitation', 'oidc', 'device'] as const;

export type LogInMethod = (typeof logInMethods)[number];

/** The most open sessions of one user. */
export const MAX_SESSIONS = 100;

export const sessionSchema = z
  .strictObject({
    session_id: idOf('session'),
    user_name: described('Name of the user who logged in.'),
    user_id: z.optional(described('Id of the user, except for `admin`.')),
    role: openEnum(roles, 'Role of the session: the role of the user at login.'),
    owners: z.optional(storedOwners),
    method: z.optional(openEnum(logInMethods, 'How the user logged in; absent for sessions of older versions.')),
    bindings: z.optional(
      z.array(described('Name of a role binding.')).check(
        z.meta({
          description:
            'Of a session by an identity provider: the role bindings that give the role, at most 10. Absent for other sessions.',
        }),
      ),
    ),
    device: z.optional(described('Of a session by the method `device`: the program that asked, in its own words.')),
    created_at: time('When the user logged in.'),
    expires_at: time('When it expires.'),
    last_used_at: z.optional(time('When it was last used, accurate to five minutes; absent if never.')),
    source_ip: described('The source address of the login, as seen by the gateway.'),
    current: z.optional(
      z.literal(true).check(z.meta({ description: 'True for the calling session; absent for others.' })),
    ),
  })
  .register(z.globalRegistry, { id: 'Session', description: 'An active session, without its key.' });
