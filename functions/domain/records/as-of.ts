import * as z from 'zod/mini';
import { time } from '../access/api-key.ts';
import { idSchema } from '../fields/common-fields.ts';
import { objectKind, objectKinds } from '../fields/object-kind.ts';
import { CHANGE_DAYS } from './retention.ts';

/** Each change is a separate read, and the reads are sequential: some 2 s in the cloud. */
export const MAX_CHANGES_AFTER = 250;

export const presences = ['present', 'not_added', 'removed', 'unknown'] as const;

/** The object of a path. */
export const asOfParams = z.strictObject({
  kind: z.enum(objectKinds).check(z.meta({ description: 'Kind of the object.' })),
  object_id: idSchema.check(z.meta({ description: 'Id of the node, service or agent.' })),
});

export const asOfQuery = z.strictObject({
  time: z.optional(
    z.iso.datetime({ offset: true }).check(z.meta({ description: 'A time in the past (RFC 3339); default: now.' })),
  ),
  removal: z.optional(
    z.string().check(
      z.regex(/^[0-9a-z]{18}$/),
      z.meta({
        description:
          'Of a removed object: the change that removed it, as `change_id` in the list of removals and in the change ' +
          'feed. Without it, a removed object is not found.',
      }),
    ),
  ),
});

/** An object at a time in the past. */
export const asOfSchema = z
  .strictObject({
    kind: objectKind,
    id: idSchema.check(z.meta({ description: 'Id of the object.' })),
    time: time('The time of the request.'),
    presence: z.enum(presences).check(
      z.meta({
        description:
          'Whether the inventory contained the object: `present`; `not_added`, not yet; `removed`; `unknown`, if the ' +
          `changes since then are not kept (${CHANGE_DAYS} days by default), or more than ${MAX_CHANGES_AFTER} changes have followed.`,
      }),
    ),
    from: z.optional(
      time('When this began: the time of the change that made the object so. Absent if it is not added or unknown.'),
    ),
    until: z.optional(
      time(
        'When this ended: the time of the next change; if unknown, the earliest time of which all is known. Absent if it is still so.',
      ),
    ),
    object: z.optional(
      z.record(z.string(), z.unknown()).check(
        z.meta({
          description: 'If present, all stored fields, with the revision: without its state and reports of agents.',
        }),
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Object_as_of', description: 'An object at a time in the past.' });
