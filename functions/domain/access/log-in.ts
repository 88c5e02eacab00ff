import * as z from 'zod/mini';
import { maxPasswordLength } from '../../../shared/auth/account-name.ts';
import { described, time } from './api-key.ts';
import { storedOwners } from './owners.ts';
import { grantedRoles } from './role-binding.ts';
import { newPasswordText } from './user.ts';
import { idOf } from '../fields/common-fields.ts';

const MAX_INVITATION_LENGTH = 256;

const shortText = (maxLength: number, description: string) =>
  z.string().check(z.minLength(1), z.maxLength(maxLength), z.meta({ description }));

const user_name = shortText(64, 'The name of the user.');

const byPassword = z
  .strictObject({
    method: z.literal('password').check(z.meta({ description: 'By the password of a user of this service.' })),
    user_name,
    password: shortText(maxPasswordLength, 'The password.'),
    new_password: z.optional(newPasswordText),
  })
  .register(z.globalRegistry, { id: 'Log_in_by_password', description: 'A password, and optionally its successor.' });

const byInvitation = z
  .strictObject({
    method: z.literal('invitation').check(z.meta({ description: 'By an invitation, which sets the password.' })),
    user_name,
    invitation: shortText(MAX_INVITATION_LENGTH, 'The invitation. It works once.'),
    new_password: newPasswordText,
  })
  .register(z.globalRegistry, { id: 'Log_in_by_invitation', description: 'An invitation, and the password to set.' });

/** Tokens with many claims have some 4,000 characters. */
const MAX_TOKEN_LENGTH = 16_384;

const byJwt = z
  .strictObject({
    method: z.literal('jwt').check(z.meta({ description: 'By a token that a provider has signed for a program.' })),
    provider: shortText(32, 'Name of the identity provider, as in the settings.'),
    token: shortText(MAX_TOKEN_LENGTH, 'The token: a signed JWT (RFC 7519) for the audience in the settings.'),
  })
  .register(z.globalRegistry, {
    id: 'Log_in_by_jwt',
    description: 'A token of a program, to exchange for a key that ends after some minutes.',
  });

export const logInSchema = z
  .discriminatedUnion('method', [byPassword, byInvitation, byJwt])
  .register(z.globalRegistry, { id: 'Log_in', description: 'A proof of identity, to exchange for a session.' });

/** A method of `POST /v1/logins` that needs nothing but what a person knows: an invitation has a page of its own. */
export const offeredMethodSchema = z
  .strictObject({
    method: z.literal('password').check(z.meta({ description: 'The method of `POST /v1/logins`.' })),
    title: described('The text of the choice.'),
  })
  .register(z.globalRegistry, { id: 'Log_in_method', description: 'A way to log in.' });

export const loggedInSchema = z
  .strictObject({
    session_id: idOf('session; of a program, id of its key'),
    user_id: described('Id of the user; of a program, provider and subject.'),
    name: described('Name of the user or program, as the audit shows it.'),
    role: z
      .enum(grantedRoles)
      .check(z.meta({ description: 'Role of the session: the role of the user, or of the role binding.' })),
    owners: z.optional(storedOwners),
    expires_at: time('When it expires.'),
    key: described(
      'The session key, used like an API key. With the role Registrar, an enrolment token for `POST /v1/enrolment`. It is ' +
        'shown only once.',
    ),
  })
  .register(z.globalRegistry, { id: 'Logged_in', description: 'A new session, with its key.' });
