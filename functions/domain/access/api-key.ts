import * as z from 'zod/mini';
import { maxOverlapDays, parseOverlap } from '../../../shared/auth/overlap.ts';
import { givenRoles, roles } from '../../../shared/auth/roles.ts';
import { isLegible, text } from '../../../shared/core/text.ts';
import { duration, timeToLive } from '../fields/duration.ts';
import { idOf, whenObject } from '../fields/common-fields.ts';
import { ownersSchema, storedOwners } from './owners.ts';
import { openEnum } from '../fields/open-enum.ts';

export const time = (description: string) => z.iso.datetime().check(z.meta({ description }));

export const described = (description: string) => z.string().check(z.meta({ description }));
const ROLE =
  'Viewer reads, Editor also changes, Admin can do everything, Relay only reports for hosts, Gateway also reads objects and changes.';
const roleToGive = z.enum(givenRoles).check(z.meta({ description: ROLE }));
const roleOfKey = openEnum(roles, `${ROLE} A Registrar manages one node and its dependent objects.`);

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
    z.meta({ description: 'Requests per clock minute. Further requests get 429.' }),
  );

/** The roles of keys that can have owners, and that a caller with owners may add. A host gets its owner from its enrolment token. */
export const rolesWithOwners: readonly string[] = ['Editor', 'Viewer'];

/** The key of a node has the name of the node behind this prefix. */
export const REGISTRAR_PREFIX = 'registrar/';

export const newName = text({ max: 128 }).check(isLegible());

export const apiKeyAddition = z
  .strictObject({
    name: newName.check(z.meta({ description: 'Unique among all API keys.' })),
    role: roleToGive,
    time_to_live: z.optional(timeToLive),
    rate_limit_per_minute: z.optional(rateLimit),
    owners: z.optional(ownersSchema),
  })
  .check(
    z.check(({ value, issues }) => {
      if (value.owners === undefined || rolesWithOwners.includes(value.role)) return;
      const message = `Only a key with the role ${rolesWithOwners.join(' or ')} can have owners.`;
      issues.push({ code: 'custom', input: value, path: ['owners'], message, params: { reason: 'not_allowed' } });
    }, whenObject),
  )
  .register(z.globalRegistry, { id: 'Add_api_key', description: 'An API key to add.' });

export const maker = z
  .strictObject({
    kind: described('`user`, `session`, `api_key`, `enrolment_token`; `system`: the service itself.'),
    id: described('Id of the key, session or token, or the user name.'),
    name: described('Name of the user, key or token.'),
  })
  .check(z.meta({ description: 'Who added it.' }));

const usesOfDay = z.strictObject({
  date: z.iso.date().check(z.meta({ description: 'The day, in UTC.' })),
  uses: z.int().check(z.minimum(1), z.meta({ description: 'The number of authorizations that are recorded so far.' })),
});

export const apiKeySchema = z
  .strictObject({
    key_id: idOf('API key'),
    name: described('Unique among all API keys.'),
    role: roleOfKey,
    prefix: described('The first characters of the key.'),
    created_at: time('When it was added.'),
    created_by: maker,
    expires_at: z.optional(time('When it expires; absent if never.')),
    last_used_at: z.optional(
      time(
        'When its present secret was last used, accurate to five minutes, of a host that reports to half of `stale_after`; absent if never.',
      ),
    ),
    last_used_from: z.optional(described('The source address of that use, as seen by the gateway.')),
    former_last_used_at: z.optional(
      time('When a former secret was last used, before or after the rotation; absent if never.'),
    ),
    former_last_used_from: z.optional(described('The source address of that use.')),
    uses_by_day: z.optional(
      z.array(usesOfDay).check(
        z.meta({
          description:
            'Authorizations with any of its secrets, of the last seven days (UTC) with one. One stands for all calls that ' +
            'the gateway answers from its cache (`authorizerCacheSeconds`). Reports of a host with its own key are not counted.',
        }),
      ),
    ),
    disabled: z.optional(z.boolean().check(z.meta({ description: 'Whether it is refused until it is enabled.' }))),
    node_id: z.optional(idOf('node that a Registrar is bound to')),
    allowed_addresses: z.optional(
      z
        .array(described('Address, network or name pattern.'))
        .check(z.meta({ description: 'Addresses that a Registrar may set, besides its own source address.' })),
    ),
    rate_limit_per_minute: z.optional(rateLimit),
    owners: z.optional(storedOwners),
    rotated_at: z.optional(time('When it was last rotated; absent if never.')),
    previous_expires_at: z.optional(time('When the previous secrets of the key expire or expired.')),
  })
  .register(z.globalRegistry, { id: 'Api_key', description: 'An API key, without its secret.' });

/** Apart from the reply that opens a session, only replies with this schema contain a key. */
export const newApiKeySchema = z
  .extend(apiKeySchema, { key: described('The key. It is shown only once.') })
  .register(z.globalRegistry, {
    id: 'New_api_key',
    description: 'An API key that was just added or rotated, with its secret.',
  });

export const apiKeyChange = z
  .strictObject({
    rate_limit_per_minute: z.optional(z.nullable(rateLimit)),
    owners: z.optional(
      ownersSchema.check(
        z.meta({ description: 'A part of the present owners, or owners for an Editor or Viewer without owners.' }),
      ),
    ),
    disabled: z.optional(
      z.boolean().check(z.meta({ description: 'true: requests with the key get 401. false: it works again.' })),
    ),
  })
  .register(z.globalRegistry, { id: 'Change_api_key', description: 'Fields of an API key to change.' });

export const overlapRange = { least: '0s', most: `${maxOverlapDays}d` };

export const rotation = z
  .strictObject({
    overlap: duration(
      parseOverlap,
      overlapRange,
      'How long the current secret still works, at most until its expiry (0s ends all previous secrets at once)',
    ),
  })
  .register(z.globalRegistry, { id: 'Rotation', description: 'Options of the rotation.' });
