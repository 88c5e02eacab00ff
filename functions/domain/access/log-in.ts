import * as z from 'zod/mini';
import { maxPasswordLength } from '../../../shared/auth/account-name.ts';
import { grantedRoles } from '../../../shared/auth/roles.ts';
import { adminAccountUses } from './admin-account.ts';
import { described, time } from './api-key.ts';
import { storedOwners } from './owners.ts';
import { newPasswordText } from './new-password.ts';
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

const providerName = shortText(32, 'Name of the identity provider, as in the settings.');

/** Tokens with many claims have some 4,000 characters. */
const MAX_TOKEN_LENGTH = 16_384;

const byJwt = z
  .strictObject({
    method: z.literal('jwt').check(z.meta({ description: 'By a token that a provider has signed for a program.' })),
    provider: providerName,
    token: shortText(MAX_TOKEN_LENGTH, 'The token: a signed JWT (RFC 7519) for the audience in the settings.'),
  })
  .register(z.globalRegistry, {
    id: 'Log_in_by_jwt',
    description: 'A token of a program, to exchange for a key that ends after some minutes.',
  });

const byOidc = z
  .strictObject({
    method: z.literal('oidc').check(z.meta({ description: 'By an identity provider: OpenID Connect with PKCE.' })),
    provider: providerName,
    code: shortText(2048, 'The authorization code of the redirect. It works once.'),
    code_verifier: z
      .string()
      .check(
        z.regex(/^[A-Za-z0-9._~-]{43,128}$/),
        z.meta({ description: 'The verifier (RFC 7636) whose S256 challenge was in the authorization request.' }),
      ),
    nonce: z
      .string()
      .check(
        z.regex(/^[A-Za-z0-9._~-]{22,128}$/),
        z.meta({ description: 'The nonce of the authorization request. The ID token must contain it.' }),
      ),
    redirect_uri: shortText(512, 'The redirect address of the authorization request: one of those in the settings.'),
    iss: z.optional(shortText(512, 'The parameter `iss` of the redirect (RFC 9207), if the provider sent it.')),
  })
  .register(z.globalRegistry, {
    id: 'Log_in_by_provider',
    description: 'An authorization code. The service redeems it, so that no token of the provider reaches the browser.',
  });

const bySession = z
  .strictObject({
    method: z
      .literal('session')
      .check(z.meta({ description: 'By a session that an identity provider opened: returns its next key.' })),
    key: shortText(
      256,
      'The key of the session. It works until its own end. A repeated call returns the same next key.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'Renew_session',
    description: 'A session to renew: the service reads the claims of the person anew at the provider.',
  });

const byDevice = z
  .strictObject({
    method: z.literal('device').check(z.meta({ description: 'By a device that a person approves in the console.' })),
    device_code: shortText(256, 'The `device_code` of `POST /v1/device-authorizations`. It opens one session.'),
  })
  .register(z.globalRegistry, {
    id: 'Log_in_by_device',
    description:
      'A poll (RFC 8628). Until the answer of the person, 400 with the reason `authorization_pending` in `details`; others are ' +
      '`slow_down`, `access_denied` and `expired_token`.',
  });

export const logInSchema = z
  .discriminatedUnion('method', [byPassword, byInvitation, byJwt, byOidc, bySession, byDevice])
  .register(z.globalRegistry, { id: 'Log_in', description: 'A proof of identity, to exchange for a session.' });

const title = described('The text of the choice.');

/** A method of `POST /v1/logins` that needs nothing but what a person knows: an invitation has a page of its own. */
const offeredPassword = z
  .strictObject({
    method: z.literal('password').check(z.meta({ description: 'The method of `POST /v1/logins`.' })),
    title,
    admin_account: z
      .enum(adminAccountUses)
      .check(z.meta({ description: 'The setting `adminAccount`: with `disabled`, `admin` cannot log in.' })),
  })
  .register(z.globalRegistry, { id: 'Log_in_method_password', description: 'The log-in by a password.' });

const offeredProvider = z
  .strictObject({
    method: z.literal('oidc').check(z.meta({ description: 'The method of `POST /v1/logins`.' })),
    title,
    provider: described('Name of the identity provider.'),
    authorization_endpoint: z.optional(described('Where the log-in begins; absent while the provider cannot be used.')),
    end_session_endpoint: z.optional(described('Where a log-out at the provider begins; absent without one.')),
    client_id: described('Id of the client at the provider.'),
    scope: described('The scopes to ask for, separated by spaces.'),
    redirect_uris: z
      .array(described('An address of the console.'))
      .check(z.meta({ description: 'The addresses to which the provider may return.' })),
  })
  .register(z.globalRegistry, {
    id: 'Log_in_method_provider',
    description: 'The log-in with an identity provider: the public parameters of an authorization request with PKCE.',
  });

export const offeredMethodSchema = z
  .discriminatedUnion('method', [offeredPassword, offeredProvider])
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
    renewable_until: z.optional(
      time('Until when the method `session` renews the session, each time before `expires_at`; absent if it does not.'),
    ),
    key: described(
      'The session key, used like an API key. With the role Registrar, an enrolment token for `POST /v1/enrolment`. It is ' +
        'shown only once.',
    ),
  })
  .register(z.globalRegistry, { id: 'Logged_in', description: 'A new session, with its key.' });
