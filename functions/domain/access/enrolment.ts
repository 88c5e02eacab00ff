import * as z from 'zod/mini';
import { parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { allowedAddresses } from '../fields/address.ts';
import { described, maker, newApiKeySchema, newName, rateLimit, time } from './api-key.ts';
import { duration, timeToLive } from '../fields/duration.ts';
import { nodeAddition, nodeSchema } from '../node/schema.ts';
import { idOf, storedName } from '../fields/common-fields.ts';

const MAX_TOKEN_SECONDS = 86_400;

function parseTokenLife(text: string): number | undefined {
  const seconds = parseTimeToLive(text);
  return seconds !== undefined && seconds <= MAX_TOKEN_SECONDS ? seconds : undefined;
}

const tokenNodeName = storedName.check(
  z.meta({
    description: 'The one node that it is for. Only such a token may enrol a node again that is there already.',
  }),
);

export const enrolmentTokenAddition = z
  .strictObject({
    name: newName.check(z.meta({ description: 'What it is for. Not unique.' })),
    time_to_live: z.optional(
      duration(parseTokenLife, { least: '1s', most: '24h' }, 'How long it can be used; one hour without this field'),
    ),
    node_name: z.optional(tokenNodeName),
    allowed_addresses: z.optional(allowedAddresses),
    key_time_to_live: z.optional(timeToLive),
    key_rate_limit_per_minute: z.optional(rateLimit),
  })
  .register(z.globalRegistry, { id: 'Add_enrolment_token', description: 'An enrolment token to add.' });

export const enrolmentTokenSchema = z
  .strictObject({
    token_id: idOf('enrolment token'),
    name: described('What it is for.'),
    prefix: described('The first characters of the token, to tell tokens apart.'),
    created_at: time('When it was added.'),
    created_by: maker,
    expires_at: time('Until when it can be used.'),
    node_name: z.optional(described('The one node that it is for; absent when it is for any new one.')),
    allowed_addresses: z.optional(allowedAddresses),
    key_time_to_live: z.optional(
      described('How long the key that the host gets is good for, from when it gets it; absent when for ever.'),
    ),
    key_rate_limit_per_minute: z.optional(rateLimit),
  })
  .register(z.globalRegistry, { id: 'Enrolment_token', description: 'An enrolment token, without the token itself.' });

/** The only reply that contains a token. */
export const newEnrolmentTokenSchema = z
  .extend(enrolmentTokenSchema, { token: described('The token. It is shown this once, and good for one use.') })
  .register(z.globalRegistry, {
    id: 'New_enrolment_token',
    description: 'An enrolment token that was just added, with the token itself.',
  });

export const enrolmentSchema = z
  .strictObject({
    token: z.string().check(z.meta({ description: 'The enrolment token. It can be used once.', maxLength: 256 })),
    node: nodeAddition,
  })
  .register(z.globalRegistry, { id: 'Enrol_node', description: 'A node that enrols itself.' });

export const enrolledSchema = z
  .strictObject({ node: nodeSchema, api_key: newApiKeySchema })
  .register(z.globalRegistry, { id: 'Enrolled_node', description: 'The node, and the key that looks after it.' });
