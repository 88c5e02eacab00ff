import * as z from 'zod/mini';
import { text } from '../../../shared/http/text.ts';
import { described, maker, time } from '../access/api-key.ts';

const removedObject = z
  .object({
    kind: z.enum(['node', 'service', 'agent']).check(z.meta({ description: 'What was removed.' })),
    id: described('Its id, which it has again when it is restored.'),
    name: described('Its name; of an agent its type.'),
  })
  .register(z.globalRegistry, { id: 'Removed_object', description: 'An object that was removed.' });

export const removalIdSchema = described('Id of the removal.');

/** The id in a path. */
export const removalIdInPath = text({ max: 64 }).check(z.meta({ description: 'Id of the removal.' }));

/** A removal that can be restored. */
export const removalSchema = z
  .object({
    removal_id: removalIdSchema,
    removed_at: time('When it was removed.'),
    restorable_until: time('Until when it can be restored.'),
    actor: maker.check(z.meta({ description: 'Who removed it.' })),
    request_id: described('The request that removed it.'),
    objects: z.array(removedObject).check(
      z.meta({
        description:
          'What went: what was asked for, and what went along. A removal of more than one transaction holds comes in ' +
          'several parts with one id.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Removal', description: 'What was removed at once.' });

const unrestored = z
  .object({
    ...removedObject.shape,
    status: described('Why, as the status of an error: ALREADY_EXISTS when its name is taken, for example.'),
    message: described('The same in words.'),
  })
  .register(z.globalRegistry, { id: 'Unrestored_object', description: 'An object that did not come back.' });

/** The reply to a restoration. */
export const restoredSchema = z
  .object({
    restored: z.array(removedObject).check(z.meta({ description: 'What is back.' })),
    not_restored: z.array(unrestored).check(
      z.meta({
        description:
          'What is not: none when all of it fits one transaction, since then it is all or nothing. The same request again ' +
          'tries these once more.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Restored', description: 'What became of a restoration.' });
