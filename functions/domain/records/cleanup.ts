import * as z from 'zod/mini';
import { described, time } from '../access/api-key.ts';
import { MAX_REMOVALS_PERCENT, removalsPercent } from '../fields/safety-threshold.ts';

/** How often what is due is removed by itself, in minutes. */
export const CLEANUP_MINUTES = 60;

/** Body of a cleanup. */
export const cleanupRequest = z
  .strictObject({
    dry_run: z._default(z.boolean().check(z.meta({ description: 'Say what would go, and remove nothing.' })), false),
    max_removals_percent: z._default(
      removalsPercent('Safety threshold in percent of all objects. Dependent objects count.'),
      MAX_REMOVALS_PERCENT,
    ),
  })
  .register(z.globalRegistry, { id: 'Cleanup', description: 'How to clean up.' });

const dueShape = {
  node_id: described('Id of the node.'),
  node_name: described('Its name.'),
  last_seen: z.optional(time('When it last reported; absent when it never did.')),
  due_since: time('Since when it is to go.'),
};

const removedNode = z
  .object({
    ...dueShape,
    removal_id: described('The removal, by which it can be restored.'),
    objects: z
      .int()
      .check(z.minimum(1), z.meta({ description: 'How many objects went: the node and what depended on it.' })),
  })
  .register(z.globalRegistry, { id: 'Cleaned_up_node', description: 'A node that was removed.' });

const keptNode = z
  .object({
    ...dueShape,
    reason: z.enum(['dry_run', 'threshold_exceeded', 'reported', 'gone', 'too_large', 'no_time']).check(
      z.meta({
        description:
          'Why: it was only asked; it would be too much; it has reported meanwhile; somebody else removed it; more depends on it ' +
          'than one transaction holds, remove it with force; the time was up, or the table did not say whether it was done: the next run ' +
          'goes on.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Kept_node', description: 'A node that was due and not removed.' });

/** The reply to a cleanup. */
export const cleanedUp = z
  .object({
    threshold_exceeded: z
      .boolean()
      .check(
        z.meta({ description: 'True if the removals would exceed `max_removals_percent`. Then nothing was removed.' }),
      ),
    objects: z
      .int()
      .check(z.minimum(0), z.meta({ description: 'Objects that are due, with what goes along; braked: at least.' })),
    removed: z.array(removedNode).check(z.meta({ description: 'What was done.' })),
    kept: z.array(keptNode).check(z.meta({ description: 'What was not done, as far as is known.' })),
  })
  .register(z.globalRegistry, { id: 'Cleaned_up', description: 'What became of a cleanup.' });
