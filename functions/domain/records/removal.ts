import * as z from 'zod/mini';
import { text } from '../../../shared/core/text.ts';
import { described, maker, time } from '../access/api-key.ts';
import { objectKind } from '../fields/object-kind.ts';

const removedObject = z
  .object({
    kind: objectKind,
    id: described('Its id; a restore does not change it.'),
    name: described('Its name; for an agent, its type.'),
    change_id: described('The change that removed it.'),
  })
  .register(z.globalRegistry, { id: 'Removed_object', description: 'A removed object.' });

const removalIdSchema = described('Id of the removal.');

export const removalIdInPath = text({ max: 64 }).check(z.meta({ description: 'Id of the removal.' }));

/** A removal that can be restored. */
export const removalSchema = z
  .object({
    removal_id: removalIdSchema,
    removed_at: time('When it was removed.'),
    restorable_until: time('When the removal can no longer be restored.'),
    actor: maker.check(z.meta({ description: 'The caller that removed it.' })),
    request_id: described('Id of the request.'),
    objects: z.array(removedObject).check(
      z.meta({
        description: 'The requested object and its dependent objects.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Removal', description: 'A removal of one or more objects.' });

const unrestored = z
  .object({
    ...removedObject.shape,
    status: described('Why, as an error status, for example ALREADY_EXISTS if its name is taken.'),
    message: described('The reason as text.'),
  })
  .register(z.globalRegistry, { id: 'Unrestored_object', description: 'An object that was not restored.' });

/** The reply to a restoration. */
export const restoredSchema = z
  .object({
    restored: z.array(removedObject).check(z.meta({ description: 'The restored objects.' })),
    not_restored: z.array(unrestored).check(
      z.meta({
        description:
          'The objects that were not restored; empty if the restore fits one transaction, because then it is atomic. ' +
          'Repeat the request to try them again.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Restored', description: 'Result of a restore.' });
