import * as z from 'zod/mini';
import { described, time } from '../access/api-key.ts';
import { openEnum } from '../fields/open-enum.ts';

/** The jobs of the service that continue after an interruption. */
export const jobNames = [
  'cleanup',
  'state_events',
  'count',
  'reopening',
  'indexing',
  'forced_removal',
  'reconciliation',
] as const;

export type JobName = (typeof jobNames)[number];

export const jobStates = ['running', 'waiting', 'done', 'stopped'] as const;

export type JobState = (typeof jobStates)[number];

const number = (description: string) => z.optional(z.int().check(z.minimum(0), z.meta({ description })));

export const jobSchema = z
  .strictObject({
    job: openEnum(
      jobNames,
      'cleanup: the scheduled cleanup. state_events: the pass over the states. count: the count of this summary. ' +
        'reopening: the search for removals that an older release did not finish. indexing: its index entries.',
    ),
    id: z.optional(described('The object of a forced removal, or the plan of a reconciliation.')),
    state: openEnum(
      jobStates,
      'running: a process works on it. waiting: the service continues it. stopped: an operator should look at it. ' +
        'done: it ended.',
    ),
    begun_at: time('When it began.'),
    updated_at: z.optional(time('When its last part ended.')),
    total: number('Number of steps.'),
    done: number('Number of steps that are done.'),
    reason: z.optional(described('Why it stopped.')),
  })
  .register(z.globalRegistry, { id: 'Job', description: 'A job of the service, as of its last part.' });
