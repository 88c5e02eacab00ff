import * as z from 'zod/mini';
import { accountNamePattern } from '../../../shared/auth/account-name.ts';
import { ranks } from '../../../shared/auth/roles.ts';
import { described, maker, time } from './api-key.ts';
import { ownersSchema, storedOwners } from './owners.ts';
import { whenObject } from '../fields/common-fields.ts';
import { duration } from '../fields/duration.ts';
import { parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { openEnum } from '../fields/open-enum.ts';

/** The provider of a user with a password of this service. */
export const LOCAL_PROVIDER = 'local';

export const MAX_USERS = 1000;

const MAX_INVITATION_SECONDS = 7 * 86_400;

const invitationLifeRange = { least: '1s', most: '7d' };

/** @returns seconds; undefined for a text that is no duration, or beyond the range. */
function parseInvitationLife(text: string): number | undefined {
  const seconds = parseTimeToLive(text);
  return seconds !== undefined && seconds <= MAX_INVITATION_SECONDS ? seconds : undefined;
}

const invitationLife = z.optional(
  duration(parseInvitationLife, invitationLifeRange, 'Time to live of the invitation, three days by default'),
);

/** The names of accounts of other kinds: the emergency account, and the names that present a key. */
const reservedNames: readonly string[] = ['admin', 'api_key', 'service_token'];

const NAME_RULE =
  'Must be a lower-case letter, then up to 63 lower-case letters, digits, dots, hyphens or underscores.';

const newUserName = z.string().check(
  z.check(({ value, issues }) => {
    const refuse = (message: string) =>
      issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
    if (!accountNamePattern.test(value)) refuse(NAME_RULE);
    else if (reservedNames.includes(value)) refuse(`The name "${value}" is reserved.`);
  }),
  z.meta({
    description: `The name with which the user logs in, unique among all users; also the id. ${NAME_RULE}`,
    minLength: 1,
    maxLength: 64,
    pattern: accountNamePattern.source,
  }),
);

/** The role that owners limit: Viewers write nothing, and Admins have no limit. */
export const ROLE_WITH_OWNERS = 'Editor';

export const OWNERS_RULE = `Only a user with the role ${ROLE_WITH_OWNERS} can have owners.`;

const ROLE_OF_USER = 'Role of the sessions of the user.';
const roleOfUser = z.enum(ranks).check(z.meta({ description: ROLE_OF_USER }));

export const userAddition = z
  .strictObject({
    user_name: newUserName,
    role: roleOfUser,
    owners: z.optional(ownersSchema),
    invitation_time_to_live: invitationLife,
  })
  .check(
    z.check(({ value, issues }) => {
      if (value.owners === undefined || value.role === ROLE_WITH_OWNERS) return;
      const params = { reason: 'not_allowed' };
      issues.push({ code: 'custom', input: value, path: ['owners'], message: OWNERS_RULE, params });
    }, whenObject),
  )
  .register(z.globalRegistry, { id: 'Add_user', description: 'A user to add.' });

export const userChange = z
  .strictObject({
    role: z.optional(roleOfUser),
    owners: z.optional(
      z.nullable(ownersSchema).check(
        z.meta({
          description: 'The owners of an Editor; null removes them. Another role than Editor also removes them.',
        }),
      ),
    ),
    disabled: z.optional(z.boolean().check(z.meta({ description: 'Whether the user is locked out.' }))),
  })
  .register(z.globalRegistry, { id: 'Change_user', description: 'Fields of a user to change.' });

export const invitationOptions = z
  .strictObject({ invitation_time_to_live: invitationLife })
  .register(z.globalRegistry, { id: 'Invitation', description: 'Options of an invitation.' });

/** An id of a user; other text of this length is not found. */
export const userIdInPath = z
  .string()
  .check(z.minLength(1), z.maxLength(128), z.meta({ description: 'Id of the user: the user name.' }));

export const userSchema = z
  .strictObject({
    user_id: described('Id of the user: the user name, or `oidc:` and a digest of the identity at a provider.'),
    user_name: described('Name of the user, as the audit shows it.'),
    provider: described('Where the user logs in: `local` is this service, else the name of an identity provider.'),
    role: openEnum(ranks, ROLE_OF_USER),
    owners: z.optional(storedOwners),
    state: z.enum(['invited', 'active', 'disabled']).check(
      z.meta({
        description: '`invited`: has no password yet; `active`: can log in; `disabled`: locked out by an Admin.',
      }),
    ),
    created_at: time('When it was added.'),
    created_by: maker,
    last_login_at: z.optional(time('When the user last logged in; absent if never.')),
    password_set_at: z.optional(time('When the user set the present password; absent without one.')),
    invitation_expires_at: z.optional(time('When the present invitation expires; absent without one.')),
  })
  .register(z.globalRegistry, { id: 'User', description: 'A user, without password and invitation.' });

/** The only replies that contain an invitation. */
export const invitedUserSchema = z
  .extend(userSchema, { invitation: described('The invitation. It is shown only once and works once.') })
  .register(z.globalRegistry, { id: 'Invited_user', description: 'A user with a new invitation.' });
