import * as z from 'zod/mini';
import { parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { allowedAddresses, storedAllowedAddresses } from '../fields/address.ts';
import { described, maker, newApiKeySchema, newName, rateLimit, time } from './api-key.ts';
import { duration, timeToLive } from '../fields/duration.ts';
import { ownerSchema } from './owners.ts';
import { nodeOrStored, nodeSchema } from '../node/schema.ts';
import { idOf, storedName } from '../fields/common-fields.ts';

const MAX_TOKEN_SECONDS = 86_400;

export const tokenLifeRange = { least: '1s', most: '24h' };

/** @returns seconds; undefined for a text that is no duration, or beyond the range. */
export function parseTokenLife(text: string): number | undefined {
  const seconds = parseTimeToLive(text);
  return seconds !== undefined && seconds <= MAX_TOKEN_SECONDS ? seconds : undefined;
}

const tokenNodeName = storedName.check(
  z.meta({
    description: 'The only node that the token can enrol. Required to enrol an existing node again.',
  }),
);

export const enrolmentTokenAddition = z
  .strictObject({
    name: newName.check(z.meta({ description: 'Purpose. Not unique.' })),
    time_to_live: z.optional(duration(parseTokenLife, tokenLifeRange, 'Time to live, one hour by default')),
    node_name: z.optional(tokenNodeName),
    allowed_addresses: z.optional(allowedAddresses),
    key_time_to_live: z.optional(timeToLive),
    key_rate_limit_per_minute: z.optional(rateLimit),
    owner: z.optional(
      ownerSchema.check(
        z.meta({
          description:
            'Value of the owner label of the node and of everything below it. The host cannot change it. Absent: the host chooses.',
        }),
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Add_enrolment_token', description: 'An enrolment token to add.' });

export const enrolmentTokenSchema = z
  .strictObject({
    token_id: idOf('enrolment token'),
    name: described('Purpose.'),
    prefix: described('The first characters of the token.'),
    created_at: time('When it was added.'),
    created_by: maker,
    expires_at: time('When it expires.'),
    node_name: z.optional(described('The only node that it can enrol; absent for any new node.')),
    allowed_addresses: z.optional(storedAllowedAddresses),
    key_time_to_live: z.optional(described('Time to live of the new key, from enrolment; absent if unlimited.')),
    key_rate_limit_per_minute: z.optional(rateLimit),
    owner: z.optional(described('Value of the owner label of the node and of everything below it.')),
  })
  .register(z.globalRegistry, { id: 'Enrolment_token', description: 'An enrolment token, without its secret.' });

/** The only reply that contains a token. */
export const newEnrolmentTokenSchema = z
  .extend(enrolmentTokenSchema, { token: described('The token. It is shown only once and works once.') })
  .register(z.globalRegistry, {
    id: 'New_enrolment_token',
    description: 'An enrolment token that was just added, with its secret.',
  });

export const enrolmentSchema = z
  .strictObject({
    token: z.string().check(z.meta({ description: 'The enrolment token. It works once.', maxLength: 256 })),
    node: nodeOrStored,
  })
  .register(z.globalRegistry, { id: 'Enrol_node', description: 'The node to enrol.' });

export const enrolledSchema = z
  .strictObject({ node: nodeSchema, api_key: newApiKeySchema })
  .register(z.globalRegistry, { id: 'Enrolled_node', description: 'The node and its key.' });
