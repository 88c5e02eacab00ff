import * as z from 'zod/mini';
import { described, time } from '../access/api-key.ts';
import { text } from '../../../shared/core/text.ts';
import { MAX_REMOVALS_PERCENT, removalsPercent } from '../fields/safety-threshold.ts';

/** Interval of the scheduled cleanup, in minutes. */
export const CLEANUP_MINUTES = 60;

/** How long a scheduled cleanup works. The next one continues. */
export const CLEANUP_WORK_SECONDS = 600;

/** Body of a cleanup. */
export const cleanupRequest = z
  .strictObject({
    dry_run: z._default(z.boolean().check(z.meta({ description: 'List the due nodes without removing them.' })), false),
    max_removals_percent: z._default(
      removalsPercent('Safety threshold in percent of all objects. Dependent objects count.'),
      MAX_REMOVALS_PERCENT,
    ),
    page_token: z.optional(
      text({ max: 4096 }).check(z.meta({ description: 'The next_page_token of the previous request.' })),
    ),
  })
  .register(z.globalRegistry, { id: 'Cleanup', description: 'Options of the cleanup.' });

const dueShape = {
  node_id: described('Id of the node.'),
  node_name: described('Its name.'),
  last_seen: z.optional(time('Time of the last report; absent if none.')),
  due_since: time('When it became due.'),
};

const removedNode = z
  .object({
    ...dueShape,
    removal_id: described('Id of the removal, for a restore.'),
    objects: z
      .int()
      .check(z.minimum(1), z.meta({ description: 'Number of removed objects: the node and its dependent objects.' })),
  })
  .register(z.globalRegistry, { id: 'Cleaned_up_node', description: 'A removed node.' });

const keptNode = z
  .object({
    ...dueShape,
    reason: z.enum(['dry_run', 'threshold_exceeded', 'reported', 'gone', 'too_large', 'no_time']).check(
      z.meta({
        description:
          'dry_run: it was a dry run. threshold_exceeded: too many removals. reported: it reported in the meantime. gone: ' +
          'another request removed it. too_large: the removal exceeds one transaction; remove it with force. no_time: no ' +
          'time was left, or the table did not answer; the next run continues.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Kept_node', description: 'A due node that was not removed.' });

/** The reply to a cleanup. */
export const cleanedUp = z
  .object({
    threshold_exceeded: z
      .boolean()
      .check(z.meta({ description: 'True if the removals would exceed `max_removals_percent`. Nothing was removed.' })),
    objects: z
      .int()
      .check(z.minimum(0), z.meta({ description: 'Due objects with their dependent objects, as far as counted.' })),
    removed: z.array(removedNode).check(z.meta({ description: 'The removed nodes.' })),
    kept: z.array(keptNode).check(z.meta({ description: 'The nodes that were not removed, as far as known.' })),
    next_page_token: z.optional(
      z
        .string()
        .check(z.meta({ description: 'Repeat the request with this page_token: the cleanup is not finished.' })),
    ),
  })
  .register(z.globalRegistry, { id: 'Cleaned_up', description: 'Result of a cleanup.' });
