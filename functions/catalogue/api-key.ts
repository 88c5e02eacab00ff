import * as z from 'zod/mini';
import { parseTimeToLive } from '../../shared/auth/time-to-live.ts';
import { roles } from '../../shared/auth/roles.ts';
import { text } from '../../shared/http/text.ts';
import { idOf } from './object-fields.ts';

const time = (description: string) => z.iso.datetime().check(z.meta({ description }));

const timeToLive = z.pipe(
  z.string().check(
    z.check(({ value, issues }) => {
      if (parseTimeToLive(value) !== undefined) return;
      issues.push({
        code: 'custom',
        input: value,
        message: 'Not a valid duration',
        params: { reason: 'invalid_format' },
      });
    }),
    z.meta({
      description:
        'How long the key is good for: a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days), such as ' +
        '1d or 5h; a bare number is seconds, nothing is for ever. At most 100 years.',
      maxLength: 32,
    }),
  ),
  z.transform((value) => parseTimeToLive(value)),
);

const described = (description: string) => z.string().check(z.meta({ description }));
const roleOfKey = z
  .enum(roles)
  .check(z.meta({ description: 'What the key may do: Viewer reads, Editor changes too, Admin all.' }));

export const apiKeyAddition = z
  .strictObject({
    name: text({ max: 128 }).check(z.meta({ description: 'Unique among all API keys.' })),
    role: roleOfKey,
    time_to_live: z.optional(timeToLive),
  })
  .register(z.globalRegistry, { id: 'Add_api_key', description: 'An API key to add.' });

export const apiKeySchema = z
  .strictObject({
    key_id: idOf('API key'),
    name: described('Unique among all API keys.'),
    role: roleOfKey,
    prefix: described('The first characters of the key, to tell keys apart.'),
    created_at: time('When it was added.'),
    created_by: z
      .strictObject({
        kind: described('How the caller was authenticated: user, session or api_key.'),
        id: described("The key's or session's id; for a user the user name."),
        name: described('Name of the user or key.'),
      })
      .check(z.meta({ description: 'Who added it.' })),
    expires_at: z.optional(time('When it ends; absent when never.')),
    last_used_at: z.optional(time('When it was last used, to within five minutes; absent when never.')),
  })
  .register(z.globalRegistry, { id: 'Api_key', description: 'An API key, without the key itself.' });

/** The only reply that ever holds a key. */
export const newApiKeySchema = z
  .extend(apiKeySchema, { key: described('The key. It is shown this once.') })
  .register(z.globalRegistry, {
    id: 'New_api_key',
    description: 'An API key that was just added, with the key itself.',
  });
