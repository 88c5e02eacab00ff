import * as z from 'zod/mini';
import { ranks } from '../../../shared/auth/roles.ts';
import { isLegible, text } from '../../../shared/core/text.ts';
import { described, time } from './api-key.ts';
import { openEnum } from '../fields/open-enum.ts';

/** How long a device waits for a person, in seconds. */
export const DEVICE_SECONDS = 600;

/** The least time between two polls of a device, in seconds. */
export const POLL_SECONDS = 5;

/** Without vowels and digits, so that codes are no words and no letter looks like another one (RFC 8628, section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** 20^8 codes. */
export const USER_CODE_LENGTH = 8;

/** The errors of RFC 8628 (section 3.5) and RFC 6749 that a device gets while it polls, and their texts. */
export const deviceErrors = {
  authorization_pending: 'Nobody has approved this device yet. Repeat the request after the interval.',
  slow_down: 'Polled too often. Wait 5 seconds longer between two requests.',
  access_denied: 'The person has denied this device.',
  expired_token: 'Nobody approved this device in time. Begin again.',
} as const;

export type DeviceError = keyof typeof deviceErrors;

const clientName = text({ max: 128 }).check(
  isLegible(),
  z.meta({ description: 'The program and the host that ask, as the person reads it: `inventory on build-7`.' }),
);

export const deviceRequest = z
  .strictObject({ client_name: clientName })
  .register(z.globalRegistry, { id: 'Authorize_device', description: 'A program that asks a person for a session.' });

export const deviceCodesSchema = z
  .strictObject({
    device_code: described('Proves to `POST /v1/logins` that it is the same program. It works once.'),
    user_code: described('The code that the person types in the console.'),
    verification_uri: described('The page of the console for the code, relative to the address of the service.'),
    verification_uri_complete: described('The same with the code.'),
    expires_in: z.int().check(z.meta({ description: 'Seconds until both codes expire.' })),
    interval: z.int().check(z.meta({ description: 'Least number of seconds between two polls.' })),
  })
  .register(z.globalRegistry, {
    id: 'Device_codes',
    description: 'The codes of a device, with the names of RFC 8628. They are shown only once.',
  });

const USER_CODE = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** A code as people type it: in any case, with separators. Undefined for other text. */
export function userCodeIn(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  return USER_CODE.test(letters) ? letters : undefined;
}

/** In two groups of four letters. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

const userCode = z.string().check(
  z.maxLength(32),
  z.refine((typed) => userCodeIn(typed) !== undefined, {
    error: 'Must be the 8 letters that the program shows.',
    params: { reason: 'invalid_format' },
  }),
  z.meta({ description: 'The code that the program shows. Case, spaces and hyphens do not matter.' }),
);

const deviceAnswers = ['approve', 'deny'] as const;

export const deviceAnswer = z
  .strictObject({
    user_code: userCode,
    answer: z.optional(
      z
        .enum(deviceAnswers)
        .check(z.meta({ description: 'Absent: nothing changes, and the reply says which program asks.' })),
    ),
    role: z.optional(
      z.enum(ranks).check(
        z.meta({
          description: 'Role of the session of the program, at most that of the caller. Default: that role.',
        }),
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Answer_device', description: 'The answer of a person to a program that asks.' });

export const deviceStates = ['pending', 'approved', 'denied'] as const;

export const deviceSchema = z
  .strictObject({
    client_name: described('The program and the host that ask, in their own words.'),
    source_ip: described('The address from which it asks, as the gateway saw it.'),
    requested_at: time('When it asked.'),
    expires_at: time('When its codes expire.'),
    state: openEnum(deviceStates, 'Whether a person has answered.'),
  })
  .register(z.globalRegistry, { id: 'Device', description: 'A program that asks for a session of the person.' });
