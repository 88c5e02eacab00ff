import * as z from 'zod/mini';
import { parseTimeToLive } from '../../shared/auth/time-to-live.ts';
import { roles } from '../../shared/auth/roles.ts';
import { text } from '../../shared/http/text.ts';
import { idSchema } from './object-fields.ts';

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

export const apiKeyAddition = z.strictObject({
  name: text({ max: 128 }).check(z.meta({ description: 'Unique among all API keys.' })),
  role: z
    .enum(roles)
    .check(z.meta({ description: 'What the key may do: Viewer reads, Editor changes too, Admin all.' })),
  time_to_live: z.optional(timeToLive),
});

export const apiKeySchema = z.strictObject({
  key_id: idSchema,
  name: z.string(),
  role: z.enum(roles),
  prefix: z.string().check(z.meta({ description: 'The first characters of the key, to tell keys apart.' })),
  created_at: time('When it was added.'),
  created_by: z.strictObject({ kind: z.string(), id: z.string(), name: z.string() }),
  expires_at: z.optional(time('When it ends; absent when never.')),
  last_used_at: z.optional(time('When it was last used, to within five minutes; absent when never.')),
});

/** The only reply that ever holds a key. */
export const newApiKeySchema = z.extend(apiKeySchema, {
  key: z.string().check(z.meta({ description: 'The key. It is shown this once.' })),
});
