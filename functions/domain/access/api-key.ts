import * as z from 'zod/mini';
import { maxOverlapDays, parseOverlap } from '../../../shared/auth/overlap.ts';
import { ranks, roles } from '../../../shared/auth/roles.ts';
import { isLegible, text } from '../../../shared/http/text.ts';
import { duration, timeToLive } from '../fields/duration.ts';
import { idOf } from '../fields/common-fields.ts';

export const time = (description: string) => z.iso.datetime().check(z.meta({ description }));

export const described = (description: string) => z.string().check(z.meta({ description }));
const ROLE = 'What the key may do: Viewer reads, Editor changes too, Admin all.';
const roleToGive = z.enum(ranks).check(z.meta({ description: ROLE }));
const roleOfKey = z
  .enum(roles)
  .check(z.meta({ description: `${ROLE} A Registrar looks after one node and what hangs below it.` }));

/**
 * Each request writes one item, and DynamoDB permits 1,000 writes a second to an item. Half of that leaves room for
 * refused requests.
 */
const MAX_RATE = 30_000;

export const rateLimit = z
  .int()
  .check(
    z.minimum(1),
    z.maximum(MAX_RATE),
    z.meta({ description: 'Most requests in a minute of the clock; beyond that they are answered with 429.' }),
  );

export const newName = text({ max: 128 }).check(isLegible());

export const apiKeyAddition = z
  .strictObject({
    name: newName.check(z.meta({ description: 'Unique among all API keys.' })),
    role: roleToGive,
    time_to_live: z.optional(timeToLive),
    rate_limit_per_minute: z.optional(rateLimit),
  })
  .register(z.globalRegistry, { id: 'Add_api_key', description: 'An API key to add.' });

export const maker = z
  .strictObject({
    kind: described('How the caller was authenticated: user, session, api_key or enrolment_token.'),
    id: described("The key's, session's or token's id; for a user the user name."),
    name: described('Name of the user, key or token.'),
  })
  .check(z.meta({ description: 'Who added it.' }));

export const apiKeySchema = z
  .strictObject({
    key_id: idOf('API key'),
    name: described('Unique among all API keys.'),
    role: roleOfKey,
    prefix: described('The first characters of the key, to tell keys apart.'),
    created_at: time('When it was added.'),
    created_by: maker,
    expires_at: z.optional(time('When it ends; absent when never.')),
    last_used_at: z.optional(time('When it was last used, to within five minutes; absent when never.')),
    node_id: z.optional(idOf('node that a Registrar is bound to')),
    allowed_addresses: z.optional(
      z
        .array(described('One of them.'))
        .check(z.meta({ description: 'Which addresses a Registrar may give besides the one that it calls from.' })),
    ),
    rate_limit_per_minute: z.optional(rateLimit),
    rotated_at: z.optional(time('When it was last rotated; absent when never.')),
    previous_expires_at: z.optional(time('Until when an older text of the key works, or worked, beside this one.')),
  })
  .register(z.globalRegistry, { id: 'Api_key', description: 'An API key, without the key itself.' });

/** Apart from the reply that opens a session, only replies with this schema contain a key. */
export const newApiKeySchema = z
  .extend(apiKeySchema, { key: described('The key. It is shown this once.') })
  .register(z.globalRegistry, {
    id: 'New_api_key',
    description: 'An API key that was just added or rotated, with the key itself.',
  });

export const apiKeyChange = z
  .strictObject({ rate_limit_per_minute: z.optional(z.nullable(rateLimit)) })
  .register(z.globalRegistry, { id: 'Change_api_key', description: 'What changes of an API key.' });

export const overlapRange = { least: '0s', most: `${maxOverlapDays}d` };

export const rotation = z
  .strictObject({
    overlap: duration(
      parseOverlap,
      overlapRange,
      'For how long the present key works beside the new one, but not beyond its own end. ' +
        '0s ends it at once, and with it every older text that still works',
    ),
  })
  .register(z.globalRegistry, { id: 'Rotation', description: 'How an API key is rotated.' });
